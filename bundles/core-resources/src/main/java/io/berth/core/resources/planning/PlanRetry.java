package io.berth.core.resources.planning;

import io.berth.core.api.policy.PlanOutcome.NotDecided;
import io.berth.core.api.time.Backoff;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import java.util.Optional;

/**
 * Plans again after a failed plan, even if nothing changes. The pause doubles with each failure in a row. If only a
 * policy is missing, nothing is retried: a new policy calls for a plan. Confined to the main thread.
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

    /** No policy could decide. */
    void undecided(NotDecided outcome) {
        switch (outcome.why().code()) {
            case NO_STRATEGY, NO_DISTRIBUTION -> decided();
            default -> failed();
        }
    }

    /** A plan failed and is made again later. */
    void failed() {
        cancel();
        scheduled = Optional.of(mainThread.schedule(pauses.next(), replan));
    }

    /** A plan was made. */
    void decided() {
        cancel();
        pauses.reset();
    }

    /** Cancels the retry. */
    void cancel() {
        scheduled.ifPresent(Timers.Cancellable::cancel);
        scheduled = Optional.empty();
    }
}
