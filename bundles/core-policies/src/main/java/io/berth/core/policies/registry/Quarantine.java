package io.berth.core.policies.registry;

import io.berth.core.api.time.Backoff;
import io.berth.core.policies.registration.DecisionOwner;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether a policy is put aside for what its calls came to, for all or for one job. After a while one owner tries it
 * again, and the others follow when that goes well; each time that it does not, the while is longer. Under the lock of
 * the table.
 */
final class Quarantine {

    final RecentCalls calls = new RecentCalls();
    private boolean active;
    private String why = "";
    private long sinceMillis;
    private Backoff backoff = new Backoff(0, 0);
    private long waitMillis;
    private long endedMillis;
    /** Counts what is waited for, so that an old timer does nothing. */
    private long waits;

    private boolean due;
    private Optional<DecisionOwner> tester = Optional.empty();

    boolean isActive() {
        return active;
    }

    /** Whether an owner may try it now. */
    boolean isOnTrialFor(DecisionOwner owner) {
        return active && due && tester.filter(other -> !other.equals(owner)).isEmpty();
    }

    /**
     * Begins, or begins again after a trial that went wrong.
     *
     * @return after how long it is to be tried again; empty: never
     */
    Optional<Long> begin(String cause, long wallMillis, PolicyLimits limits) {
        boolean again = active || wallMillis - endedMillis < waitMillis;
        if (!again) {
            backoff = new Backoff(limits.retryMillis(), limits.retryMaxMillis());
        }
        waitMillis = backoff.next();
        active = true;
        why = cause;
        sinceMillis = wallMillis;
        return waitAgain();
    }

    private Optional<Long> waitAgain() {
        waits++;
        due = false;
        tester = Optional.empty();
        return waitMillis == 0 ? Optional.empty() : Optional.of(waitMillis);
    }

    /** What a wait is known by. */
    long waits() {
        return waits;
    }

    /** Its time has come, unless it has ended or began again meanwhile. */
    boolean comesDue(long wait) {
        boolean comes = active && wait == waits;
        if (comes) {
            due = true;
            tester = Optional.empty();
        }
        return comes;
    }

    /**
     * An owner tries it.
     *
     * @return after how long another one may, if that comes to nothing; empty where the owner tries it already
     */
    Optional<Long> triedBy(DecisionOwner owner) {
        boolean already = tester.isPresent();
        tester = Optional.of(owner);
        return already ? Optional.empty() : Optional.of(waitMillis);
    }

    /** A trial went well. It begins with a longer while if it begins again soon. */
    void end(long wallMillis) {
        active = false;
        endedMillis = wallMillis;
        calls.clear();
    }

    /** Something else is known of it than what its calls came to. */
    void forget() {
        active = false;
        waitMillis = 0;
        calls.clear();
    }

    String why() {
        return why;
    }

    /** For people: since when, why and until when. */
    String text() {
        return "since " + Instant.ofEpochMilli(sinceMillis) + ": " + why
                + (due
                        ? "; it is tried again now"
                        : waitMillis == 0
                                ? ""
                                : "; it is tried again at " + Instant.ofEpochMilli(sinceMillis + waitMillis));
    }
}
