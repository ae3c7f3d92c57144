package io.berth.simulator.seed;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.world.ReturningWorld;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In some seeds policies ask for slots, and in the others nobody but users does. */
class ReturningWorldTest {

    private static final long NANOS = 1_200 * VirtualTime.SECOND;

    @ParameterizedTest
    @CsvSource({"10, true, false", "51, false, true", "14, true, true", "16, true, true", "11, false, false"})
    void jobsAreAskedForSlotsInTheseSeedsOnly(long seed, boolean reclaims, boolean givesBack) {
        assertThat(ReturningWorld.of(seed)).isEqualTo(new ReturningWorld(reclaims, givesBack));

        Simulation.Result result = new Simulation(seed, NANOS, Plan.all(), Optional.empty()).play();

        assertThat(result.violation()).as("%s", result.lastLines()).isEmpty();
        assertThat(result.returnRequests() > 0).as("asks").isEqualTo(reclaims || givesBack);
    }
}
