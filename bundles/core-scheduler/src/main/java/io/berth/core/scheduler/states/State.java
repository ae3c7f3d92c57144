package io.berth.core.scheduler.states;

import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.api.task.TaskState;
import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.execution.ExecutionTask;
import io.berth.core.scheduler.execution.ExecutionTask.Failure;
import java.util.Optional;

/**
 * A state of a job (FLIP-160). Events arrive as calls; the Context interface of each state lists the actions that it
 * may take. A state is never entered twice. Confined to the main thread of the job.
 */
public sealed interface State
        permits Created,
                WaitingForResources,
                CreatingExecutionGraph,
                Executing,
                Restarting,
                Canceling,
                Failing,
                Finished {

    JobStatus status();

    /** Why the job is in this state, for people; may be empty. */
    String reason();

    /** Why the job does not run, as a tree; empty only while it runs and after its end. */
    Optional<Reason> why();

    /** The job enters this state. Must not start a transition: events and timers do. */
    default void enter() {}

    /** The user cancels the job. */
    void cancel(String cause);

    /** Slots were added. */
    default void slotsAdded() {}

    /** Slots were lost; {@link #taskChanged} follows for each task that failed with them. */
    default void slotsLost() {}

    /** Whether a better matching of the job's slots is worth a restart. */
    default boolean maySlotsBeTaken() {
        return false;
    }

    /** Slots of this state's execution serve other groups now. */
    default void slotsTaken(String why) {}

    /** Slots of this state's execution are promised to the ResourceManager: they leave when it ends. */
    default void slotsLeaving(String why) {}

    /** Other workers than before leave. */
    default void workersLeave() {}

    /** Another scaling policy decides now. */
    default void policiesChanged() {}

    /** The bounds of the parallelism changed. */
    default void boundsChanged() {}

    /** A task of this state's execution changed its state. */
    default void taskChanged(ExecutionTask task) {}

    /** Whether it is a failure that the task ended so, if it ended: a state that ends its tasks expects that they are canceled. */
    default boolean isFailure(ExecutionTask task) {
        return task.state() != TaskState.CANCELED;
    }

    /** As {@link #isFailure}, where tasks are canceled although nothing failed: others fail as a consequence of that. */
    static boolean isFailureByItself(ExecutionTask task) {
        return task.state() != TaskState.CANCELED
                && task.failure().filter(Failure::consequence).isEmpty();
    }

    /** The execution of this state. */
    default Optional<ExecutionGraph> execution() {
        return Optional.empty();
    }
}
