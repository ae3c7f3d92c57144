package io.berth.matching.galeshapley;

import io.berth.matching.galeshapley.GaleShapleyFactory.Weights;
import io.berth.policy.support.ByUtilization;
import io.berth.policy.support.SlotPlacement;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Matches rank by rank, and within a rank the slots of one size after the other, the largest first: all workers prefer
 * smaller ranks, then larger slots. So what an earlier step placed is never given up for a later one, and the whole is
 * stable because each step is.
 */
final class GaleShapleySession implements PlacementSession {

    private final WorkersView workers;
    private final Weights weights;
    private final long maxPairs;
    /** For calls that are not matched. */
    private final SlotPlacement placement;

    GaleShapleySession(WorkersView workers, Weights weights, long maxPairs) {
        this.workers = workers;
        this.weights = weights;
        this.maxPairs = maxPairs;
        placement = new SlotPlacement(workers, ByUtilization.leastFirst());
    }

    @Override
    public void delta(int[] changed) {
        placement.delta(changed);
    }

    @Override
    public void place(AdmittedView admitted, PlacementBuilder plan) {
        if (!isMatched(admitted)) {
            placement.place(admitted, plan);
            return;
        }
        new Call(admitted, plan).place();
    }

    private boolean isMatched(AdmittedView admitted) {
        if ((long) admitted.size() * workers.limit() > maxPairs) {
            return false;
        }
        for (int entry = 0; entry < admitted.size(); entry++) {
            if (admitted.amount(entry, 0) < 0 || admitted.spread(entry).isPresent()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        // Nothing to release.
    }

    private final class Call implements StableMatching.Preferences {

        private final AdmittedView admitted;
        private final PlacementBuilder plan;
        private final Room room;
        private final double[] cheapness;
        /** By worker, when the rank begins. */
        private final double[] used;

        private Call(AdmittedView admitted, PlacementBuilder plan) {
            this.admitted = admitted;
            this.plan = plan;
            room = new Room(workers, admitted);
            cheapness = cheapness();
            used = new double[room.limit()];
        }

        private double[] cheapness() {
            double[] cost = new double[room.limit()];
            double least = Double.POSITIVE_INFINITY;
            double most = 0;
            for (int worker = 0; worker < cost.length; worker++) {
                if (workers.present(worker)) {
                    cost[worker] = workers.costPerHour(worker);
                    least = Math.min(least, cost[worker]);
                    most = Math.max(most, cost[worker]);
                }
            }
            double range = most - least;
            for (int worker = 0; worker < cost.length; worker++) {
                cost[worker] = range > 0 ? (most - cost[worker]) / range : 0;
            }
            return cost;
        }

        private void place() {
            int from = 0;
            while (from < admitted.size()) {
                int to = from + 1;
                while (to < admitted.size() && admitted.rank(to) == admitted.rank(from)) {
                    to++;
                }
                placeRank(from, to);
                from = to;
            }
        }

        /** A gang of which a slot finds no room is left out, and the others of the rank are matched again. */
        private void placeRank(int from, int to) {
            for (int worker = 0; worker < used.length; worker++) {
                used[worker] = workers.present(worker) ? room.used(worker) : 0;
            }
            BitSet leftOut = new BitSet();
            while (true) {
                int[] missing = new int[to - from];
                for (List<Integer> equal : bySize(from, to, leftOut)) {
                    match(equal, from, missing);
                }
                int failed = lastIncompleteGang(from, to, missing);
                if (failed < 0) {
                    room.emit(plan);
                    explain(from, to, missing);
                    return;
                }
                plan.unplaced(failed, reason(failed, missing[failed - from]));
                room.undo();
                for (int entry = from; entry < to; entry++) {
                    if (admitted.gang(entry) == admitted.gang(failed)) {
                        leftOut.set(entry);
                    }
                }
            }
        }

        private int lastIncompleteGang(int from, int to, int[] missing) {
            for (int entry = to - 1; entry >= from; entry--) {
                if (admitted.gang(entry) >= 0 && missing[entry - from] > 0) {
                    return entry;
                }
            }
            return -1;
        }

        private void explain(int from, int to, int[] missing) {
            for (int entry = from; entry < to; entry++) {
                if (admitted.gang(entry) < 0 && missing[entry - from] > 0) {
                    plan.unplaced(entry, reason(entry, missing[entry - from]));
                }
            }
        }

        private String reason(int entry, int missing) {
            return missing + " slots find no worker: " + room.shortage(entry)
                    + (workers.specs() == 0 ? "" : ", and no new worker may be started that fits");
        }

        /** Entries whose slots take the same amounts, the largest slots first. */
        private List<List<Integer>> bySize(int from, int to, BitSet without) {
            List<List<Integer>> sizes = new ArrayList<>();
            for (int entry = from; entry < to; entry++) {
                if (without.get(entry)) {
                    continue;
                }
                int of = entry;
                sizes.stream()
                        .filter(equal -> takesAs(equal.get(0), of))
                        .findFirst()
                        .orElseGet(() -> {
                            List<Integer> added = new ArrayList<>();
                            sizes.add(added);
                            return added;
                        })
                        .add(entry);
            }
            double[] largest = largest();
            sizes.sort((one, other) -> Double.compare(size(other.get(0), largest), size(one.get(0), largest)));
            return sizes;
        }

        private boolean takesAs(int one, int other) {
            for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
                if (admitted.amount(one, dimension) != admitted.amount(other, dimension)) {
                    return false;
                }
            }
            return true;
        }

        private double[] largest() {
            double[] largest = new double[workers.dimensions()];
            for (int worker = 0; worker < room.limit(); worker++) {
                for (int dimension = 0; dimension < largest.length && workers.present(worker); dimension++) {
                    largest[dimension] = Math.max(largest[dimension], workers.total(worker, dimension));
                }
            }
            return largest;
        }

        private double size(int entry, double[] largest) {
            double size = 0;
            for (int dimension = 0; dimension < largest.length; dimension++) {
                size = largest[dimension] > 0
                        ? Math.max(size, admitted.amount(entry, dimension) / largest[dimension])
                        : size;
            }
            return size;
        }

        private void match(List<Integer> equal, int from, int[] missing) {
            int[] entries = equal.stream().mapToInt(Integer::intValue).toArray();
            int[] counts = new int[entries.length];
            int[][] wishes = new int[entries.length][];
            int[] capacity = new int[room.limit()];
            long all = 0;
            for (int entry : entries) {
                all += admitted.count(entry);
            }
            int most = (int) Math.min(all, Integer.MAX_VALUE);
            for (int worker = 0; worker < capacity.length; worker++) {
                if (workers.present(worker) && !workers.pending(worker)) {
                    capacity[worker] = room.fitting(entries[0], worker, most);
                }
            }
            for (int nth = 0; nth < entries.length; nth++) {
                counts[nth] = admitted.count(entries[nth]);
                wishes[nth] = wishes(entries[nth], capacity);
            }
            StableMatching matching =
                    new StableMatching(entries, counts, wishes, room.limit(), worker -> capacity[worker], this);
            matching.tell((worker, entry, count) -> room.take(entry, worker, count));
            for (int nth = 0; nth < entries.length; nth++) {
                missing[entries[nth] - from] = room.takeElsewhere(entries[nth], matching.left(nth));
            }
        }

        private int[] wishes(int entry, int[] capacity) {
            int[] wishes = new int[capacity.length];
            int size = 0;
            for (int worker = 0; worker < capacity.length; worker++) {
                if (capacity[worker] > 0 && admitted.feasible(entry, worker)) {
                    wishes[size++] = worker;
                }
            }
            return Arrays.copyOf(wishes, size);
        }

        @Override
        public double ofSlot(int entry, int worker) {
            return weights.state() * (admitted.ranOn(entry, worker) ? 1 : 0)
                    + weights.labels() * admitted.preference(entry, worker)
                    + weights.cost() * cheapness[worker]
                    + weights.packing() * used[worker];
        }

        @Override
        public double ofWorker(int worker, int entry) {
            return weights.priority() * admitted.priority(entry)
                    + weights.moved() * (admitted.ranOn(entry, worker) ? 1 : 0);
        }
    }
}
