package io.berth.core.policies.swap;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.operations.PolicyOperations.PolicyStamp;
import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.api.time.Clock;
import io.berth.core.policies.meters.Meters;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registration.Registration;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.Collection;
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
import java.util.function.Consumer;

/**
 * The last swaps, numbered from 1, and their triggers: at most {@value #MAX_COUNT} of each kind, including those of
 * earlier runs once a store has returned them. The registry reports events of policies, the framework those of bundles,
 * and the owners of decisions what a swap changed for them. Thread-safe; calls no foreign code and never waits.
 */
public final class SwapLog {

    public static final int MAX_COUNT = 10_000;

    /**
     * The policy of an owner.
     *
     * @param open the last record, when its policy has not decided since
     */
    record Position(Optional<PolicyIdentity> policy, Optional<Swap> open) {

        /** Whatever the generation. */
        boolean decides(Optional<PolicyIdentity> other) {
            return policy.map(Position::withoutGeneration).equals(other.map(Position::withoutGeneration));
        }

        private static PolicyIdentity withoutGeneration(PolicyIdentity identity) {
            return new PolicyIdentity(
                    identity.kind(),
                    identity.name(),
                    identity.bundle(),
                    identity.version(),
                    0,
                    identity.configurationRevision());
        }
    }

    private final long startedMillis;
    private final Meters meters;
    private final SwapTriggers triggers;
    private final Map<PolicyKind, SwapSegments> records = new EnumMap<>(PolicyKind.class);
    private final SortedMap<PolicyKind, Integer> inProgress = new TreeMap<>();
    private long last;

    public SwapLog(Clock clock, Meters meters) {
        this.meters = meters;
        this.startedMillis = clock.wallMillis();
        this.triggers = new SwapTriggers(clock);
        for (PolicyKind kind : PolicyKind.values()) {
            records.put(kind, new SwapSegments(MAX_COUNT));
            inProgress.put(kind, 0);
        }
    }

    /** @param max records of each kind that are kept from now on, at most {@value #MAX_COUNT} */
    public synchronized void keep(int max) {
        records.values().forEach(segments -> segments.keep(max));
    }

    /**
     * An event of one factory. Must be reported before an owner can see its effect.
     *
     * @param policy identity that an update of the bundle does not change
     * @param by who requested it; empty when nobody did
     */
    public synchronized void happened(
            Registration registration, String policy, PolicyEvent event, String by, long index) {
        SwapTrigger.Factory factory = new SwapTrigger.Factory(registration.id(), registration.bundleId(), policy);
        PolicyKind kind = registration.kind();
        triggers.add(kind, Optional.of(factory), event, by, index, inProgress.getOrDefault(kind, 0));
    }

    /** An event of all factories of a kind. */
    public synchronized void happened(PolicyKind kind, PolicyEvent event, String by, long index) {
        triggers.add(kind, Optional.empty(), event, by, index, inProgress.getOrDefault(kind, 0));
    }

    /**
     * A choice. Must be reported before an owner can see its effect.
     *
     * @param chosen the policy that decides by it; empty when none does
     */
    public synchronized void chosen(
            PolicyKind kind, PolicyEvent event, String by, long index, Optional<PolicyIdentity> chosen) {
        triggers.add(kind, Optional.empty(), event, by, index, inProgress.getOrDefault(kind, 0)).chosen = chosen;
    }

    /** A bundle lost its wiring. */
    public synchronized void unresolved(long bundle, String name) {
        changed(triggers.unresolved(bundle, name));
    }

    /** A bundle was updated or uninstalled. */
    public synchronized void changed(long bundle, PolicyEvent event) {
        changed(triggers.changed(bundle, event));
    }

    private void changed(Collection<SwapTrigger> changed) {
        if (!changed.isEmpty()) {
            records.values().forEach(segments -> segments.changed(changed));
        }
    }

    public synchronized void roundBegan(PolicyKind kind) {
        inProgress.merge(kind, 1, Integer::sum);
    }

    public synchronized void roundEnded(PolicyKind kind) {
        inProgress.merge(kind, -1, Integer::sum);
    }

    /** Decisions of each kind that are in progress. */
    public synchronized SortedMap<PolicyKind, Integer> inProgress() {
        return new TreeMap<>(inProgress);
    }

    /**
     * Another policy decides for an owner.
     *
     * @param open the previous record of this owner and kind, when its new policy has not decided since
     * @param undecided whether no policy has decided since
     * @param ledger of the owner after its last decision
     * @param index of the common choice that the owner follows; 0 if it has a choice of its own
     * @return the record; the previous one when the same policy was registered again, for example by an update
     */
    public synchronized Swap swapped(
            PolicyKind kind,
            String owner,
            Optional<PolicyCandidate> before,
            Optional<PolicyIdentity> from,
            Optional<PolicyCandidate> after,
            Optional<Swap> open,
            boolean undecided,
            LedgerState ledger,
            long index) {
        SwapTrigger trigger = triggers.last(kind, before, after, index);
        PolicyStamp to = stamp(kind, after.map(candidate -> candidate.identity(0)));
        Optional<Swap> completed = open.filter(swap -> undecided && swap.isCompletedBy(trigger));
        if (completed.isPresent()) {
            update(completed.get(), swap -> swap.completed(trigger, to));
            return completed.get();
        }
        return add(trigger, owner, from, to, open, ledger);
    }

