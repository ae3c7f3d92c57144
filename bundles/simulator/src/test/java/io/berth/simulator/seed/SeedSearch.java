package io.berth.simulator.seed;

import io.berth.simulator.time.VirtualTime;
import java.util.Optional;
import java.util.function.Function;

/** Plays seeds until one breaks an invariant. Its own class loader creates it, so it uses types of the JDK. */
public class SeedSearch implements Function<long[], String> {

    private final Plan plan;

    public SeedSearch() {
        this(Plan.all());
    }

    SeedSearch(Plan plan) {
        this.plan = plan;
    }

    /**
     * @param bounds first seed, number of seeds, seconds of virtual time of each, and the step from one to the next
     * @return seed and violation; empty when there is none
     */
    @Override
    public final String apply(long[] bounds) {
        for (long index = 0; index < bounds[1]; index++) {
            long seed = bounds[0] + index * bounds[3];
            Simulation.Result result =
                    new Simulation(seed, bounds[2] * VirtualTime.SECOND, plan, Optional.empty()).play();
            if (result.violation().isPresent()) {
                return "seed " + seed + ": " + result.violation().get();
            }
        }
        return "";
    }
}
