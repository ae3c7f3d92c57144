package io.berth.core.policies;

import io.berth.core.api.operations.PolicyOperations.PolicyStamp;
import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.api.time.Clock;
import io.berth.spi.PolicyKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The last changes of deciding policies, numbered from 1, and what caused them. The registry says what happened, the
 * owners of decisions what it changed for them. Any thread; calls nobody.
 */
final class SwapLog {

    static final int MOST = 10_000;
    private static final int MOST_EVENTS = 200;
    private static final long EVERYONE = -1;

    private record Event(long id, String cause, long index, long wallMillis, int inFlight) {}

    private final Clock clock;
    private final Meters meters;
    private final Map<PolicyKind, Deque<Event>> events = new EnumMap<>(PolicyKind.class);
    private final Map<PolicyKind, Integer> underWay = new EnumMap<>(PolicyKind.class);
    private final SortedMap<Long, SwapDetails> kept = new TreeMap<>();
    private long last;

    SwapLog(Clock clock, Meters meters) {
        this.clock = clock;
        this.meters = meters;
    }

    /** Something happened to one factory. To be told before an owner can see it. */
    void happened(PolicyKind kind, long id, String cause, long index) {
        synchronized (this) {
            Deque<Event> ofKind = events.computeIfAbsent(kind, key -> new ArrayDeque<>());
            ofKind.addFirst(new Event(id, cause, index, clock.wallMillis(), underWay.getOrDefault(kind, 0)));
            if (ofKind.size() > MOST_EVENTS) {
                ofKind.removeLast();
            }
        }
    }

    /** Something happened to the order of all. */
    void happened(PolicyKind kind, String cause, long index) {
        happened(kind, EVERYONE, cause, index);
    }

    synchronized void roundBegan(PolicyKind kind) {
        underWay.merge(kind, 1, Integer::sum);
    }

    synchronized void roundEnded(PolicyKind kind) {
        underWay.merge(kind, -1, Integer::sum);
    }

    /** Decisions of each kind that are under way. */
    synchronized SortedMap<PolicyKind, Integer> underWay() {
        SortedMap<PolicyKind, Integer> now = new TreeMap<>();
        for (PolicyKind kind : PolicyKind.values()) {
            now.put(kind, underWay.getOrDefault(kind, 0));
        }
        return now;
    }

    /**
     * Another policy decides at an owner; the cause is the last thing that happened to one of the two or to all.
     *
     * @return number of the record
     */
    synchronized long swapped(
            PolicyKind kind,
            String owner,
            Optional<Candidate> before,
            Optional<PolicyIdentity> from,
            Optional<Candidate> after) {
        Event cause = events.getOrDefault(kind, new ArrayDeque<>()).stream()
                .filter(event -> event.id() == EVERYONE
                        || before.filter(candidate -> candidate.id() == event.id()).isPresent()
                        || after.filter(candidate -> candidate.id() == event.id()).isPresent())
                .findFirst()
                .orElse(new Event(EVERYONE, "unknown", 0, clock.wallMillis(), 0));
        meters.swapped(kind, cause.cause());
        long number = ++last;
        kept.put(number, new SwapDetails(
                number, cause.wallMillis(), kind, owner, cause.cause(), stamp(kind, from),
                stamp(kind, after.map(candidate -> candidate.identity(0))), cause.inFlight(), 0, -1, cause.index()));
        if (kept.size() > MOST) {
            kept.remove(kept.firstKey());
        }
        return number;
    }

    /** The new policy made its first decision. */
    synchronized void decided(long number, PolicyIdentity to, long decision, long addedMicros) {
        kept.computeIfPresent(number, (key, swap) -> new SwapDetails(
                number, swap.wallMillis(), swap.kind(), swap.owner(), swap.cause(), swap.from(), DecisionLog.stamp(to),
                swap.inFlight(), decision, addedMicros, swap.index()));
    }

    /** Newest first. */
    List<SwapDetails> find(Optional<PolicyKind> kind, int limit) {
        if (limit < 1 || limit > MOST) {
            throw new IllegalArgumentException("limit is " + limit + ": 1 to " + MOST + " is allowed");
        }
        List<SwapDetails> all;
        synchronized (this) {
            all = new ArrayList<>(kept.values());
        }
        List<SwapDetails> found = new ArrayList<>();
        for (int i = all.size() - 1; i >= 0 && found.size() < limit; i--) {
            if (kind.isEmpty() || kind.get() == all.get(i).kind()) {
                found.add(all.get(i));
            }
        }
        return found;
    }

    private static PolicyStamp stamp(PolicyKind kind, Optional<PolicyIdentity> identity) {
        return identity.map(DecisionLog::stamp).orElse(new PolicyStamp(kind, "none", "", "", 0, 0));
    }
}
