package io.berth.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same seed is the same trace in any JVM. */
class AnotherJvmTest {

    private static final long NANOS = 900 * VirtualTime.SECOND;
    private static final List<Long> SEEDS = List.of(8L, 16L, 21L);

    @TempDir
    private Path directory;

    /** What the other JVM runs. */
    static final class Main {

        private Main() {}

        public static void main(String[] arguments) {
            hashes().forEach(System.out::println);
        }
    }

    private static List<String> hashes() {
        List<String> hashes = new ArrayList<>();
        for (long seed : SEEDS) {
            Simulation.Result result =
                    new Simulation(seed, NANOS, Plan.all(), Optional.empty()).play();
            hashes.add(seed + " " + Long.toHexString(result.hash()) + " " + result.events());
        }
        return hashes;
    }

    @Test
    void theSameSeedIsTheSameTraceInAnotherJvm() throws IOException, InterruptedException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Path output = directory.resolve("hashes");
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        // Another heap, another collector, another order of identity hashes.
                        "-XX:+UseSerialGC", "-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                        "-cp", classPath, Main.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        List<String> here = hashes();

        assertThat(other.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(Files.readAllLines(output, StandardCharsets.UTF_8)).containsAll(here);
    }
}
