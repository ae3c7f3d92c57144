package io.berth.core.api.task;

/** State of a task attempt as JobMaster and TaskExecutor see it. */
public enum TaskState {
    CREATED,
    DEPLOYING,
    RUNNING,
    READY_TO_COMMIT,
    CANCELING,
    FINISHED,
    CANCELED,
    FAILED;

    public boolean isTerminal() {
        return this == FINISHED || this == CANCELED || this == FAILED;
    }
}
