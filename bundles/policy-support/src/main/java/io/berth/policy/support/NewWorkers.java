package io.berth.policy.support;

import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.WorkersView;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The workers that one {@code place} call opens. For each slot it opens the smallest spec that the slot fits on, or the
 * one that costs least for the slots that are missing. Sizes of specs are compared dimension by dimension.
 */
final class NewWorkers {

    private final WorkersView workers;
    private final int dimensions;
    private final boolean cheapest;

    @SuppressWarnings("NullAway.Init")
    private AdmittedView admitted;

    /** Of this call; null unless the cheapest spec is opened. */
    private @Nullable SpecCosts costs;

    private int[] specLeft = {};
    private int size;
    private int[] spec = new int[4];
    private int[] index = new int[4];
    private long[][] left = new long[4][];

    /** @param cheapest whether to open the spec that costs least for the slots that are missing, not the smallest one */
    NewWorkers(WorkersView workers, boolean cheapest) {
        this.workers = workers;
        this.dimensions = workers.dimensions();
        this.cheapest = cheapest;
    }

    void begin(AdmittedView entries) {
        admitted = entries;
        size = 0;
        costs = cheapest ? new SpecCosts(workers) : null;
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
     *
     * @param missing how many slots of the entry are still without room
     */
    int next(int entry, FittingWorkers fitting, int missing) {
        while (fitting.newMark() < size) {
            if (admitted.feasibleOnSpec(entry, spec[fitting.newMark()]) && count(entry, fitting.newMark(), 1) > 0) {
                return fitting.newMark();
            }
            fitting.newMark(fitting.newMark() + 1);
        }
        int best = bestSpec(entry, missing, every -> true);
        return best < 0 ? -1 : start(best);
    }

    /** Like {@link #next}, of a spec in a domain. */
    int nextOf(int entry, SpreadDomains.Counts spread, int domain) {
        for (int nth = 0; nth < size; nth++) {
            if (spread.domainOnSpec(spec[nth]) == domain && count(entry, nth, 1) > 0) {
                return nth;
            }
        }
        int best = bestSpec(entry, 1, each -> spread.domainOnSpec(each) == domain);
        return best < 0 ? -1 : start(best);
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

    private int bestSpec(int entry, int missing, IntPredicate among) {
        int best = -1;
        for (int nth = 0; nth < specLeft.length; nth++) {
            if (specLeft[nth] > 0
                    && among.test(nth)
                    && fits(entry, nth)
                    && (best < 0 || better(entry, missing, nth, best))) {
                best = nth;
            }
        }
        return best;
    }

    private boolean better(int entry, int missing, int ofSpec, int other) {
        if (admitted.prefers(entry)) {
            int compared =
                    Integer.compare(admitted.preferenceOnSpec(entry, ofSpec), admitted.preferenceOnSpec(entry, other));
            if (compared != 0) {
                return compared > 0;
            }
        }
        if (costs != null) {
            int compared = Double.compare(
                    costs.of(ofSpec, admitted, entry, missing), costs.of(other, admitted, entry, missing));
            if (compared != 0) {
                return compared < 0;
            }
        }
        return smaller(ofSpec, other);
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
