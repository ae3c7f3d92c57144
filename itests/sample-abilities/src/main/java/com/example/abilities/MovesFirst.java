package com.example.abilities;

import io.berth.spi.JobId;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.AllocationsView;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.WorkersView;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import org.osgi.service.component.annotations.Component;

/**
 * {@code leavingAt}: while jobs have slots on workers that leave within an hour, and look for others, nobody else gets
 * any.
 */
@Component
@Policy(kind = "matching", name = "moves-first")
public final class MovesFirst implements MatchingStrategyFactory {

    private static final long SOON_MILLIS = 3_600_000;

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("moves-first", "Jobs on workers that leave soon come first");
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        return new Placing() {
            @Override
            public void place(WorkersView workers, AdmittedView admitted, PlacementBuilder plan) {
                MovesFirst.place(workers, admitted, plan);
            }

            @Override
            public boolean usesAllocations() {
                return true;
            }
        };
    }

    private static void place(WorkersView workers, AdmittedView admitted, PlacementBuilder plan) {
        Set<JobId> moving = moving(workers, admitted);
        Room room = new Room(workers, admitted);
        for (int entry = 0; entry < admitted.size(); entry++) {
            if (moving.isEmpty() || moving.contains(admitted.job(entry))) {
                room.place(entry, plan, (of, worker) -> true);
            } else {
                for (int worker = 0; worker < workers.limit(); worker++) {
                    if (workers.present(worker)) {
                        plan.exclude(entry, worker, "jobs that have to move come first");
                    }
                }
            }
        }
    }

    /** The jobs that have to move soon and request slots now. */
    private static Set<JobId> moving(WorkersView workers, AdmittedView admitted) {
        Set<JobId> leaving = new HashSet<>();
        AllocationsView slots = admitted.allocations();
        for (int slot = 0; slot < slots.limit(); slot++) {
            if (slots.present(slot) && leavesSoon(workers, slots.worker(slot))) {
                leaving.add(slots.job(slot));
            }
        }
        Set<JobId> moving = new HashSet<>();
        for (int entry = 0; entry < admitted.size(); entry++) {
            if (leaving.contains(admitted.job(entry))) {
                moving.add(admitted.job(entry));
            }
        }
        return moving;
    }

    private static boolean leavesSoon(WorkersView workers, int worker) {
        OptionalLong at = workers.present(worker) ? workers.leavingAt(worker) : OptionalLong.empty();
        return at.isPresent() && at.getAsLong() - workers.wallTime() < SOON_MILLIS;
    }
}
