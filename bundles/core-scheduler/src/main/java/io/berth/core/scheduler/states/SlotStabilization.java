package io.berth.core.scheduler.states;

import io.berth.core.api.time.Timers.Cancellable;
import io.berth.core.scheduler.job.SchedulerConfiguration.Stabilization;

/**
 * Acts when the slots of a job are stable: after each change it waits for the next one, but never longer than a bound
 * after the first change. Confined to the main thread of the job.
 */
final class SlotStabilization {

    /** Timers of the waiting state. */
    interface Delay {
        Cancellable runLater(long delayMillis, Runnable action);
    }

    private final Stabilization configuration;
    private final Delay delay;
    private final Runnable action;
    private boolean waiting;
    private Cancellable quiet = () -> {};
    private Cancellable bound = () -> {};

    /** @param action runs once for each series of changes */
    SlotStabilization(Stabilization configuration, Delay delay, Runnable action) {
        this.configuration = configuration;
        this.delay = delay;
        this.action = action;
    }

    /** Waits, if it does not yet: nothing has changed. */
    void start() {
        if (!waiting) {
            changed();
        }
    }

    void changed() {
        if (!waiting) {
            waiting = true;
            bound = delay.runLater(configuration.maxMillis(), this::stable);
        }
        quiet.cancel();
        quiet = delay.runLater(configuration.timeoutMillis(), this::stable);
    }

    /** Waits for a new first change. */
    void cancel() {
        waiting = false;
        quiet.cancel();
        bound.cancel();
    }

    private void stable() {
        cancel();
        action.run();
    }
}
