package io.berth.matching.spread;

import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Places slot by slot on the least utilised worker that has room: utilisation is the largest share of a dimension that
 * is used, ties go to the lower index. Registered workers come before pending ones, those before new ones; a new worker
 * is of the smallest spec that fits. Pending and new ones are filled one after the other, whatever they have taken: so
 * those that are not needed are given back. An atom of several profiles that finds no room this way is packed by first
 * fit.
 */
final class SpreadSession implements PlacementSession {

    private final WorkersView workers;

    SpreadSession(WorkersView workers) {
        this.workers = workers;
    }

    @Override
    public void delta(int[] changed) {
        // Keeps no index over calls.
    }

    @Override
    public void place(AdmittedView admitted, PlacementBuilder plan) {
        Call call = new Call(workers, admitted, plan);
        int entry = 0;
        while (entry < admitted.size()) {
            int next = entry + 1;
            int atom = admitted.atom(entry);
            while (atom >= 0 && next < admitted.size() && admitted.atom(next) == atom) {
                next++;
            }
            call.place(entry, next, atom >= 0);
            entry = next;
        }
    }

    @Override
    public void close() {
        // Holds nothing.
    }

    /** One placing call. Workers are numbered as in the view, new ones from its limit on. */
    private static final class Call {

        private static final double PENDING = 2;
        private static final double NEW = 3;

        private final WorkersView workers;
        private final AdmittedView admitted;
        private final PlacementBuilder plan;
        private final int dimensions;
        private final int limit;
        private long[][] left;
        /** Utilisation of a registered worker, from 0 to 1; above that {@link #PENDING} and {@link #NEW}. */
        private double[] key;
        private final List<Integer> newSpec = new ArrayList<>();
        private final List<Integer> newIndex = new ArrayList<>();
        private final int[] specLeft;
        /** For each profile the workers that may have room, least utilised first. */
        private final List<Queue> queues = new ArrayList<>();

        private Call(WorkersView workers, AdmittedView admitted, PlacementBuilder plan) {
            this.workers = workers;
            this.admitted = admitted;
            this.plan = plan;
            this.dimensions = workers.dimensions();
            this.limit = workers.limit();
            this.left = new long[limit + 4][];
            this.key = new double[limit + 4];
            this.specLeft = new int[workers.specs()];
            for (int spec = 0; spec < specLeft.length; spec++) {
                specLeft[spec] = workers.specLeft(spec);
            }
            for (int worker = 0; worker < limit; worker++) {
                if (workers.present(worker)) {
                    left[worker] = new long[dimensions];
                    for (int dimension = 0; dimension < dimensions; dimension++) {
                        left[worker][dimension] = workers.free(worker, dimension);
                    }
                    key[worker] = keyOf(worker);
                }
            }
        }

        private void place(int from, int to, boolean whole) {
            int newsBefore = newSpec.size();
            List<int[]> slots = new ArrayList<>();
            for (int entry = from; entry < to; entry++) {
                int missing = admitted.count(entry);
                while (missing > 0) {
                    int worker = next(entry);
                    if (worker < 0) {
                        break;
                    }
                    take(entry, worker, 1);
                    slots.add(new int[] {entry, worker});
                    missing--;
                }
                if (missing > 0) {
                    if (whole) {
                        String reason = shortage(entry, missing);
                        rollBack(slots, newsBefore);
                        if (!severalProfiles(from, to) || !placeByFirstFit(from, to)) {
                            plan.unplaced(entry, reason);
                        }
                        return;
                    }
                    emit(slots, newsBefore);
                    plan.unplaced(entry, shortage(entry, missing));
                    return;
                }
            }
            emit(slots, newsBefore);
        }

        private boolean severalProfiles(int from, int to) {
            for (int entry = from + 1; entry < to; entry++) {
                if (admitted.profile(entry) != admitted.profile(from)) {
                    return true;
                }
            }
            return false;
        }

