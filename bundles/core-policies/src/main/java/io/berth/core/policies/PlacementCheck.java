package io.berth.core.policies;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Checks a placement against the mirror that it was made from, and names the first rule that it breaks: no worker gives
 * more than it has in any dimension, new workers and their number included; a minimum is placed whole or not at all; a
 * new worker takes something; a later entry takes no room that an earlier one could have used. The last is checked by
 * taking the later placements away: then an earlier entry that was left out must not fit either. For a minimum of
 * several profiles, "fits" means that the first fit which {@link io.berth.spi.matching.PlacementSession#place} defines
 * finds room.
 */
final class PlacementCheck {

    /** Entries that stand or fall together: an atom, or one entry. */
    private record Item(int from, int to, boolean atom) {}

    private final WorkerColumns workers;
    private final AdmittedEntries entries;
    private final PlacementResult plan;
    private final int dimensions;
    /** What is left of the workers that the plan uses, by index. */
    private final Map<Integer, long[]> rest = new HashMap<>();
    /** Workers that are there, then pending ones, each by index. */
    private int[] order = {};

    private PlacementCheck(WorkerColumns workers, AdmittedEntries entries, PlacementResult plan) {
        this.workers = workers;
        this.entries = entries;
        this.plan = plan;
        this.dimensions = workers.dimensions();
    }

    private IntStream present(boolean pending) {
        return IntStream.range(0, plan.firstNew())
                .filter(worker -> workers.present(worker) && workers.pending(worker) == pending);
    }

    static Optional<String> violation(WorkerColumns workers, AdmittedEntries entries, PlacementResult plan) {
        Optional<String> seen = plan.rules().violation();
        if (seen.isPresent()) {
            return seen;
        }
        PlacementCheck check = new PlacementCheck(workers, entries, plan);
        return check.overAllocation()
                .or(check::splitMinimum)
                .or(check::emptyNewWorker)
                .or(check::precedence);
    }

    private Optional<String> overAllocation() {
        for (int run = 0; run < plan.runs(); run++) {
            int worker = plan.worker(run);
            int profile = entries.profile(plan.entry(run));
            long[] left = rest.computeIfAbsent(worker, this::free);
            for (int dimension = 0; dimension < dimensions; dimension++) {
                long need = need(profile, worker, dimension);
                if (need > 0 && left[dimension] / need < plan.count(run)) {
                    return Optional.of("places " + plan.count(run) + " slots of " + plan.named(plan.entry(run))
                            + " that take " + need + " " + workers.dimension(dimension) + " each on "
                            + named(worker) + ", which has " + left[dimension] + " left");
                }
                left[dimension] -= need * plan.count(run);
            }
        }
        return Optional.empty();
    }

    private Optional<String> splitMinimum() {
        for (Item item : items()) {
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
        BitSet used = new BitSet();
        for (int run = 0; run < plan.runs(); run++) {
            if (plan.worker(run) >= plan.firstNew()) {
                used.set(plan.worker(run) - plan.firstNew());
            }
        }
        return used.cardinality() == plan.openedCount()
                ? Optional.empty()
                : Optional.of("opens a worker of spec "
                        + workers.specName(plan.openedSpec(used.nextClearBit(0))) + " that takes nothing");
    }

    private Optional<String> precedence() {
        List<Item> items = items();
        int lastPlaced = -1;
        for (int index = 0; index < items.size(); index++) {
            if (placed(items.get(index))) {
                lastPlaced = index;
            }
        }
        BitSet tracked = new BitSet();
        boolean anySeveral = false;
        for (int index = 0; index < lastPlaced; index++) {
            Item item = items.get(index);
            if (missing(item) > 0) {
                OptionalInt profile = onlyProfile(item);
                profile.ifPresent(tracked::set);
                anySeveral |= profile.isEmpty();
            }
        }
        if (tracked.isEmpty() && !anySeveral) {
            return Optional.empty();
        }
        if (anySeveral) {
            order = IntStream.concat(present(false), present(true)).toArray();
        }
        long[] fitsNow = new long[entries.profiles()];
        tracked.stream().forEach(profile -> fitsNow[profile] = room(profile));
        long[] fitsAtEnd = fitsNow.clone();
        Map<Integer, long[]> restAtEnd = copy(rest);
        List<List<Integer>> runsOf = runsByEntry();
        BitSet openedAtEnd = new BitSet();
        openedAtEnd.set(0, plan.openedCount());
        BitSet openedBefore = openedAtEnd.get(0, plan.openedCount());
        int[] slotsOnNew = slotsOnNew();
        for (int index = lastPlaced; index >= 0; index--) {
            Item item = items.get(index);
            int missing = missing(item);
            if (missing > 0 && index < lastPlaced) {
                OptionalInt profile = onlyProfile(item);
                int wanted = item.atom() ? missing : 1;
                boolean taken = profile.isPresent()
                        ? fitsNow[profile.getAsInt()] >= wanted && fitsAtEnd[profile.getAsInt()] < wanted
                        : fits(item, copy(rest), openedBefore) && !fits(item, copy(restAtEnd), openedAtEnd);
                if (taken) {
                    return Optional.of("gives room to later jobs that job " + entries.job(item.from())
                            + " could have used: " + missing + " x " + entries.profileOf(item.from())
                            + " of it were left out");
                }
            }
            takeAway(item, runsOf, tracked, fitsNow);
            closeUnused(item, runsOf, slotsOnNew, openedBefore);
        }
        return Optional.empty();
    }

    private int[] slotsOnNew() {
        int[] slots = new int[plan.openedCount()];
        for (int run = 0; run < plan.runs(); run++) {
            if (plan.worker(run) >= plan.firstNew()) {
                slots[plan.worker(run) - plan.firstNew()] += plan.count(run);
            }
        }
        return slots;
    }

    private void closeUnused(Item item, List<List<Integer>> runsOf, int[] slotsOnNew, BitSet opened) {
        for (int entry = item.from(); entry < item.to(); entry++) {
            for (int run : runsOf.get(entry)) {
                int nth = plan.worker(run) - plan.firstNew();
                if (nth >= 0) {
                    slotsOnNew[nth] -= plan.count(run);
                    opened.set(nth, slotsOnNew[nth] > 0);
                }
            }
        }
    }

    private void takeAway(Item item, List<List<Integer>> runsOf, BitSet tracked, long[] fits) {
        for (int entry = item.from(); entry < item.to(); entry++) {
            for (int run : runsOf.get(entry)) {
                int worker = plan.worker(run);
                long[] left = rest.get(worker);
                tracked.stream().forEach(profile -> fits[profile] -= quotient(profile, worker, left));
                for (int dimension = 0; dimension < dimensions; dimension++) {
                    left[dimension] += need(entries.profile(entry), worker, dimension) * plan.count(run);
                }
                tracked.stream().forEach(profile -> fits[profile] += quotient(profile, worker, left));
            }
        }
    }

    private List<Item> items() {
        List<Item> items = new ArrayList<>();
        int entry = 0;
        while (entry < entries.size()) {
            int from = entry++;
            int atom = entries.atom(from);
            while (atom >= 0 && entry < entries.size() && entries.atom(entry) == atom) {
                entry++;
            }
            items.add(new Item(from, entry, atom >= 0));
        }
        return items;
    }

    private boolean placed(Item item) {
        for (int entry = item.from(); entry < item.to(); entry++) {
            if (plan.placed(entry) > 0) {
                return true;
            }
        }
        return false;
    }

    private int missing(Item item) {
        int missing = 0;
        for (int entry = item.from(); entry < item.to(); entry++) {
            missing += entries.count(entry) - plan.placed(entry);
        }
        return missing;
    }

    private OptionalInt onlyProfile(Item item) {
        int profile = entries.profile(item.from());
        for (int entry = item.from() + 1; entry < item.to(); entry++) {
            if (entries.profile(entry) != profile) {
                return OptionalInt.empty();
            }
        }
        return OptionalInt.of(profile);
    }

    private List<List<Integer>> runsByEntry() {
        List<List<Integer>> runsOf = new ArrayList<>();
        for (int entry = 0; entry < entries.size(); entry++) {
            runsOf.add(new ArrayList<>(1));
        }
        for (int run = 0; run < plan.runs(); run++) {
            runsOf.get(plan.entry(run)).add(run);
        }
        return runsOf;
    }

    /** How many slots of the profile fit at the end of the plan, on workers and on those that may still be started. */
    private long room(int profile) {
        long room = 0;
        for (int worker = 0; worker < plan.firstNew() + plan.openedCount(); worker++) {
            if (worker >= plan.firstNew() || workers.present(worker)) {
                room += quotient(profile, worker, left(worker, rest));
            }
        }
        for (int spec = 0; spec < workers.specs(); spec++) {
            int left = workers.specLeft(spec) - plan.openedOfSpec(spec);
            room += (long) left * quotientOnSpec(profile, spec);
        }
        return room;
    }

    /**
     * Whether the first fit of {@link io.berth.spi.matching.PlacementSession#place} finds room for the whole item;
     * {@code left} is used up. New workers that only later items use count as not opened.
     */
    private boolean fits(Item item, Map<Integer, long[]> left, BitSet opened) {
        int[] specsLeft = new int[workers.specs()];
        for (int spec = 0; spec < specsLeft.length; spec++) {
            specsLeft[spec] = workers.specLeft(spec);
        }
        opened.stream().forEach(nth -> specsLeft[plan.openedSpec(nth)]--);
        List<long[]> started = new ArrayList<>();
        List<Integer> startedSpec = new ArrayList<>();
        for (int entry = item.from(); entry < item.to(); entry++) {
            int profile = entries.profile(entry);
            long missing = entries.count(entry) - plan.placed(entry);
            for (int at = 0; at < order.length && missing > 0; at++) {
                missing -= takeOn(profile, order[at], left, missing);
            }
            for (int nth = opened.nextSetBit(0); nth >= 0 && missing > 0; nth = opened.nextSetBit(nth + 1)) {
                missing -= takeOn(profile, plan.firstNew() + nth, left, missing);
            }
            for (int nth = 0; nth < started.size() && missing > 0; nth++) {
                missing -= takeOnSpec(profile, startedSpec.get(nth), started.get(nth), missing);
            }
            for (int spec = smallestSpec(profile, specsLeft); spec >= 0 && missing > 0;
                    spec = smallestSpec(profile, specsLeft)) {
                long[] amounts = new long[dimensions];
                for (int dimension = 0; dimension < dimensions; dimension++) {
                    amounts[dimension] = workers.specTotal(spec, dimension);
                }
                specsLeft[spec]--;
                started.add(amounts);
                startedSpec.add(spec);
                missing -= takeOnSpec(profile, spec, amounts, missing);
            }
            if (missing > 0) {
                return false;
            }
        }
        return true;
    }

    private long takeOn(int profile, int worker, Map<Integer, long[]> left, long most) {
        long count = Math.min(most, quotient(profile, worker, left(worker, left)));
        if (count > 0) {
            long[] amounts = left.computeIfAbsent(worker, this::free);
            for (int dimension = 0; dimension < dimensions; dimension++) {
                amounts[dimension] -= count * need(profile, worker, dimension);
            }
        }
        return count;
    }

    /** The smallest spec of which one slot fits, by the dimensions in their order; -1 when there is none. */
    private int smallestSpec(int profile, int[] specsLeft) {
        int best = -1;
        for (int spec = 0; spec < specsLeft.length; spec++) {
            if (specsLeft[spec] > 0 && quotientOnSpec(profile, spec) > 0 && (best < 0 || smaller(spec, best))) {
                best = spec;
            }
        }
        return best;
    }

    private boolean smaller(int spec, int other) {
        for (int dimension = 0; dimension < dimensions; dimension++) {
            int compared = Long.compare(workers.specTotal(spec, dimension), workers.specTotal(other, dimension));
            if (compared != 0) {
                return compared < 0;
            }
        }
        return false;
    }

    private long takeOnSpec(int profile, int spec, long[] amounts, long most) {
        long count = most;
        for (int dimension = 0; dimension < dimensions; dimension++) {
            long need = entries.needOfOnSpec(profile, spec, dimension);
            count = need > 0 ? Math.min(count, amounts[dimension] / need) : count;
        }
        for (int dimension = 0; dimension < dimensions; dimension++) {
            amounts[dimension] -= count * entries.needOfOnSpec(profile, spec, dimension);
        }
        return count;
    }

    private long quotient(int profile, int worker, long[] left) {
        long count = Integer.MAX_VALUE;
        for (int dimension = 0; dimension < dimensions; dimension++) {
            long need = need(profile, worker, dimension);
            count = need > 0 ? Math.min(count, left[dimension] / need) : count;
        }
        return count;
    }

    private long quotientOnSpec(int profile, int spec) {
        long count = Integer.MAX_VALUE;
        for (int dimension = 0; dimension < dimensions; dimension++) {
            long need = entries.needOfOnSpec(profile, spec, dimension);
            count = need > 0 ? Math.min(count, workers.specTotal(spec, dimension) / need) : count;
        }
        return count;
    }

    private long need(int profile, int worker, int dimension) {
        return worker >= plan.firstNew()
                ? entries.needOfOnSpec(profile, plan.openedSpec(worker - plan.firstNew()), dimension)
                : entries.needOf(profile, worker, dimension);
    }

    private long[] left(int worker, Map<Integer, long[]> of) {
        long[] amounts = of.get(worker);
        return amounts == null ? free(worker) : amounts;
    }

    private long[] free(int worker) {
        long[] amounts = new long[dimensions];
        for (int dimension = 0; dimension < dimensions; dimension++) {
            amounts[dimension] = worker >= plan.firstNew()
                    ? workers.specTotal(plan.openedSpec(worker - plan.firstNew()), dimension)
                    : workers.free(worker, dimension);
        }
        return amounts;
    }

    private String named(int worker) {
        return worker >= plan.firstNew()
                ? "a new worker of spec " + workers.specName(plan.openedSpec(worker - plan.firstNew()))
                : "worker " + workers.name(worker);
    }

    private static Map<Integer, long[]> copy(Map<Integer, long[]> amounts) {
        Map<Integer, long[]> copied = new HashMap<>();
        amounts.forEach((worker, left) -> copied.put(worker, left.clone()));
        return copied;
    }
}
