package io.berth.matching.galeshapley;

import io.berth.matching.galeshapley.GaleShapleyFactory.Weights;
import io.berth.policy.support.ByUtilization;
import io.berth.policy.support.SlotPlacement;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.util.ArrayList;
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
    /** Knows where slots fit, and places for calls that are not matched. */
    private final SlotPlacement placement;

    private final Room room;
    private final Extremes costs = new Extremes();
    /** By dimension, of what workers offer. */
    private final List<Extremes> totals = new ArrayList<>();

    GaleShapleySession(WorkersView workers, Weights weights, long maxPairs) {
        this.workers = workers;
        this.weights = weights;
        this.maxPairs = maxPairs;
        placement = new SlotPlacement(workers, ByUtilization.leastFirst());
        room = new Room(workers, placement);
        for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
            totals.add(new Extremes());
        }
        for (int worker = 0; worker < workers.limit(); worker++) {
            changed(worker);
        }
    }

    @Override
    public void delta(int[] changed) {
        placement.delta(changed);
        for (int worker : changed) {
            changed(worker);
        }
    }

    private void changed(int worker) {
        boolean present = workers.present(worker);
        if (present) {
            costs.put(worker, workers.costPerHour(worker));
        } else {
            costs.remove(worker);
        }
        for (int dimension = 0; dimension < totals.size(); dimension++) {
            if (present) {
                totals.get(dimension).put(worker, workers.total(worker, dimension));
            } else {
                totals.get(dimension).remove(worker);
            }
        }
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
        private final double mostCost = costs.most();
        private final double range = mostCost - costs.least();

        private Call(AdmittedView admitted, PlacementBuilder plan) {
            this.admitted = admitted;
            this.plan = plan;
            placement.look(admitted);
            room.begin(admitted);
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
            room.beginRank();
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
            return missing + " slots find no worker: " + room.shortage(entry, costs.size())
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
            sizes.sort((one, other) -> Double.compare(size(other.get(0)), size(one.get(0))));
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

        private double size(int entry) {
            double size = 0;
            for (int dimension = 0; dimension < totals.size(); dimension++) {
                double largest = totals.get(dimension).most();
                size = largest > 0 ? Math.max(size, admitted.amount(entry, dimension) / largest) : size;
            }
            return size;
        }

        private void match(List<Integer> equal, int from, int[] missing) {
            int[] entries = equal.stream().mapToInt(Integer::intValue).toArray();
            int[] counts = new int[entries.length];
            Wishes[] wishes = new Wishes[entries.length];
            long all = 0;
            for (int entry : entries) {
                all += admitted.count(entry);
            }
            int most = (int) Math.min(all, Integer.MAX_VALUE);
            for (int nth = 0; nth < entries.length; nth++) {
                counts[nth] = admitted.count(entries[nth]);
                wishes[nth] = wishes(entries[nth]);
            }
            StableMatching matching =
                    new StableMatching(entries, counts, wishes, worker -> room.fitting(entries[0], worker, most), this);
            matching.tell((worker, entry, count) -> room.take(entry, worker, count));
            for (int nth = 0; nth < entries.length; nth++) {
                missing[entries[nth] - from] = room.takeElsewhere(entries[nth], matching.left(nth));
            }
        }

        private Wishes wishes(int entry) {
            Wishes wishes = new Wishes();
            for (int worker = placement.fitting(entry, 0); worker >= 0; worker = placement.fitting(entry, worker + 1)) {
                if (room.fitting(entry, worker, 1) > 0) {
                    wishes.add(worker, likes(entry, worker));
                }
            }
            wishes.order();
            return wishes;
        }

        /** How much slots of the entry prefer the worker. */
        private double likes(int entry, int worker) {
            double cheap = range > 0 ? (mostCost - workers.costPerHour(worker)) / range : 0;
            return weights.state() * (admitted.ranOn(entry, worker) ? 1 : 0)
                    + weights.labels() * admitted.preference(entry, worker)
                    + weights.cost() * cheap
                    + weights.packing() * room.used(worker);
        }

        @Override
        public double ofWorker(int worker, int entry) {
            return weights.priority() * admitted.priority(entry)
                    + weights.moved() * (admitted.ranOn(entry, worker) ? 1 : 0);
        }
    }
}
