package io.berth.core.scheduler.states;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.task.TaskState;
import io.berth.core.api.time.Timers.Cancellable;
import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.execution.ExecutionTask;
import java.util.List;

/**
 * Ends all tasks of an execution: cancels them repeatedly, and after a bounded time returns the slots of those that
 * still run to their workers, which ends them there.
 */
final class TaskCancellation {

    interface Context {
        void cancelTasks(List<ExecutionTask> tasks);

        /** The slots leave the job together with their tasks. */
        void giveUpSlots(List<ExecutionTask> tasks, String cause);

        Cancellable runLater(State state, long delayMillis, Runnable action);

        /** The reason of the state has changed. */
        void rootCauseFound(String reason);

        /** All tasks of the execution have ended. */
        void executionEnded(ExecutionGraph execution);
    }

    private static final long REPEAT_MILLIS = 1_000;

    private final Context context;
    private final State owner;
    private final ExecutionGraph execution;
    private final long timeoutMillis;
    private final Runnable done;
    private boolean ended;

    /**
     * @param done called once on the main thread when nothing of the execution runs in a slot of the job; not within
     *     {@link #start}
     */
    TaskCancellation(Context context, State owner, ExecutionGraph execution, long timeoutMillis, Runnable done) {
        this.context = context;
        this.owner = owner;
        this.execution = execution;
        this.timeoutMillis = timeoutMillis;
        this.done = done;
    }

    void start() {
        execution.live().stream()
                .filter(task -> task.state() == TaskState.CREATED)
                .forEach(ExecutionTask::canceled);
        repeat();
        context.runLater(owner, timeoutMillis, this::giveUp);
        context.runLater(owner, 0, this::check);
    }

    private void repeat() {
        if (!ended) {
            context.cancelTasks(execution.live());
            context.runLater(owner, REPEAT_MILLIS, this::repeat);
        }
    }

    private void giveUp() {
        if (!ended) {
            List<ExecutionTask> stuck = execution.live();
            stuck.forEach(ExecutionTask::canceled);
            context.giveUpSlots(stuck, "tasks have not ended within " + timeoutMillis + " ms of their cancellation");
            check();
        }
    }

    /** The live tasks of an execution as a leaf; empty when there are none. */
    static List<Reason> ending(ExecutionGraph execution) {
        int live = execution.live().size();
        return live == 0
                ? List.of()
                : List.of(Reason.counted(
                        ReasonCode.ENDING_TASKS,
                        live,
                        live + (live == 1 ? " task is" : " tasks are") + " being ended"));
    }

    /** A task changed its state. */
    void check() {
        if (!ended && execution.isEnded()) {
            ended = true;
            context.executionEnded(execution);
            done.run();
        }
    }
}
