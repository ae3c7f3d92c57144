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
import java.util.Comparator;
import java.util.stream.IntStream;
import org.osgi.service.component.annotations.Component;

/** Free choice within a rank: of the entries of one rank, the smallest one is served first. */
@Component
@Policy(kind = "matching", name = "small-first")
public final class SmallFirst implements MatchingStrategyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("small-first", "Serves the smallest entry of each rank first");
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        return (Placing) SmallFirst::place;
    }

    private static void place(WorkersView workers, AdmittedView admitted, PlacementBuilder plan) {
        Room room = new Room(workers, admitted);
        IntStream.range(0, admitted.size())
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(admitted::rank).thenComparingInt(admitted::count))
                .forEach(entry -> room.place(entry, plan, (of, worker) -> true));
    }
}
