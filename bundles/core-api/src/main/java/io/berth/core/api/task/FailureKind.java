package io.berth.core.api.task;

/** Whether a failed task may succeed when it runs again. */
public enum FailureKind {
    /** It may succeed. */
    TRANSIENT,
    /** It would fail in the same way, so the job is not restarted. */
    PERMANENT,
    /** Another task or worker caused the failure, for example a lost producer or a broken connection. */
    CONSEQUENCE
}
