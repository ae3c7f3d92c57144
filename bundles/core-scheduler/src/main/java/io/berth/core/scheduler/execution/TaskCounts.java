package io.berth.core.scheduler.execution;

import io.berth.core.api.task.TaskState;
import java.util.EnumMap;
import java.util.Map;

/**
 * Counts the tasks of an execution by state, so that no change has to iterate over all tasks. Confined to the main
 * thread of the job.
 */
final class TaskCounts {

    private final Map<TaskState, Integer> inState = new EnumMap<>(TaskState.class);
    private int all;
    private int terminal;
    /** Of those that read what no task that runs writes. */
    private int unreadyReaders;

    void add(ExecutionTask task) {
        all++;
        count(task, task.state(), 1);
    }

    /** The task is no longer part of the execution. */
    void remove(ExecutionTask task) {
        all--;
        count(task, task.state(), -1);
    }

    void moved(ExecutionTask task, TaskState before) {
        count(task, before, -1);
        count(task, task.state(), 1);
    }

    private void count(ExecutionTask task, TaskState state, int change) {
        inState.merge(state, change, Integer::sum);
        terminal += state.isTerminal() ? change : 0;
        unreadyReaders += task.chain().readsWhatIsThere() && !isReadyOrFinished(state) ? change : 0;
    }

    private static boolean isReadyOrFinished(TaskState state) {
        return state == TaskState.READY_TO_COMMIT || state == TaskState.FINISHED;
    }

    boolean areAllTerminal() {
        return terminal == all;
    }

    /** Whether no task is before RUNNING and none failed to get there. */
    boolean haveAllStarted() {
        return inState.getOrDefault(TaskState.RUNNING, 0)
                        + inState.getOrDefault(TaskState.READY_TO_COMMIT, 0)
                        + inState.getOrDefault(TaskState.FINISHED, 0)
                == all;
    }

    boolean areAllFinished() {
        return inState.getOrDefault(TaskState.FINISHED, 0) == all;
    }

    boolean areAllReadyOrFinished() {
        return inState.getOrDefault(TaskState.FINISHED, 0) + inState.getOrDefault(TaskState.READY_TO_COMMIT, 0) == all;
    }

    boolean areReadersReadyOrFinished() {
        return unreadyReaders == 0;
    }
}