        /** As {@link PlacementSession#place} defines it: spreading small slots may leave no room for large ones. */
        private boolean placeByFirstFit(int from, int to) {
            int newsBefore = newSpec.size();
            List<int[]> slots = new ArrayList<>();
            for (int entry = from; entry < to; entry++) {
                int missing = admitted.count(entry);
                for (int pass = 0; pass < 3; pass++) {
                    int first = pass == 2 ? limit : 0;
                    int end = pass == 2 ? limit + newSpec.size() : limit;
                    for (int worker = first; worker < end && missing > 0; worker++) {
                        if (left[worker] != null && (pass == 2 || workers.pending(worker) == (pass == 1))) {
                            missing = fill(entry, worker, missing, slots);
                        }
                    }
                }
                while (missing > 0) {
                    int spec = smallestSpec(entry);
                    if (spec < 0) {
                        rollBack(slots, newsBefore);
                        return false;
                    }
                    missing = fill(entry, startNew(spec), missing, slots);
                }
            }
            emit(slots, newsBefore);
            return true;
        }

        private int fill(int entry, int worker, int missing, List<int[]> slots) {
            int still = missing;
            while (still > 0 && fits(entry, worker)) {
                take(entry, worker, 1);
                slots.add(new int[] {entry, worker});
                still--;
            }
            return still;
        }

        /** The worker that the next slot goes to, a new one if need be; -1 when there is none. */
        private int next(int entry) {
            int profile = admitted.profile(entry);
            while (queues.size() <= profile) {
                queues.add(null);
            }
            Queue queue = queues.get(profile);
            if (queue == null) {
                queue = new Queue(limit + newSpec.size());
                for (int worker = 0; worker < limit + newSpec.size(); worker++) {
                    if (left[worker] != null && fits(entry, worker)) {
                        queue.add(worker, key[worker]);
                    }
                }
                queues.set(profile, queue);
            }
            while (!queue.isEmpty()) {
                int worker = queue.worker();
                double seen = queue.key();
                if (!fits(entry, worker)) {
                    queue.remove();
                } else if (seen < key[worker]) {
                    // Took slots of another profile since it was queued: keys only grow within a call.
                    queue.remove();
                    queue.add(worker, key[worker]);
                } else {
                    return worker;
                }
            }
            int spec = smallestSpec(entry);
            return spec < 0 ? -1 : startNew(spec);
        }

        private int startNew(int spec) {
            int worker = limit + newSpec.size();
            if (worker >= left.length) {
                left = Arrays.copyOf(left, left.length * 2);
                key = Arrays.copyOf(key, key.length * 2);
            }
            newSpec.add(spec);
            specLeft[spec]--;
            left[worker] = new long[dimensions];
            for (int dimension = 0; dimension < dimensions; dimension++) {
                left[worker][dimension] = workers.specTotal(spec, dimension);
            }
            key[worker] = keyOf(worker);
            for (Queue queue : queues) {
                if (queue != null) {
                    queue.add(worker, key[worker]);
                }
            }
            return worker;
        }

        private boolean fits(int entry, int worker) {
            for (int dimension = 0; dimension < dimensions; dimension++) {
                if (left[worker][dimension] < need(entry, worker, dimension)) {
                    return false;
                }
            }
            return true;
        }

        private void take(int entry, int worker, int sign) {
            for (int dimension = 0; dimension < dimensions; dimension++) {
                left[worker][dimension] -= sign * need(entry, worker, dimension);
            }
            key[worker] = keyOf(worker);
        }

        private double keyOf(int worker) {
            if (worker >= limit) {
                return NEW;
            }
            if (workers.pending(worker)) {
                return PENDING;
            }
            double utilisation = 0;
            for (int dimension = 0; dimension < dimensions; dimension++) {
                long total = workers.total(worker, dimension);
                if (total > 0) {
                    utilisation = Math.max(utilisation, (double) (total - left[worker][dimension]) / total);
                }
            }
            return utilisation;
        }

        private void rollBack(List<int[]> slots, int newsBefore) {
            for (int[] slot : slots) {
                take(slot[0], slot[1], -1);
            }
            while (newSpec.size() > newsBefore) {
                int worker = limit + newSpec.size() - 1;
                specLeft[newSpec.remove(newSpec.size() - 1)]++;
                left[worker] = null;
            }
            // Workers have more room than when they were put aside.
            queues.clear();
        }