    /**
     * An owner follows choices now. Records those that were replaced before it could follow them.
     *
     * @param seen index of the last choice that the owner has followed
     * @param index of the choice that it follows now
     * @return where the owner is before it follows the last choice
     */
    synchronized Position skipped(
            PolicyKind kind, String owner, Position before, long seen, long index, LedgerState ledger) {
        Position at = before;
        for (SwapTrigger choice : triggers.choices(kind, seen, index)) {
            if (!at.decides(choice.chosen)) {
                Swap record = add(choice, owner, at.policy(), stamp(kind, choice.chosen), at.open(), ledger);
                at = new Position(choice.chosen, Optional.of(record));
            }
        }
        return at;
    }

    private Swap add(
            SwapTrigger trigger,
            String owner,
            Optional<PolicyIdentity> from,
            PolicyStamp to,
            Optional<Swap> open,
            LedgerState ledger) {
        PolicyKind kind = trigger.kind;
        meters.swapped(kind, trigger.event);
        Swap next = new Swap(++last, trigger, owner, stamp(kind, from), to, ledger, startedMillis);
        // A backend makes no first decision that another one could precede.
        open.filter(swap -> kind != PolicyKind.BACKEND)
                .ifPresent(overtaken -> update(overtaken, swap -> swap.overtaken(next)));
        of(kind).add(next);
        return next;
    }

    /** The owner completes a record. */
    synchronized void update(Swap swap, Consumer<Swap> change) {
        change.accept(swap);
        of(swap.kind()).changed(swap);
    }

    /** Newest first. */
    public List<SwapDetails> find(Optional<PolicyKind> kind, int limit) {
        if (limit < 1 || limit > MAX_COUNT) {
            throw new IllegalArgumentException("limit is " + limit + ": 1 to " + MAX_COUNT + " is allowed");
        }
        List<SwapDetails> found = new ArrayList<>();
        synchronized (this) {
            records.forEach((ofKind, segments) -> {
                if (kind.isEmpty() || kind.get() == ofKind) {
                    found.addAll(segments.newest(limit));
                }
            });
        }
        found.sort(Comparator.comparingLong(SwapDetails::number).reversed());
        return List.copyOf(found.subList(0, Math.min(limit, found.size())));
    }

    /**
     * Replaces the records by those of a store, which earlier runs of this host or other leaders wrote. Records of this
     * host that the store does not have follow them under new numbers.
     *
     * @param segments that the store has, damaged ones included
     * @param lost upper bound of the number of damaged records
     * @param again whether the store may have records of this host
     */
    synchronized void restore(
            Map<PolicyKind, SortedMap<Long, SwapDetails>> read,
            Map<PolicyKind, SortedSet<Long>> segments,
            long lost,
            boolean again) {
        last = lost
                + read.values().stream()
                        .flatMap(ofKind -> ofKind.values().stream())
                        .mapToLong(SwapDetails::number)
                        .max()
                        .orElse(0);
        List<Swap> missing = new ArrayList<>();
        records.forEach((kind, own) -> missing.addAll(own.restore(
                read.getOrDefault(kind, new TreeMap<>()), segments.getOrDefault(kind, new TreeSet<>()), again)));
        missing.sort(Comparator.comparingLong(swap -> swap.number));
        missing.forEach(swap -> swap.number = ++last);
        records.values().forEach(SwapSegments::trim);
    }

    /** Segments of a kind to write; they count as written from now on. */
    synchronized List<Long> takeUnwritten(PolicyKind kind, int limit) {
        return of(kind).takeUnwritten(limit);
    }

    /** A segment could not be written. */
    synchronized void unwritten(PolicyKind kind, long segment) {
        of(kind).unwritten(segment);
    }

    /** The store is empty. */
    synchronized void unwritten() {
        records.values().forEach(SwapSegments::allUnwritten);
    }

    /** Empty: the segment is to be deleted. */
    synchronized SortedMap<Long, SwapDetails> segment(PolicyKind kind, long segment) {
        return of(kind).segment(segment);
    }

    private SwapSegments of(PolicyKind kind) {
        return Objects.requireNonNull(records.get(kind));
    }

    private static PolicyStamp stamp(PolicyKind kind, Optional<PolicyIdentity> identity) {
        return identity.map(Swap::stamp).orElse(new PolicyStamp(kind, "none", "", "", 0, 0));
    }
}
