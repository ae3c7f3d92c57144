package io.berth.matching.galeshapley;

import io.berth.policy.support.ShortageCount;
import io.berth.policy.support.SlotPlacement;
import io.berth.policy.support.SpecCosts;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.WorkersView;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What is left of the workers in one call, new ones included, with a log by which steps are undone. A worker is read when
 * a call asks for it first.
 */
final class Room {

    private final WorkersView workers;
    private final SlotPlacement placement;
    private final int dimensions;

    @SuppressWarnings("NullAway.Init")
    private AdmittedView admitted;

    @SuppressWarnings("NullAway.Init")
    private SpecCosts costs;

    /** Indexes from here on belong to new workers. */
    private int limit;

    private int[] specLeft = new int[0];
    private long[] left = new long[0];
    /** By worker, the call that read it last. */
    private int[] readIn = new int[0];
    /** By worker, the rank as of which its used share is kept, and that share. */
    private int[] usedIn = new int[0];

    private double[] used = new double[0];
    /** By profile, of this call. */
    private final Map<Integer, String> shortages = new HashMap<>();

    private int call;
    private int rank;
    private int[] specOf = new int[4];
    private int[] indexInPlan = new int[4];
    private int opened;
    /** Entry, worker and count of each step. */
    private int[] log = new int[3 * 64];

    private int logged;
    private int emitted;
    private int emittedWorkers;

    /** @param placement knows where slots fit */
    Room(WorkersView workers, SlotPlacement placement) {
        this.workers = workers;
        this.placement = placement;
        dimensions = workers.dimensions();
    }

    void begin(AdmittedView entries) {
        admitted = entries;
        call++;
        rank++;
        costs = new SpecCosts(workers);
        limit = workers.limit();
        specLeft = new int[workers.specs()];
        Arrays.setAll(specLeft, workers::specLeft);
        opened = 0;
        emittedWorkers = 0;
        logged = 0;
        emitted = 0;
        shortages.clear();
        ensure(limit);
    }

    private void ensure(int count) {
        if (count > readIn.length) {
            int size = count + count / 2 + 4;
            left = Arrays.copyOf(left, size * dimensions);
            readIn = Arrays.copyOf(readIn, size);
            usedIn = Arrays.copyOf(usedIn, size);
            used = Arrays.copyOf(used, size);
        }
    }

    private void read(int worker) {
        if (readIn[worker] != call) {
            readIn[worker] = call;
            for (int dimension = 0; dimension < dimensions; dimension++) {
                left[worker * dimensions + dimension] = workers.free(worker, dimension);
            }
        }
    }

    /** A rank begins: {@link #used} is what is used now. */
    void beginRank() {
        rank++;
    }

    /** The largest used share of a dimension of a registered worker, as the rank began. */
    double used(int worker) {
        if (usedIn[worker] != rank) {
            usedIn[worker] = rank;
            read(worker);
            double most = 0;
            for (int dimension = 0; dimension < dimensions; dimension++) {
                long total = workers.total(worker, dimension);
                if (total > 0) {
                    most = Math.max(most, 1 - (double) left[worker * dimensions + dimension] / total);
                }
            }
            used[worker] = most;
        }
        return used[worker];
    }

    /** How many slots of the entry fit on the worker, at most the given number; 0 where constraints exclude it. */
    int capacity(int entry, int worker, int most) {
        boolean isNew = worker >= limit;
        if (isNew ? !admitted.feasibleOnSpec(entry, specOf[worker - limit]) : !admitted.feasible(entry, worker)) {
            return 0;
        }
        return fitting(entry, worker, most);
    }

    /** As {@link #capacity}, whatever the constraints. */
    int fitting(int entry, int worker, int most) {
        read(worker);
        long count = most;
        for (int dimension = 0; dimension < dimensions; dimension++) {
            long need = need(entry, worker, dimension);
            if (need > 0) {
                count = Math.min(count, left[worker * dimensions + dimension] / need);
            }
        }
        return (int) count;
    }

    private long need(int entry, int worker, int dimension) {
        return worker < limit
                ? admitted.need(entry, worker, dimension)
                : admitted.needOnSpec(entry, specOf[worker - limit], dimension);
    }

    void take(int entry, int worker, int count) {
        if (worker < limit) {
            used(worker);
        }
        if (logged + 3 > log.length) {
            log = Arrays.copyOf(log, log.length * 2);
        }
        log[logged++] = entry;
        log[logged++] = worker;
        log[logged++] = count;
        add(entry, worker, -count);
    }