        private void emit(List<int[]> slots, int newsBefore) {
            for (int nth = newsBefore; nth < newSpec.size(); nth++) {
                newIndex.add(plan.open(newSpec.get(nth)));
            }
            Map<Integer, Map<Integer, Integer>> runs = new TreeMap<>();
            for (int[] slot : slots) {
                runs.computeIfAbsent(slot[0], entry -> new TreeMap<>()).merge(slot[1], 1, Integer::sum);
            }
            runs.forEach((entry, byWorker) -> byWorker.forEach((worker, count) ->
                    plan.place(entry, worker < limit ? worker : newIndex.get(worker - limit), count)));
        }

        /** The smallest spec of which one slot fits: by the dimensions in their order. */
        private int smallestSpec(int entry) {
            int best = -1;
            for (int spec = 0; spec < specLeft.length; spec++) {
                if (specLeft[spec] > 0 && fitsOnSpec(entry, spec) && (best < 0 || smaller(spec, best))) {
                    best = spec;
                }
            }
            return best;
        }

        private boolean fitsOnSpec(int entry, int spec) {
            for (int dimension = 0; dimension < dimensions; dimension++) {
                if (admitted.needOnSpec(entry, spec, dimension) > workers.specTotal(spec, dimension)) {
                    return false;
                }
            }
            return true;
        }

        private boolean smaller(int spec, int other) {
            for (int dimension = 0; dimension < dimensions; dimension++) {
                int order = Long.compare(workers.specTotal(spec, dimension), workers.specTotal(other, dimension));
                if (order != 0) {
                    return order < 0;
                }
            }
            return false;
        }

        private long need(int entry, int worker, int dimension) {
            return worker < limit
                    ? admitted.need(entry, worker, dimension)
                    : admitted.needOnSpec(entry, newSpec.get(worker - limit), dimension);
        }

        /** Names the dimension that most workers are short of. */
        private String shortage(int entry, int missing) {
            int[] without = new int[dimensions];
            int all = 0;
            for (int worker = 0; worker < limit + newSpec.size(); worker++) {
                if (left[worker] == null) {
                    continue;
                }
                all++;
                for (int dimension = 0; dimension < dimensions; dimension++) {
                    if (left[worker][dimension] < need(entry, worker, dimension)) {
                        without[dimension]++;
                    }
                }
            }
            int worst = 0;
            for (int dimension = 1; dimension < dimensions; dimension++) {
                worst = without[dimension] > without[worst] ? dimension : worst;
            }
            return missing + " slots find no worker: "
                    + (all == 0
                            ? "there is no worker"
                            : without[worst] + " of " + all + " workers have too little " + workers.dimension(worst))
                    + (specLeft.length == 0 ? "" : ", and no new worker may be started that fits");
        }
    }

    /** A binary heap of workers by key and then index, over arrays. */
    private static final class Queue {

        private int[] workers;
        private double[] keys;
        private int size;

        private Queue(int capacity) {
            workers = new int[Math.max(4, capacity)];
            keys = new double[workers.length];
        }

        private boolean isEmpty() {
            return size == 0;
        }

        private int worker() {
            return workers[0];
        }

        private double key() {
            return keys[0];
        }

        private void add(int worker, double key) {
            if (size == workers.length) {
                workers = Arrays.copyOf(workers, size * 2);
                keys = Arrays.copyOf(keys, size * 2);
            }
            int at = size++;
            while (at > 0 && less(key, worker, keys[(at - 1) / 2], workers[(at - 1) / 2])) {
                workers[at] = workers[(at - 1) / 2];
                keys[at] = keys[(at - 1) / 2];
                at = (at - 1) / 2;
            }
            workers[at] = worker;
            keys[at] = key;
        }

        private void remove() {
            size--;
            int worker = workers[size];
            double key = keys[size];
            int at = 0;
            while (2 * at + 1 < size) {
                int child = 2 * at + 1;
                if (child + 1 < size && less(keys[child + 1], workers[child + 1], keys[child], workers[child])) {
                    child++;
                }
                if (!less(keys[child], workers[child], key, worker)) {
                    break;
                }
                workers[at] = workers[child];
                keys[at] = keys[child];
                at = child;
            }
            workers[at] = worker;
            keys[at] = key;
        }

        private static boolean less(double key, int worker, double otherKey, int otherWorker) {
            return key < otherKey || key == otherKey && worker < otherWorker;
        }
    }
}
