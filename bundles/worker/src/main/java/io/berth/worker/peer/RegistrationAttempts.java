package io.berth.worker.peer;

import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.time.Backoff;
import io.berth.worker.settings.RegistrationPace;

/**
 * How long the next attempt to register may take and how long to wait before it, after {@link RegistrationPace}. A peer
 * that is not there any more is looked for again soon. Belongs to one main thread.
 */
public final class RegistrationAttempts {

    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long MAX_PAUSE_MILLIS = 2_000;

    private final RegistrationPace pace;
    private final Backoff times;
    private final Backoff searches = new Backoff(FIRST_PAUSE_MILLIS, MAX_PAUSE_MILLIS);

    public RegistrationAttempts(RegistrationPace pace) {
        this.pace = pace;
        this.times = new Backoff(pace.firstMillis(), pace.mostMillis());
    }

    /** How long the attempt that begins now may take, in milliseconds. */
    public long next() {
        return times.next();
    }

    public void succeeded() {
        times.reset();
        searches.reset();
    }

    /** The pause after a search or an attempt failed so, in milliseconds. */
    public long pauseAfter(Throwable failure) {
        if (!(Failures.cause(failure) instanceof RpcException rpc)) {
            return searches.next();
        }
        return switch (rpc.kind()) {
            // It has cost its time already.
            case DEADLINE -> 0;
            case FENCED, NOT_FOUND, UNREACHABLE -> afterReset(searches.next());
            case FAILED -> afterReset(pace.errorPauseMillis());
            case REFUSED -> afterReset(pace.refusedPauseMillis());
        };
    }

    private long afterReset(long pause) {
        times.reset();
        return pause;
    }
}
