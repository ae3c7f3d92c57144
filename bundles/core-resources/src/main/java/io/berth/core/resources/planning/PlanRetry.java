package io.berth.core.resources.planning;

import io.berth.core.api.policy.PlanOutcome.NotDecided;
import io.berth.core.api.time.Backoff;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import java.util.Optional;

/**
 * Plans again when a plan failed and no change calls for one, after a pause that doubles with each failure in a row.
 * Where only a policy is missing nothing is tried: one that comes calls for a plan. Confined to the main thread.
 */
final class PlanRetry {

    static final long FIRST_MILLIS = 100;
    static final long MAX_MILLIS = 10_000;

    private final MainThread mainThread;
    private final Runnable replan;
    private final Backoff pauses = new Backoff(FIRST_MILLIS, MAX_MILLIS);
    private Optional<Timers.Cancellable> scheduled = Optional.empty();

    PlanRetry(MainThread mainThread, Runnable replan) {
        this.mainThread = mainThread;
        this.replan = replan;
    }

    /** No policy could decide, for whatever reason. */
    void undecided(NotDecided outcome) {
        switch (outcome.why().code()) {
            case NO_STRATEGY, NO_DISTRIBUTION -> decided();
            default -> failed();
        }
    }

    /** A plan failed: another one is made later. */
    void failed() {
        cancel();
        scheduled = Optional.of(mainThread.schedule(pauses.next(), replan));
    }

    /** A plan was made. */
    void decided() {
        cancel();
        pauses.reset();
    }

    /** Nothing is tried again. */
    void cancel() {
        scheduled.ifPresent(Timers.Cancellable::cancel);
        scheduled = Optional.empty();
    }
}
