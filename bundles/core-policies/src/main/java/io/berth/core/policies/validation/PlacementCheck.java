package io.berth.core.policies.validation;

import io.berth.core.policies.cache.AdmittedEntries;
import io.berth.core.policies.cache.WorkerColumns;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Checks a placement against the state that it was made from, and names the first rule that it breaks: no worker gives
 * more than it has in any dimension, including new workers and their number; a minimum is placed whole or not at all;
 * a new worker is used; a later entry takes no room that an earlier one could have used ({@link PrecedenceCheck}).
 */
public final class PlacementCheck {

    /** Below this, a need times a count does not overflow. */
    private static final long SMALL = 1L << 32;

    /** Entries that are placed together: a minimum, or one entry. */
    record Item(int from, int to, boolean atom) {

        /** Slots that the plan does not place. */
        int missing(AdmittedEntries entries, PlacementResult plan) {
            int missing = 0;
            for (int entry = from; entry < to; entry++) {
                missing += entries.count(entry) - plan.placed(entry);
            }
            return missing;
        }

        /** The profile of all its slots, if there is only one. */
        OptionalInt onlyProfile(AdmittedEntries entries) {
            int profile = entries.profile(from);
            for (int entry = from + 1; entry < to; entry++) {
                if (entries.profile(entry) != profile) {
                    return OptionalInt.empty();
                }
            }
            return OptionalInt.of(profile);
        }
    }

    private final WorkerColumns workers;
    private final AdmittedEntries entries;
    private final PlacementResult plan;
    private final RemainingCapacity rest;
    private final int dimensions;

    private PlacementCheck(
            WorkerColumns workers, AdmittedEntries entries, PlacementResult plan, RemainingCapacity rest) {
        this.workers = workers;
        this.entries = entries;
        this.plan = plan;
        this.rest = rest;
        this.dimensions = workers.dimensions();
    }

    /** @param rest used during the check */
    public static Optional<String> violation(
            WorkerColumns workers, AdmittedEntries entries, PlacementResult plan, RemainingCapacity rest) {
        Optional<String> seen = plan.rules().violation();
        if (seen.isPresent()) {
            return seen;
        }
        rest.begin(workers, plan);
        PlacementCheck check = new PlacementCheck(workers, entries, plan, rest);
        List<Item> items = items(entries);
        return check.overAllocation()
                .or(() -> check.splitMinimum(items))
                .or(check::emptyNewWorker)
                .or(() -> new PrecedenceCheck(workers, entries, plan, rest, items).violation());
    }

    private Optional<String> overAllocation() {
        for (int run = 0; run < plan.runs(); run++) {
            int worker = plan.worker(run);
            int entry = plan.entry(run);
            int row = rest.row(worker);
            int count = plan.count(run);
            // Most slots take the same amount of any worker.
            long[] known = entries.known(entry);
            for (int dimension = 0; dimension < dimensions; dimension++) {
                long need = known.length == 0 ? plan.need(entry, worker, dimension) : known[dimension];
                if (need == 0) {
                    continue;
                }
                long left = rest.left(row, dimension);
                if (need < SMALL ? left < need * count : left / need < count) {
                    return Optional.of("places " + count + " slots of " + plan.named(entry) + " that take " + need + " "
                            + workers.dimension(dimension) + " each on " + named(worker) + ", which has " + left
                            + " left");
                }
                rest.add(row, dimension, -need * count);
            }
        }
        return Optional.empty();
    }

    private Optional<String> splitMinimum(List<Item> items) {
        for (Item item : items) {
            if (!item.atom()) {
                continue;
            }
            int placed = 0;
            int asked = 0;
            for (int entry = item.from(); entry < item.to(); entry++) {
                placed += plan.placed(entry);
                asked += entries.count(entry);
            }
            if (placed > 0 && placed < asked) {
                return Optional.of("places " + placed + " of the " + asked + " slots that are the minimum of job "
                        + entries.job(item.from()));
            }
        }
        return Optional.empty();
    }

    private Optional<String> emptyNewWorker() {
        if (plan.openedCount() == 0) {
            return Optional.empty();
        }
        BitSet used = new BitSet();
        for (int run = 0; run < plan.runs(); run++) {
            if (plan.worker(run) >= plan.firstNew()) {
                used.set(plan.worker(run) - plan.firstNew());
            }
        }
        return used.cardinality() == plan.openedCount()
                ? Optional.empty()
                : Optional.of("opens a worker of spec " + workers.specName(plan.openedSpec(used.nextClearBit(0)))
                        + " that takes nothing");
    }

    static List<Item> items(AdmittedEntries entries) {
        List<Item> items = new ArrayList<>(entries.size());
        int from = 0;
        while (from < entries.size()) {
            Item item = item(entries, from);
            items.add(item);
            from = item.to();
        }
        return items;
    }

    /** Minimums of which slots are missing in the plan. */
    static List<Item> missingMinimums(AdmittedEntries entries, PlacementResult plan) {
        List<Item> missing = new ArrayList<>();
        int from = 0;
        while (from < entries.size()) {
            if (entries.atom(from) < 0) {
                from++;
                continue;
            }
            Item item = item(entries, from);
            if (item.missing(entries, plan) > 0) {
                missing.add(item);
            }
            from = item.to();
        }
        return missing;
    }

    private static Item item(AdmittedEntries entries, int from) {
        int atom = entries.atom(from);
        int to = from + 1;
        while (atom >= 0 && to < entries.size() && entries.atom(to) == atom) {
            to++;
        }
        return new Item(from, to, atom >= 0);
    }

    private String named(int worker) {
        return worker >= plan.firstNew()
                ? "a new worker of spec " + workers.specName(plan.openedSpec(worker - plan.firstNew()))
                : "worker " + workers.name(worker);
    }
}
