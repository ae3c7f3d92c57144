package com.example.lastfit;

import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Places on registered workers in the wished order, else on pending workers, else on new ones. Keeps no index. */
final class LastFitSession implements PlacementSession {

    private final WorkersView workers;
    private final boolean lastFirst;
    private final int spareWorkers;

    LastFitSession(WorkersView workers, boolean lastFirst, int spareWorkers) {
        this.workers = workers;
        this.lastFirst = lastFirst;
        this.spareWorkers = spareWorkers;
    }

    @Override
    public void delta(int[] changed) {
        // The view shows it.
    }

    @Override
    public void place(AdmittedView admitted, PlacementBuilder plan) {
        new Round(admitted, plan).place();
    }

    @Override
    public void close() {
        // Holds nothing.
    }

    /** A worker that takes slots in this round: one that is there, at its index, or a new one of a spec. */
    private record Target(int worker, int spec, long[] left) {}

    /** One slot on one target. */
    private record Step(int entry, Target target) {}

    private final class Round {

        private final AdmittedView admitted;
        private final PlacementBuilder plan;
        private final List<Target> wished = new ArrayList<>();
        private final List<Target> firstFirst = new ArrayList<>();
        private final List<Target> opened = new ArrayList<>();

        Round(AdmittedView admitted, PlacementBuilder plan) {
            this.admitted = admitted;
            this.plan = plan;
            List<Target> pending = new ArrayList<>();
            for (int worker = 0; worker < workers.limit(); worker++) {
                if (workers.present(worker)) {
                    Target target = new Target(worker, -1, free(worker));
                    (workers.pending(worker) ? pending : firstFirst).add(target);
                }
            }
            wished.addAll(firstFirst);
            if (lastFirst) {
                Collections.reverse(wished);
            }
            Collections.rotate(wished, -Math.min(spareWorkers, wished.size()));
            firstFirst.addAll(pending);
            wished.addAll(pending);
        }

        void place() {
            int entry = 0;
            while (entry < admitted.size()) {
                int end = entry + 1;
                while (admitted.gang(entry) >= 0 && end < admitted.size() && admitted.gang(end) == admitted.gang(entry)) {
                    end++;
                }
                if (admitted.gang(entry) < 0) {
                    for (int slot = 0; slot < admitted.count(entry) && place(entry, end, 1, wished); slot++) {
                        // Slot by slot, as many as there is room for.
                    }
                } else if (!place(entry, end, Integer.MAX_VALUE, wished)) {
                    // Whether a gang of several profiles could use room is decided by a first fit.
                    place(entry, end, Integer.MAX_VALUE, firstFirst);
                }
                entry = end;
            }
        }

        /** Places up to {@code most} slots of each entry, all or none. */
        private boolean place(int from, int to, int most, List<Target> order) {
            for (int entry = from; entry < to; entry++) {
                if (admitted.spread(entry).isPresent()) {
                    plan.unplaced(entry, "slots that are to be spread are left to the first fit of the host");
                    return false;
                }
            }
            List<Step> steps = new ArrayList<>();
            int openedBefore = opened.size();
            for (int entry = from; entry < to; entry++) {
                for (int slot = 0; slot < Math.min(most, admitted.count(entry)); slot++) {
                    Target target = find(entry, order);
                    if (target == null) {
                        plan.unplaced(entry, "no worker that its constraints allow has room for a slot of group "
                                + admitted.group(entry));
                        steps.forEach(step -> change(step.entry(), step.target(), 1));
                        opened.subList(openedBefore, opened.size()).clear();
                        return false;
                    }
                    change(entry, target, -1);
                    steps.add(new Step(entry, target));
                }
            }
            opened.subList(openedBefore, opened.size()).forEach(target -> plan.open(target.spec()));
            steps.forEach(step -> plan.place(step.entry(), index(step.target()), 1));
            return true;
        }

        private Target find(int entry, List<Target> order) {
            for (Target target : order) {
                if (fits(entry, target)) {
                    return target;
                }
            }
            for (Target target : opened) {
                if (fits(entry, target)) {
                    return target;
                }
            }
            Target smallest = null;
            for (int spec = 0; spec < workers.specs(); spec++) {
                Target target = new Target(-1, spec, total(spec));
                int of = spec;
                long taken = opened.stream().filter(other -> other.spec() == of).count();
                if (taken < workers.specLeft(spec) && fits(entry, target)
                        && (smallest == null || Arrays.compare(target.left(), smallest.left()) < 0)) {
                    smallest = target;
                }
            }
            if (smallest != null) {
                opened.add(smallest);
            }
            return smallest;
        }

        /** New workers have the indexes after those that are there, in the order of opening. */
        private int index(Target target) {
            if (target.worker() >= 0) {
                return target.worker();
            }
            int nth = 0;
            while (opened.get(nth) != target) {
                nth++;
            }
            return workers.limit() + nth;
        }

        private boolean fits(int entry, Target target) {
            boolean allowed = target.worker() >= 0
                    ? admitted.feasible(entry, target.worker())
                    : admitted.feasibleOnSpec(entry, target.spec());
            if (!allowed) {
                return false;
            }
            for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
                if (target.left()[dimension] < need(entry, target, dimension)) {
                    return false;
                }
            }
            return true;
        }

        private void change(int entry, Target target, int sign) {
            for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
                target.left()[dimension] += sign * need(entry, target, dimension);
            }
        }

        private long need(int entry, Target target, int dimension) {
            return target.worker() >= 0
                    ? admitted.need(entry, target.worker(), dimension)
                    : admitted.needOnSpec(entry, target.spec(), dimension);
        }

        private long[] free(int worker) {
            long[] free = new long[workers.dimensions()];
            for (int dimension = 0; dimension < free.length; dimension++) {
                free[dimension] = workers.free(worker, dimension);
            }
            return free;
        }

        private long[] total(int spec) {
            long[] total = new long[workers.dimensions()];
            for (int dimension = 0; dimension < total.length; dimension++) {
                total[dimension] = workers.specTotal(spec, dimension);
            }
            return total;
        }
    }
}
