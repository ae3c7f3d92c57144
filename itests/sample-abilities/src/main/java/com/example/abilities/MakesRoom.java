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
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.osgi.service.component.annotations.Component;

/**
 * {@code giveBack}: a job that cannot start gets room from jobs that have more than their minimum. While one waits,
 * nobody else gets slots above a minimum.
 */
@Component
@Policy(kind = "matching", name = "makes-room")
public final class MakesRoom implements MatchingStrategyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("makes-room", "Asks jobs for slots above their minimum when others cannot start");
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        return new Placing() {
            @Override
            public void place(WorkersView workers, AdmittedView admitted, PlacementBuilder plan) {
                MakesRoom.place(workers, admitted, plan);
            }

            @Override
            public boolean usesAllocations() {
                return true;
            }
        };
    }

    private static void place(WorkersView workers, AdmittedView admitted, PlacementBuilder plan) {
        Room room = new Room(workers, admitted);
        Set<JobId> starting = new HashSet<>();
        int missing = 0;
        for (int entry = 0; entry < admitted.size(); entry++) {
            if (admitted.gang(entry) >= 0) {
                starting.add(admitted.job(entry));
                missing += room.place(entry, plan, (of, worker) -> true) ? 0 : admitted.count(entry);
            }
        }
        for (int entry = 0; entry < admitted.size(); entry++) {
            if (admitted.gang(entry) >= 0) {
                continue;
            }
            if (starting.isEmpty() || starting.equals(Set.of(admitted.job(entry)))) {
                room.place(entry, plan, (of, worker) -> true);
            } else {
                excludeAll(entry, workers, plan);
            }
        }
        giveBack(missing, admitted.allocations(), plan);
    }

    private static void excludeAll(int entry, WorkersView workers, PlacementBuilder plan) {
        for (int worker = 0; worker < workers.limit(); worker++) {
            if (workers.present(worker)) {
                plan.exclude(entry, worker, "jobs that cannot start come first");
            }
        }
    }

    private static void giveBack(int missing, AllocationsView allocations, PlacementBuilder plan) {
        Map<String, Integer> left = new HashMap<>();
        int wanted = missing;
        for (int slot = 0; slot < allocations.limit() && wanted > 0; slot++) {
            if (allocations.present(slot) && allocations.returnable(slot)) {
                int above = allocations.aboveMinimum(slot);
                String group = allocations.job(slot) + "/" + allocations.unit(slot) + "/" + allocations.group(slot);
                int more = left.computeIfAbsent(group, first -> above);
                if (more > 0) {
                    left.put(group, more - 1);
                    wanted--;
                    plan.giveBack(slot, "another job cannot start");
                }
            }
        }
    }
}
