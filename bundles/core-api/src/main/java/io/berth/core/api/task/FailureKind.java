package io.berth.core.api.task;

/** What is to be expected of a task that failed when it runs again. */
public enum FailureKind {
    /** It may succeed. */
    TRANSIENT,
    /** It fails in the same way: the job is not restarted. */
    PERMANENT,
    /** Another task or worker caused it: a lost producer, a broken connection. */
    CONSEQUENCE
}
