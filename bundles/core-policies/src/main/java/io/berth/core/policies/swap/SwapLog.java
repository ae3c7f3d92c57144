package io.berth.core.policies.swap;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.operations.PolicyOperations.PolicyStamp;
import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.PlacementPlanner.Commit;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.api.time.Clock;
import io.berth.core.policies.meters.Meters;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registration.Registration;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The last changes of deciding policies, numbered from 1, and what caused them: at most {@value #MAX_COUNT} of each kind,
 * those of earlier lives of the host included once a store has given them back. The registry says what happened, the
 * framework what became of bundles, the owners of decisions what it changed for them. Any thread; calls nobody and waits
 * for nothing.
 */
public final class SwapLog {

    public static final int MAX_COUNT = 10_000;

    private final long startedMillis;
    private final Meters meters;
    private final SwapCauses causes;
    private final Map<PolicyKind, SwapSegments> shelves = new EnumMap<>(PolicyKind.class);
    private long last;

    public SwapLog(Clock clock, Meters meters) {
        this.meters = meters;
        this.startedMillis = clock.wallMillis();
        this.causes = new SwapCauses(clock);
        for (PolicyKind kind : PolicyKind.values()) {
            shelves.put(kind, new SwapSegments(MAX_COUNT));
        }
    }

    /** How many records of each kind are kept from now on, at most {@value #MAX_COUNT}. */
    public synchronized void keep(int most) {
        shelves.values().forEach(shelf -> shelf.keep(most));
    }

    /**
     * Something happened to one factory. To be told before an owner can see it.
     *
     * @param policy what stays of it when its bundle is updated
     * @param by who asked for it; empty where nobody did
     */
    public synchronized void happened(
            Registration registration, String policy, PolicyEvent event, String by, long index) {
        causes.happened(registration, policy, event, by, index);
    }

    /** Something happened to the order of all. */
    public synchronized void happened(PolicyKind kind, PolicyEvent event, String by, long index) {
        causes.happened(kind, event, by, index);
    }

    public synchronized void roundBegan(PolicyKind kind) {
        causes.roundBegan(kind);
    }

    public synchronized void roundEnded(PolicyKind kind) {
        causes.roundEnded(kind);
    }

    /** The framework took the wiring of a bundle apart. */
    public synchronized void unresolved(long bundle, String name) {
        touched(causes.unresolved(bundle, name));
    }

    /** The framework updated a bundle. */
    public synchronized void updated(long bundle) {
        touched(causes.became(bundle, PolicyEvent.UPDATE));
    }

    /** The framework uninstalled a bundle. */
    public synchronized void uninstalled(long bundle) {
        touched(causes.became(bundle, PolicyEvent.UNINSTALL));
    }

    private void touched(List<SwapCause> changed) {
        changed.forEach(cause -> cause.records.forEach(this::touched));
    }

    private void touched(Swap swap) {
        Objects.requireNonNull(shelves.get(swap.kind())).touched(swap);
    }

    /** Decisions of each kind that are under way. */
    public synchronized SortedMap<PolicyKind, Integer> inProgress() {
        SortedMap<PolicyKind, Integer> now = new TreeMap<>();
        for (PolicyKind kind : PolicyKind.values()) {
            now.put(kind, causes.inProgress(kind));
        }
        return now;
    }

    /**
     * Another policy decides at an owner; the cause is the last thing that happened to one of the two or to all.
     *
     * @param undecided the record before of this owner and kind, when nobody has decided since
     * @param open the record before, when its new policy has not decided since
     * @param ledger of the owner after its last decision
     * @return the record; the one before when it goes on with that, as for a policy that is updated
     */
    public synchronized Swap swapped(
            PolicyKind kind,
            String owner,
            Optional<PolicyCandidate> before,
            Optional<PolicyIdentity> from,
            Optional<PolicyCandidate> after,
            Optional<Swap> undecided,
            Optional<Swap> open,
            LedgerState ledger) {
        SwapCause cause = causes.of(kind, before, after);
        PolicyStamp to = stamp(kind, after.map(candidate -> candidate.identity(0)));
        if (undecided.filter(swap -> swap.isCompletedBy(cause)).isPresent()) {
            undecided.get().completed(cause, to);
            touched(undecided.get());
            return undecided.get();
        }
        SwapSegments shelf = Objects.requireNonNull(shelves.get(kind));
        meters.swapped(kind, cause.event);
        Swap swap = new Swap(++last, cause, owner, stamp(kind, from), to, ledger, startedMillis);
        open.ifPresent(overtaken -> {
            overtaken.overtaken(swap);
            touched(overtaken);
        });
        shelf.add(swap);
        return swap;
    }

    /** The new one took over, where there is no decision to wait for. */
    synchronized void took(Swap swap, PolicyIdentity to) {
        swap.took(to);
        touched(swap);
    }

    /** A generation of the new policy was opened. */
    synchronized void opened(Swap swap, LedgerState ledger) {
        swap.opened(ledger);
        touched(swap);
    }

    /** What was decided before the change was committed after it. */
    synchronized void lastDecided(Swap swap, LedgerState ledger) {
        swap.lastDecided(ledger);
        touched(swap);
    }

    /** The new policy made its first decision. */
    synchronized void decided(Swap swap, PolicyIdentity to, long decision) {
        swap.decided(to, decision);
        touched(swap);
    }

    /** That decision was committed. */
    synchronized void committed(Swap swap, Optional<Commit> commit, long delayMicros, long usualMicros) {
        swap.committed(commit, delayMicros, usualMicros);
        touched(swap);
    }

    /** Newest first. */
    public List<SwapDetails> find(Optional<PolicyKind> kind, int limit) {
        if (limit < 1 || limit > MAX_COUNT) {
            throw new IllegalArgumentException("limit is " + limit + ": 1 to " + MAX_COUNT + " is allowed");
        }
        List<SwapDetails> found = new ArrayList<>();
        synchronized (this) {
            shelves.forEach((ofKind, shelf) -> {
                if (kind.isEmpty() || kind.get() == ofKind) {
                    found.addAll(shelf.newest(limit));
                }
            });
        }
        found.sort(Comparator.comparingLong(SwapDetails::number).reversed());
        return found.size() > limit ? List.copyOf(found.subList(0, limit)) : found;
    }

    /**
     * Takes over the records that a store has: of earlier lives of the host, and of others that led meanwhile. Those of
     * this one that the store does not have come behind them, under new numbers.
     *
     * @param segments those that there are, damaged ones included
     * @param lost at most so many records are damaged
     * @param again whether this one may have written some of them
     */
    synchronized void restore(
            Map<PolicyKind, SortedMap<Long, SwapDetails>> records,
            Map<PolicyKind, SortedSet<Long>> segments,
            long lost,
            boolean again) {
        last = lost
                + records.values().stream()
                        .flatMap(ofKind -> ofKind.values().stream())
                        .mapToLong(SwapDetails::number)
                        .max()
                        .orElse(0);
        List<Swap> missing = new ArrayList<>();
        shelves.forEach((kind, shelf) -> missing.addAll(shelf.restore(
                records.getOrDefault(kind, new TreeMap<>()), segments.getOrDefault(kind, new TreeSet<>()), again)));
        missing.sort(Comparator.comparingLong(swap -> swap.number));
        missing.forEach(swap -> swap.number = ++last);
        shelves.values().forEach(SwapSegments::trim);
    }

    /** Segments of a kind that are to be written; they count as written from now on. */
    synchronized List<Long> takeUnwritten(PolicyKind kind, int limit) {
        return Objects.requireNonNull(shelves.get(kind)).takeUnwritten(limit);
    }

    /** A segment could not be written. */
    synchronized void unwritten(PolicyKind kind, long segment) {
        Objects.requireNonNull(shelves.get(kind)).unwritten(segment);
    }

    /** Nothing is written where it is to be kept now. */
    synchronized void unwritten() {
        shelves.values().forEach(SwapSegments::allUnwritten);
    }

    /** What a segment is to hold; empty: it is to be deleted. */
    synchronized SortedMap<Long, SwapDetails> segment(PolicyKind kind, long segment) {
        return Objects.requireNonNull(shelves.get(kind)).segment(segment);
    }

    private static PolicyStamp stamp(PolicyKind kind, Optional<PolicyIdentity> identity) {
        return identity.map(Swap::stamp).orElse(new PolicyStamp(kind, "none", "", "", 0, 0));
    }
}
