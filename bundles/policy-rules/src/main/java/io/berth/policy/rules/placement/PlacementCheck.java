package io.berth.policy.rules.placement;

import io.berth.spi.matching.PlacementBuilder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Checks a placement against the state that it was made from, and names the first rule that it breaks: slots are only
 * on workers that their constraints allow; no worker gives
 * more than it has in any dimension, including new workers and their number; a minimum is placed whole or not at all;
 * slots are spread over labels as their groups require ({@link SpreadCheck});
 * a new worker is used; a later entry takes no room that an earlier one could have used ({@link PrecedenceCheck}).
 */
public final class PlacementCheck {

    /** Entries that are placed together: a minimum, or one entry. */
    record Item(int from, int to, boolean gang) {

        /**
         * Slots that the plan does not place although room decides; none if slots are to be spread, since then room
         * alone does not decide.
         */
        int missing(CheckedEntries entries, PlacementResult plan) {
            if (spread(entries)) {
                return 0;
            }
            int missing = 0;
            for (int entry = from; entry < to; entry++) {
                missing += entries.count(entry) - plan.placed(entry);
            }
            return missing;
        }

        /** Whether slots of it are to be spread. */
        boolean spread(CheckedEntries entries) {
            for (int entry = from; entry < to; entry++) {
                if (entries.spreadIndex(entry) >= 0) {
                    return true;
                }
            }
            return false;
        }

        /** Whether the strategy leaves it out on purpose. */
        boolean onPurpose(PlacementResult plan) {
            for (int entry = from; entry < to; entry++) {
                if (plan.onPurpose(entry)) {
                    return true;
                }
            }
            return false;
        }

        /** Whether the strategy only found no room for it: the host tries its own first fit. */
        boolean foundNoRoom(PlacementResult plan) {
            boolean found = false;
            for (int entry = from; entry < to; entry++) {
                found |= plan.foundNoRoom(entry);
            }
            return found && !onPurpose(plan);
        }

        /** What decides where its slots fit, if it is the same for all of them. */
        OptionalInt onlyKind(PlacementResult plan) {
            int kind = plan.kind(from);
            for (int entry = from + 1; entry < to; entry++) {
                if (plan.kind(entry) != kind) {
                    return OptionalInt.empty();
                }
            }
            return OptionalInt.of(kind);
        }
    }

    private final CheckedWorkers workers;
    private final CheckedEntries entries;
    private final PlacementResult plan;
    private final RemainingCapacity rest;
    private final int dimensions;

    private PlacementCheck(
            CheckedWorkers workers, CheckedEntries entries, PlacementResult plan, RemainingCapacity rest) {
        this.workers = workers;
        this.entries = entries;
        this.plan = plan;
        this.rest = rest;
        this.dimensions = workers.dimensions();
    }

    /** @param rest used during the check */
    public static Optional<String> violation(
            CheckedWorkers workers, CheckedEntries entries, PlacementResult plan, RemainingCapacity rest) {
        Optional<String> seen = plan.rules().violation();
        if (seen.isPresent()) {
            return seen;
        }
        if (plan.exclusions() > PlacementBuilder.MAX_EXCLUSIONS) {
            return Optional.of("excludes workers and specs in " + plan.exclusions() + " different ways: at most "
                    + PlacementBuilder.MAX_EXCLUSIONS + " are allowed");
        }
        rest.begin(workers, plan);
        PlacementCheck check = new PlacementCheck(workers, entries, plan, rest);
        List<Item> items = items(entries);
        return check.infeasible()
                .or(check::overAllocation)
                .or(() -> check.splitMinimum(items))
                .or(() -> SpreadCheck.violation(workers, entries, plan))
                .or(check::emptyNewWorker)
                .or(() -> new PrecedenceCheck(workers, entries, plan, rest, items).violation());
    }

    private Optional<String> infeasible() {
        if (!entries.constrained() && !plan.anyExclusions()) {
            return Optional.empty();
        }
        for (int run = 0; run < plan.runs(); run++) {
            if (!plan.feasible(plan.kind(plan.entry(run)), plan.worker(run))) {
                return Optional.of(infeasible("places", plan.entry(run), plan.worker(run)));
            }
        }
        Reservations reserved = plan.reservations();
        for (int nth = 0; nth < reserved.size(); nth++) {
            if (!plan.feasible(plan.kind(reserved.entry(nth)), reserved.worker(nth))) {
                return Optional.of(infeasible("reserves room for", reserved.entry(nth), reserved.worker(nth)));
            }
        }
        return Optional.empty();
    }

