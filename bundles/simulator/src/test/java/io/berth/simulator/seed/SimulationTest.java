package io.berth.simulator.seed;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.time.SystemClock;
import io.berth.simulator.time.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Many seeds. {@code -Dberth.seeds=20000} plays that many, starting from {@code -Dberth.from}, each {@code -Dberth.step}
 * after the one before. {@code -Dberth.seed=N} plays one and prints its trace. {@code -Dberth.seconds} bounds the time.
 */
class SimulationTest {

    private static final int FIXED_SET = 30;
    private static final long HOUR = 3_600 * VirtualTime.SECOND;
    /** Virtual time of the fixed set, so that a build does not take long. */
    private static final long SHORT = HOUR / 3;

    @Test
    void eachSeedKeepsTheInvariants() throws InterruptedException, IOException {
        Optional<Long> one = number("berth.seed");
        if (one.isPresent()) {
            replay(one.get());
            return;
        }
        Optional<Long> many = number("berth.seeds");
        SeedRun.Outcome outcome = new SeedRun(new SystemClock(), System.out::println)
                .run(
                        many.isPresent() ? Plan.all().broadly() : Plan.all(),
                        new SeedRun.Seeds(
                                number("berth.from").orElse(1L),
                                many.orElse((long) FIXED_SET).intValue(),
                                number("berth.step").orElse(1L)),
                        many.isPresent() ? HOUR : SHORT,
                        Runtime.getRuntime().availableProcessors(),
                        number("berth.seconds").map(TimeUnit.SECONDS::toMillis).orElse(Long.MAX_VALUE / 2));
        System.out.println(outcome.summary());
        Files.writeString(
                Path.of("target", "simulation-coverage.txt"), outcome.coverage().table());
        if (many.isPresent()) {
            System.out.println(outcome.coverage().table());
        }
        outcome.violations().stream().findFirst().ifPresent(SimulationTest::print);
        assertThat(outcome.violations().stream().map(broken -> "seed " + broken.seed() + ": " + broken.violation()))
                .as("./mvnw -pl bundles/simulator test -Dtest=SimulationTest -Dberth.seed=N plays one again")
                .isEmpty();
    }

    private static void replay(long seed) {
        Simulation.Result result = new Simulation(seed, HOUR, Plan.all(), Optional.of(System.out::println)).play();
        System.out.println("seed " + seed + ": hash " + Long.toHexString(result.hash()) + ", " + result.events()
                + " events, " + result.recoveries() + " recoveries");
        assertThat(result.violation()).isEmpty();
    }

    private static void print(SeedRun.Broken broken) {
        System.out.println("seed " + broken.seed() + " as an example, its last lines:");
        List<String> lines = broken.lastLines();
        lines.subList(Math.max(0, lines.size() - 60), lines.size()).forEach(System.out::println);
    }

    private static Optional<Long> number(String property) {
        return Optional.ofNullable(System.getProperty(property))
                .filter(text -> !text.isBlank())
                .map(Long::parseLong);
    }
}
