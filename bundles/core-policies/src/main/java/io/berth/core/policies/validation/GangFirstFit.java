package io.berth.core.policies.validation;

import io.berth.core.policies.cache.AdmittedEntries;
import io.berth.core.policies.cache.WorkerColumns;
import io.berth.core.policies.validation.PlacementCheck.Item;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** The first fit that {@link io.berth.spi.matching.PlacementSession#place} defines for a minimum of several profiles. */
final class GangFirstFit {

    private final WorkerColumns workers;
    private final AdmittedEntries entries;
    private final PlacementResult plan;
    private final int[] order;
    private final int dimensions;

    /** @param order of the workers, see {@link #order} */
    GangFirstFit(WorkerColumns workers, AdmittedEntries entries, PlacementResult plan, int[] order) {
        this.workers = workers;
        this.entries = entries;
        this.plan = plan;
        this.order = order;
        this.dimensions = workers.dimensions();
    }

    /** The workers in the order of that first fit: registered ones, then pending ones, each by index. */
    static int[] order(WorkerColumns workers) {
        return IntStream.concat(present(workers, false), present(workers, true)).toArray();
    }

    private static IntStream present(WorkerColumns workers, boolean pending) {
        return IntStream.range(0, workers.limit())
                .filter(worker -> workers.present(worker) && workers.pending(worker) == pending);
    }

    /**
     * Whether the whole item finds room.
     *
     * @param left what is left of the workers; consumed
     * @param opened new workers of the plan that count as opened: not those that only later items use
     */
    boolean fits(Item item, RemainingCapacity left, BitSet opened) {
        int[] specsLeft = new int[workers.specs()];
        for (int spec = 0; spec < specsLeft.length; spec++) {
            specsLeft[spec] = workers.specLeft(spec);
        }
        opened.stream().forEach(nth -> specsLeft[plan.openedSpec(nth)]--);
        List<long[]> started = new ArrayList<>();
        List<Integer> startedSpec = new ArrayList<>();
        for (int entry = item.from(); entry < item.to(); entry++) {
            int kind = plan.kind(entry);
            long missing = (long) entries.count(entry) - plan.placed(entry);
            for (int at = 0; at < order.length && missing > 0; at++) {
                missing -= takeOn(kind, order[at], left, missing);
            }
            for (int nth = opened.nextSetBit(0); nth >= 0 && missing > 0; nth = opened.nextSetBit(nth + 1)) {
                missing -= takeOn(kind, plan.firstNew() + nth, left, missing);
            }
            for (int nth = 0; nth < started.size() && missing > 0; nth++) {
                missing -= takeOnSpec(kind, startedSpec.get(nth), started.get(nth), missing);
            }
            for (int spec = smallestSpec(kind, specsLeft);
                    spec >= 0 && missing > 0;
                    spec = smallestSpec(kind, specsLeft)) {
                long[] amounts = new long[dimensions];
                for (int dimension = 0; dimension < dimensions; dimension++) {
                    amounts[dimension] = workers.specTotal(spec, dimension);
                }
                specsLeft[spec]--;
                started.add(amounts);
                startedSpec.add(spec);
                missing -= takeOnSpec(kind, spec, amounts, missing);
            }
            if (missing > 0) {
                return false;
            }
        }
        return true;
    }

    private long takeOn(int kind, int worker, RemainingCapacity left, long most) {
        int row = left.row(worker);
        long count = Math.min(most, plan.quotient(kind, worker, left, row));
        for (int dimension = 0; dimension < dimensions && count > 0; dimension++) {
            left.add(row, dimension, -count * plan.needOfKind(kind, worker, dimension));
        }
        return count;
    }

    /** The smallest spec that one slot fits, compared by the dimensions in order; -1 when there is none. */
    private int smallestSpec(int kind, int[] specsLeft) {
        int best = -1;
        for (int spec = 0; spec < specsLeft.length; spec++) {
            if (specsLeft[spec] > 0 && plan.quotientOnSpec(kind, spec) > 0 && (best < 0 || smaller(spec, best))) {
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

    private long takeOnSpec(int kind, int spec, long[] amounts, long most) {
        if (!plan.feasibleOnSpec(kind, spec)) {
            return 0;
        }
        long count = most;
        for (int dimension = 0; dimension < dimensions; dimension++) {
            long need = plan.needOnSpec(kind, spec, dimension);
            count = need > 0 ? Math.min(count, amounts[dimension] / need) : count;
        }
        for (int dimension = 0; dimension < dimensions; dimension++) {
            amounts[dimension] -= count * plan.needOnSpec(kind, spec, dimension);
        }
        return count;
    }
}
