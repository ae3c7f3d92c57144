package io.berth.simulator.seed;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.simulator.time.VirtualTime;
import java.util.Optional;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Seeds that once broke an invariant, kept forever. docs/simulator.md says what was wrong. */
class FoundSeedsTest {

    private static final long HOUR = 3_600 * VirtualTime.SECOND;

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @ValueSource(longs = {150, 519, 300_012, 300_013, 300_017})
    void aSeedThatFoundSomethingKeepsItsPromisesNow(long seed) {
        Simulation.Result result = new Simulation(seed, HOUR, Plan.all(), Optional.empty()).play();

        assertThat(result.violation())
                .as("seed %d: %s", seed, result.lastLines())
                .isEmpty();
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @ValueSource(
            longs = {
                23, 34, 63, 101, 379, 520, 856, 923, 1445, 1462, 1922, 1975, 2083, 2253, 2355, 2504, 2535, 3105, 3821,
                6978, 7159, 8134, 10521, 11090, 12167, 13321, 15879, 16808, 17584, 18194, 18255, 19838, 5007, 30153
            })
    void soDoesOneOfThoseThatLookAtMoreCells(long seed) {
        Simulation.Result result = new Simulation(seed, HOUR, Plan.all().broadly(), Optional.empty()).play();

        assertThat(result.violation())
                .as("seed %d: %s", seed, result.lastLines())
                .isEmpty();
    }
}
