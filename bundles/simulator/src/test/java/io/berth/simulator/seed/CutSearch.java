package io.berth.simulator.seed;

import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.world.World;
import java.util.Optional;
import java.util.function.Function;

/**
 * Plays seeds until one breaks an invariant, and shrinks it. Its own class loader creates it, like {@link SeedSearch}.
 */
public final class CutSearch implements Function<long[], String> {

    public CutSearch() {}

    /**
     * @param bounds first seed, number of seeds, seconds of virtual time of each, hours of virtual time of all
     *     attempts to shrink
     * @return lines: the violation; the violation of the result; masters, workers, jobs, faults, operations, and
     *     seconds of virtual time before and after; the concerned names; then the trace. Empty when no invariant
     *     breaks
     */
    @Override
    public String apply(long[] bounds) {
        for (long seed = bounds[0]; seed < bounds[0] + bounds[1]; seed++) {
            Simulation.Result result =
                    new Simulation(seed, bounds[2] * VirtualTime.SECOND, Plan.all(), Optional.empty()).play();
            if (result.violation().isPresent()) {
                Shrinker.Cut cut = new Shrinker(
                                Plan.all(),
                                seed,
                                result.violation().get(),
                                result.simulatedNanos(),
                                bounds[3] * 3_600 * VirtualTime.SECOND)
                        .cut();
                World.Shape shape = cut.part().shape().orElseThrow();
                return String.join(
                        "\n",
                        result.violation().get(),
                        cut.violation(),
                        shape.masters() + " " + (shape.standaloneWorkers() + shape.backendWorkers()) + " "
                                + shape.jobs() + " "
                                + cut.faults() + " " + cut.operations() + " "
                                + result.simulatedNanos() / VirtualTime.SECOND + " " + cut.nanos() / VirtualTime.SECOND,
                        String.join(" ", cut.concerned()),
                        String.join("\n", cut.trace()));
            }
        }
        return "";
    }
}
