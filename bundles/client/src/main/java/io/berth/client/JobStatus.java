package io.berth.client;

/** The states of a job. */
public enum JobStatus {
    CREATED,
    WAITING_FOR_RESOURCES,
    CREATING_EXECUTION_GRAPH,
    EXECUTING,
    RESTARTING,
    CANCELING,
    FAILING,
    FINISHED,
    CANCELED,
    FAILED,
    /** One that this version of the client does not know. */
    OTHER;

    /** Whether the job has ended. */
    public boolean isTerminal() {
        return this == FINISHED || this == CANCELED || this == FAILED;
    }

    /** Reads a label such as {@code WaitingForResources}. */
    static JobStatus of(String label) {
        for (JobStatus status : values()) {
            if (status.name().replace("_", "").equalsIgnoreCase(label)) {
                return status;
            }
        }
        return OTHER;
    }
}
