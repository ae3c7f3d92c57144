package com.example.abilities;

import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.WorkersView;
import org.osgi.service.component.annotations.Component;

/** {@code exclude}: no slot goes to a worker with the label {@code kernel=old}. */
@Component
@Policy(kind = "matching", name = "filter")
public final class Filter implements MatchingStrategyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("filter", "Excludes workers with an old kernel");
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        return (Placing) Filter::place;
    }

    private static void place(WorkersView workers, AdmittedView admitted, PlacementBuilder plan) {
        Room room = new Room(workers, admitted);
        for (int entry = 0; entry < admitted.size(); entry++) {
            for (int worker = 0; worker < workers.limit(); worker++) {
                if (workers.present(worker) && isOld(workers, worker)) {
                    plan.exclude(entry, worker, "its kernel is too old");
                }
            }
            room.place(entry, plan, (of, worker) -> !isOld(workers, worker));
        }
    }

    private static boolean isOld(WorkersView workers, int worker) {
        return workers.label(worker, "kernel").filter("old"::equals).isPresent();
    }
}
