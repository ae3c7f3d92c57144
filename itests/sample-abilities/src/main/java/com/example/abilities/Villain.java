package com.example.abilities;

import io.berth.spi.ConfigurationKey;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.WorkersView;
import java.time.Duration;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/**
 * What a policy must not do: it takes a processor for longer than its deadline, and listens to nobody meanwhile; or it
 * throws.
 */
@Component
@Policy(kind = "matching", name = "villain",
        configuration = {"spin", "throws"})
public final class Villain implements MatchingStrategyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "villain",
                "Spins or throws",
                List.of(
                        ConfigurationKey.duration(
                                "spin",
                                Duration.ofSeconds(5),
                                Duration.ofMillis(1),
                                Duration.ofMinutes(1),
                                "how long a placement takes"),
                        ConfigurationKey.choice(
                                "throws", "never", List.of("never", "always"), "whether a placement throws instead")));
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        if (configuration.text("throws").equals("always")) {
            return (Placing) (workers, admitted, plan) -> {
                throw new IllegalStateException("a villain throws");
            };
        }
        long spinNanos = configuration.duration("spin").toNanos();
        return (Placing) (workers, admitted, plan) -> spin(spinNanos, workers, admitted, plan);
    }

    private static void spin(long nanos, WorkersView workers, AdmittedView admitted, PlacementBuilder plan) {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < nanos) {
            Thread.onSpinWait();
        }
        Room room = new Room(workers, admitted);
        for (int entry = 0; entry < admitted.size(); entry++) {
            room.place(entry, plan, (of, worker) -> true);
        }
    }
}