    private String infeasible(String what, int entry, int worker) {
        String why = worker < plan.firstNew()
                ? entries.obstacle(entry, worker)
                : plan.excludesSpec(plan.kind(entry), plan.openedSpec(worker - plan.firstNew()))
                        ? ""
                        : "the labels and taints of its spec do not fit the constraints";
        if (why.isEmpty()) {
            why = "the same result excludes it";
        }
        return what + " slots of " + plan.named(entry) + " on " + named(worker) + ", where they may not be: " + why;
    }

    private Optional<String> overAllocation() {
        for (int run = 0; run < plan.runs(); run++) {
            int dimension = take(plan.entry(run), plan.worker(run), plan.count(run));
            if (dimension >= 0) {
                return Optional.of(tooLittle("places", plan.entry(run), plan.worker(run), plan.count(run), dimension));
            }
        }
        Reservations reserved = plan.reservations();
        for (int nth = 0; nth < reserved.size(); nth++) {
            int entry = reserved.entry(nth);
            int dimension = take(entry, reserved.worker(nth), reserved.count(nth));
            if (dimension >= 0) {
                return Optional.of(
                        tooLittle("reserves room for", entry, reserved.worker(nth), reserved.count(nth), dimension));
            }
        }
        return Optional.empty();
    }

    /** Returns the first dimension of which the worker has too little left; -1 when there is none. */
    private int take(int entry, int worker, int count) {
        // Most slots take the same amount of any worker.
        long[] needs = entries.known(entry);
        if (needs.length == 0) {
            needs = new long[dimensions];
            for (int dimension = 0; dimension < dimensions; dimension++) {
                needs[dimension] = plan.need(entry, worker, dimension);
            }
        }
        return rest.take(worker, needs, count);
    }

    private String tooLittle(String what, int entry, int worker, int count, int dimension) {
        return what + " " + count + " slots of " + plan.named(entry) + " that take "
                + plan.need(entry, worker, dimension) + " " + workers.dimension(dimension) + " each on "
                + named(worker) + ", which has " + rest.left(rest.row(worker), dimension) + " left";
    }

    private Optional<String> splitMinimum(List<Item> items) {
        for (Item item : items) {
            if (!item.gang()) {
                continue;
            }
            int placed = 0;
            int asked = 0;
            for (int entry = item.from(); entry < item.to(); entry++) {
                placed += plan.placed(entry);
                asked += entries.count(entry);
            }
            if (placed > 0 && reserved(item)) {
                return Optional.of("reserves room for the minimum of job " + entries.job(item.from())
                        + ", of which it places slots");
            }
            if (placed > 0 && placed < asked) {
                return Optional.of("places " + placed + " of the " + asked + " slots that are the minimum of job "
                        + entries.job(item.from()));
            }
        }
        return Optional.empty();
    }

    private boolean reserved(Item item) {
        for (int entry = item.from(); entry < item.to(); entry++) {
            if (plan.reserved(entry) > 0) {
                return true;
            }
        }
        return false;
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
                : Optional.of("opens a worker of spec " + workers.kind(plan.openedSpec(used.nextClearBit(0)))
                        + " that takes nothing");
    }

    static List<Item> items(CheckedEntries entries) {
        List<Item> items = new ArrayList<>(entries.size());
        int from = 0;
        while (from < entries.size()) {
            Item item = item(entries, from);
            items.add(item);
            from = item.to();
        }
        return items;
    }

    /** Minimums that the plan does not place, in order of precedence. */
    static List<Item> missingMinimums(CheckedEntries entries, PlacementResult plan) {
        List<Item> missing = new ArrayList<>();
        int from = 0;
        while (from < entries.size()) {
            if (entries.gang(from) < 0) {
                from++;
                continue;
            }
            Item item = item(entries, from);
            for (int entry = from; entry < item.to(); entry++) {
                if (plan.placed(entry) < entries.count(entry)) {
                    missing.add(item);
                    break;
                }
            }
            from = item.to();
        }
        return missing;
    }

    private static Item item(CheckedEntries entries, int from) {
        int gang = entries.gang(from);
        int to = from + 1;
        while (gang >= 0 && to < entries.size() && entries.gang(to) == gang) {
            to++;
        }
        return new Item(from, to, gang >= 0);
    }

    private String named(int worker) {
        return worker >= plan.firstNew()
                ? "a new worker of spec " + workers.kind(plan.openedSpec(worker - plan.firstNew()))
                : "worker " + workers.name(worker);
    }
}
