package io.berth.simulator.seed;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.simulator.time.VirtualTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same seed gives the same trace in any JVM. */
class AnotherJvmTest {

    private static final long NANOS = 900 * VirtualTime.SECOND;
    private static final List<Long> SEEDS = List.of(8L, 16L, 21L);

    @TempDir
    private Path directory;

    /** The program of the other JVM. */
    static final class Main {

        private Main() {}

        public static void main(String[] arguments) {
            hashes().forEach(System.out::println);
        }
    }

    private static List<String> hashes() {
        List<String> hashes = new ArrayList<>();
        for (long seed : SEEDS) {
            Simulation.Result result = new Simulation(seed, NANOS, Plan.all(), Optional.empty()).play();
            hashes.add(seed + " " + Long.toHexString(result.hash()) + " " + result.events());
        }
        return hashes;
    }

    @Test
    void theSameSeedIsTheSameTraceInAnotherJvm() throws IOException, InterruptedException {
        AnotherJvm other = AnotherJvm.start(Main.class, directory.resolve("hashes"));
        List<String> here = hashes();

        assertThat(other.lines()).containsAll(here);
    }
}
