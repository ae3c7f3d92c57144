package com.example.lastfit;

import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.AssignmentBuilder;
import io.berth.spi.matching.AssignmentView;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.util.ArrayList;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Fills the last worker that has room before the one in front of it. Never asks for new workers. */
@Component
@Policy(kind = "matching", name = "last-fit")
public final class LastFit implements MatchingStrategyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("last-fit", "Fills the last worker that has room first");
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        return new Strategy();
    }

    private static final class Strategy implements MatchingStrategy {

        @Override
        public PlacementSession open(WorkersView workers) {
            return new Session(workers);
        }

        @Override
        public void assign(AssignmentView input, AssignmentBuilder result) {
            int[] open = new int[input.requirements()];
            for (int requirement = 0; requirement < open.length; requirement++) {
                open[requirement] = input.count(requirement);
            }
            List<Integer> rest = new ArrayList<>();
            for (int slot = 0; slot < input.slots(); slot++) {
                int wanted = input.allocatedFor(slot);
                if (wanted >= 0 && open[wanted] > 0 && input.accepts(wanted, slot)) {
                    result.assign(slot, wanted);
                    open[wanted]--;
                } else {
                    rest.add(slot);
                }
            }
            for (int slot : rest) {
                for (int requirement = 0; requirement < open.length; requirement++) {
                    if (open[requirement] > 0 && input.accepts(requirement, slot)) {
                        result.assign(slot, requirement);
                        open[requirement]--;
                        break;
                    }
                }
            }
        }
    }

    private static final class Session implements PlacementSession {

        private final WorkersView workers;

        Session(WorkersView workers) {
            this.workers = workers;
        }

        @Override
        public void delta(int[] changed) {
            // Keeps no index.
        }

        @Override
        public void place(AdmittedView admitted, PlacementBuilder plan) {
            long[][] taken = new long[workers.limit()][workers.dimensions()];
            int entry = 0;
            while (entry < admitted.size()) {
                int end = entry + 1;
                while (admitted.atom(entry) >= 0
                        && end < admitted.size()
                        && admitted.atom(end) == admitted.atom(entry)) {
                    end++;
                }
                placeTogether(admitted, plan, taken, entry, end);
                entry = end;
            }
        }

        private void placeTogether(AdmittedView admitted, PlacementBuilder plan, long[][] taken, int from, int to) {
            List<int[]> slots = new ArrayList<>();
            for (int entry = from; entry < to; entry++) {
                for (int slot = 0; slot < admitted.count(entry); slot++) {
                    int worker = lastWithRoom(admitted, entry, taken);
                    if (worker >= 0) {
                        take(admitted, entry, worker, taken, 1);
                        slots.add(new int[] {entry, worker});
                    } else {
                        plan.unplaced(entry, "no worker has room for a slot of group " + admitted.group(entry));
                        if (admitted.atom(entry) >= 0) {
                            slots.forEach(placed -> take(admitted, placed[0], placed[1], taken, -1));
                            return;
                        }
                        break;
                    }
                }
            }
            slots.forEach(placed -> plan.place(placed[0], placed[1], 1));
        }

        private int lastWithRoom(AdmittedView admitted, int entry, long[][] taken) {
            for (int worker = workers.limit() - 1; worker >= 0; worker--) {
                if (workers.present(worker) && !workers.pending(worker) && fits(admitted, entry, worker, taken)) {
                    return worker;
                }
            }
            return -1;
        }

        private boolean fits(AdmittedView admitted, int entry, int worker, long[][] taken) {
            for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
                if (workers.free(worker, dimension) - taken[worker][dimension]
                        < admitted.need(entry, worker, dimension)) {
                    return false;
                }
            }
            return true;
        }

        private void take(AdmittedView admitted, int entry, int worker, long[][] taken, int sign) {
            for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
                taken[worker][dimension] += sign * admitted.need(entry, worker, dimension);
            }
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }
}
