package io.berth.core.policies.registry;

import io.berth.core.api.time.Backoff;
import io.berth.core.policies.registration.DecisionOwner;
import java.time.Instant;
import java.util.Optional;

/**
 * The quarantine of a policy, for all owners, one pool or one job. After a while one owner tries it again; when that
 * succeeds, the others follow, otherwise the while is doubled. Guarded by the lock of the table.
 */
final class Quarantine {

    final RecentCalls calls = new RecentCalls();
    private boolean active;
    private String why = "";
    private long sinceMillis;
    private Backoff backoff = new Backoff(0, 0);
    private long waitMillis;
    private long endedMillis;
    /** Counts the waiting times, so that an old timer does nothing. */
    private long waits;

    private boolean due;
    private Optional<DecisionOwner> tester = Optional.empty();

    boolean isActive() {
        return active;
    }

    /** @param tries whether the owner may try it again */
    boolean excludes(DecisionOwner owner, boolean tries) {
        return active && !(tries && isOnTrialFor(owner));
    }

    /** Whether the owner may try it now. */
    boolean isOnTrialFor(DecisionOwner owner) {
        return active && due && tester.filter(other -> !other.equals(owner)).isEmpty();
    }

    /**
     * Begins, or begins again after a failed trial.
     *
     * @return after how many milliseconds it is tried again; empty: never
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

    long waits() {
        return waits;
    }

    /** The waiting time is over, unless the quarantine ended or began again meanwhile. */
    boolean becomeDue(long wait) {
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
     * @return after how many milliseconds another one may, if nothing comes of it; empty when the owner already tries
     *     it
     */
    Optional<Long> begunBy(DecisionOwner owner) {
        boolean already = tester.isPresent();
        tester = Optional.of(owner);
        return already ? Optional.empty() : Optional.of(waitMillis);
    }

    /** A trial succeeded. A new quarantine soon after waits longer. */
    void end(long wallMillis) {
        active = false;
        endedMillis = wallMillis;
        calls.clear();
    }

    /** The failures no longer count, because the policy or its configuration changed. */
    void forget() {
        active = false;
        waitMillis = 0;
        calls.clear();
    }

    String why() {
        return why;
    }

    /** Since when, why and until when, for people. */
    String text() {
        return "since " + Instant.ofEpochMilli(sinceMillis) + ": " + why
                + (due
                        ? "; it is tried again now"
                        : waitMillis == 0
                                ? ""
                                : "; it is tried again at " + Instant.ofEpochMilli(sinceMillis + waitMillis));
    }
}