    private void add(int entry, int worker, int count) {
        for (int dimension = 0; dimension < dimensions; dimension++) {
            left[worker * dimensions + dimension] += need(entry, worker, dimension) * count;
        }
    }

    /** Takes room on pending workers and then on new ones. Returns how many slots found none. */
    int takeElsewhere(int entry, int wanted) {
        int missing = wanted;
        int from = 0;
        while (missing > 0 && (from = placement.fittingPending(entry, from)) >= 0) {
            missing -= takeSome(entry, from, missing);
            from++;
        }
        for (int worker = limit; worker < limit + opened && missing > 0; worker++) {
            missing -= takeSome(entry, worker, missing);
        }
        while (missing > 0) {
            int worker = open(entry, missing);
            if (worker < 0) {
                return missing;
            }
            int count = capacity(entry, worker, missing);
            take(entry, worker, count);
            missing -= count;
        }
        return 0;
    }

    private int takeSome(int entry, int worker, int most) {
        int count = capacity(entry, worker, most);
        if (count > 0) {
            take(entry, worker, count);
        }
        return count;
    }

    /**
     * A new worker of the spec that the group prefers, of those the one that costs least for the slots; -1 when there is
     * none that fits.
     */
    private int open(int entry, int missing) {
        int best = -1;
        int bestPreference = -1;
        double bestPrice = Double.POSITIVE_INFINITY;
        for (int spec = 0; spec < specLeft.length; spec++) {
            double price = specLeft[spec] > 0 ? costs.of(spec, admitted, entry, missing) : Double.POSITIVE_INFINITY;
            int preference = admitted.preferenceOnSpec(entry, spec);
            boolean better = preference == bestPreference ? price < bestPrice : preference > bestPreference;
            if (price < Double.POSITIVE_INFINITY && better) {
                best = spec;
                bestPreference = preference;
                bestPrice = price;
            }
        }
        return best < 0 ? -1 : opened(best);
    }

    private int opened(int spec) {
        if (opened == specOf.length) {
            specOf = Arrays.copyOf(specOf, opened * 2);
            indexInPlan = Arrays.copyOf(indexInPlan, opened * 2);
        }
        int worker = limit + opened;
        ensure(worker + 1);
        readIn[worker] = call;
        specOf[opened++] = spec;
        specLeft[spec]--;
        for (int dimension = 0; dimension < dimensions; dimension++) {
            left[worker * dimensions + dimension] = workers.specTotal(spec, dimension);
        }
        return worker;
    }

    /** Gives back what was taken since the last {@link #emit}. */
    void undo() {
        shortages.clear();
        while (logged > emitted) {
            logged -= 3;
            add(log[logged], log[logged + 1], log[logged + 2]);
        }
        while (opened > emittedWorkers) {
            specLeft[specOf[--opened]]++;
        }
    }

    /** Puts what was taken since then into the plan. */
    void emit(PlacementBuilder plan) {
        for (; emittedWorkers < opened; emittedWorkers++) {
            indexInPlan[emittedWorkers] = plan.open(specOf[emittedWorkers]);
        }
        for (; emitted < logged; emitted += 3) {
            int worker = log[emitted + 1];
            plan.place(log[emitted], worker < limit ? worker : indexInPlan[worker - limit], log[emitted + 2]);
        }
    }

    /**
     * Why a slot of the entry finds no worker, as it was when the first slot of its profile in this call found none. Looks
     * at a thousand workers at most.
     *
     * @param all how many workers there are
     */
    String shortage(int entry, int all) {
        return shortages.computeIfAbsent(admitted.profile(entry), profile -> findShortage(entry, all));
    }

    private String findShortage(int entry, int all) {
        ShortageCount count = new ShortageCount(workers);
        for (int worker = 0; worker < limit && !count.isFull(); worker++) {
            if (!workers.present(worker)) {
                continue;
            }
            if (!admitted.feasible(entry, worker)) {
                count.infeasible();
                continue;
            }
            count.feasible();
            read(worker);
            for (int dimension = 0; dimension < dimensions; dimension++) {
                if (left[worker * dimensions + dimension] < need(entry, worker, dimension)) {
                    count.lacks(dimension);
                }
            }
        }
        return count.text(all);
    }
}
