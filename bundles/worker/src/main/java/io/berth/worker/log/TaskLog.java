package io.berth.worker.log;

import java.util.function.Supplier;

/** The log of one attempt of a task. Thread-safe. */
public interface TaskLog {

    /**
     * Calls an action; what its thread prints and logs meanwhile, and what threads print and log that it starts meanwhile,
     * belongs to the task until {@link #end}.
     */
    <T> T call(Supplier<T> action);

    /** As {@link #call}, for an action without a result. */
    default void run(Runnable action) {
        call(() -> {
            action.run();
            return true;
        });
    }

    /** The task has ended. What its threads print later belongs to the worker. Idempotent. */
    void end();
}
