package io.berth.policy.support;

import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.WorkersView;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The workers that one {@code place} call opens. For each slot it opens the smallest spec that the slot fits on. Specs
 * are compared dimension by dimension.
 */
final class NewWorkers {

    private final WorkersView workers;
    private final int dimensions;

    @SuppressWarnings("NullAway.Init")
    private AdmittedView admitted;

    private int[] specLeft = {};
    private int size;
    private int[] spec = new int[4];
    private int[] index = new int[4];
    private long[][] left = new long[4][];

    NewWorkers(WorkersView workers) {
        this.workers = workers;
        this.dimensions = workers.dimensions();
    }

    void begin(AdmittedView entries) {
        admitted = entries;
        size = 0;
        specLeft = new int[workers.specs()];
        for (int nth = 0; nth < specLeft.length; nth++) {
            specLeft[nth] = workers.specLeft(nth);
        }
    }

    int size() {
        return size;
    }

    /** The index of the worker in the plan. */
    int index(int nth) {
        return index[nth];
    }

    /**
     * A new worker that has room for a slot. Opens another one if necessary; -1 when no more workers may be started.
     */
    int next(int entry, FittingWorkers fitting) {
        while (fitting.newMark() < size) {
            if (admitted.feasibleOnSpec(entry, spec[fitting.newMark()]) && count(entry, fitting.newMark(), 1) > 0) {
                return fitting.newMark();
            }
            fitting.newMark(fitting.newMark() + 1);
        }
        int smallest = smallestSpec(entry, every -> true);
        return smallest < 0 ? -1 : start(smallest);
    }

    /** Like {@link #next}, of a spec in a domain. */
    int nextOf(int entry, SpreadDomains.Counts spread, int domain) {
        for (int nth = 0; nth < size; nth++) {
            if (spread.domainOnSpec(spec[nth]) == domain && count(entry, nth, 1) > 0) {
                return nth;
            }
        }
        int smallest = smallestSpec(entry, each -> spread.domainOnSpec(each) == domain);
        return smallest < 0 ? -1 : start(smallest);
    }

    int spec(int nth) {
        return spec[nth];
    }

    private int start(int ofSpec) {
        if (size == spec.length) {
            spec = Arrays.copyOf(spec, size * 2);
            index = Arrays.copyOf(index, size * 2);
            left = Arrays.copyOf(left, size * 2);
        }
        spec[size] = ofSpec;
        specLeft[ofSpec]--;
        left[size] = new long[dimensions];
        for (int dimension = 0; dimension < dimensions; dimension++) {
            left[size][dimension] = workers.specTotal(ofSpec, dimension);
        }
        return size++;
    }

    /** @return how many slots it takes, at most {@code most} */
    int take(int entry, int nth, int most) {
        int count = count(entry, nth, most);
        add(entry, nth, -count);
        return count;
    }

    void giveBack(int entry, int nth, int count) {
        add(entry, nth, count);
    }

    private void add(int entry, int nth, int count) {
        for (int dimension = 0; dimension < dimensions; dimension++) {
            left[nth][dimension] += admitted.needOnSpec(entry, spec[nth], dimension) * count;
        }
    }

    private int count(int entry, int nth, int most) {
        long count = most;
        for (int dimension = 0; dimension < dimensions; dimension++) {
            long need = admitted.needOnSpec(entry, spec[nth], dimension);
            if (need > 0) {
                count = Math.min(count, left[nth][dimension] / need);
            }
        }
        return (int) count;
    }

    void openFrom(int from, PlacementBuilder plan) {
        for (int nth = from; nth < size; nth++) {
            index[nth] = plan.open(spec[nth]);
        }
    }

    void closeFrom(int from) {
        while (size > from) {
            size--;
            specLeft[spec[size]]++;
        }
    }

    boolean feasible(int entry, int nth) {
        return admitted.feasibleOnSpec(entry, spec[nth]);
    }

    boolean lacks(int entry, int nth, int dimension) {
        return left[nth][dimension] < admitted.needOnSpec(entry, spec[nth], dimension);
    }

    private int smallestSpec(int entry, IntPredicate among) {
        int best = -1;
        for (int nth = 0; nth < specLeft.length; nth++) {
            if (specLeft[nth] > 0 && among.test(nth) && fits(entry, nth) && (best < 0 || smaller(nth, best))) {
                best = nth;
            }
        }
        return best;
    }

    private boolean fits(int entry, int ofSpec) {
        if (!admitted.feasibleOnSpec(entry, ofSpec)) {
            return false;
        }
        for (int dimension = 0; dimension < dimensions; dimension++) {
            if (admitted.needOnSpec(entry, ofSpec, dimension) > workers.specTotal(ofSpec, dimension)) {
                return false;
            }
        }
        return true;
    }

    private boolean smaller(int ofSpec, int other) {
        for (int dimension = 0; dimension < dimensions; dimension++) {
            int compared = Long.compare(workers.specTotal(ofSpec, dimension), workers.specTotal(other, dimension));
            if (compared != 0) {
                return compared < 0;
            }
        }
        return false;
    }
}
