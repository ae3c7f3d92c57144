package io.berth.core.api.job;

/** State of a job (FLIP-160). */
public enum JobStatus {
    CREATED("Created"),
    WAITING_FOR_RESOURCES("WaitingForResources"),
    CREATING_EXECUTION_GRAPH("CreatingExecutionGraph"),
    EXECUTING("Executing"),
    RESTARTING("Restarting"),
    CANCELING("Canceling"),
    FAILING("Failing"),
    FINISHED("Finished"),
    CANCELED("Canceled"),
    FAILED("Failed");

    private final String label;

    JobStatus(String label) {
        this.label = label;
    }

    /** The name that users see. */
    public String label() {
        return label;
    }

    /** Whether the job will never run again. */
    public boolean isTerminal() {
        return this == FINISHED || this == CANCELED || this == FAILED;
    }
}
