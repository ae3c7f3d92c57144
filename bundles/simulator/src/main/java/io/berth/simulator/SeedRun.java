package io.berth.simulator;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Pools;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Many seeds, one after the other on each core, each in a world of its own. */
final class SeedRun {

    private static final long REPORT_MILLIS = 30_000;
    private static final int MOST_VIOLATIONS = 20;

    /** All seeds together. */
    record Outcome(
            int seeds,
            long events,
            long simulatedNanos,
            int recoveries,
            int faults,
            long millis,
            List<Simulation.Result> violations,
            Coverage coverage) {

        double simulatedHours() {
            return simulatedNanos / (3_600.0 * VirtualTime.SECOND);
        }

        String summary() {
            return String.format(
                    Locale.ROOT,
                    "%d seeds, %.1f simulated hours, %d events, %d messages, %d faults, %d recoveries in %.1f s: "
                            + "%d violations",
                    seeds, simulatedHours(), events, coverage.messages(), faults, recoveries, millis / 1_000.0,
                    violations.size());
        }
    }

    private final Clock clock;
    private final Consumer<String> progress;

    /** @param progress told how far it is, now and then */
    SeedRun(Clock clock, Consumer<String> progress) {
        this.clock = clock;
        this.progress = progress;
    }

    /**
     * @param nanos how long each seed is played
     * @param mostMillis after that time of the real clock no further seed is begun
     */
    Outcome run(Plan plan, long from, int seeds, long nanos, int threads, long mostMillis) throws InterruptedException {
        long start = clock.millis();
        Coverage coverage = new Coverage(new MessageKinds());
        List<Simulation.Result> violations = new ArrayList<>();
        long events = 0;
        long simulated = 0;
        int recoveries = 0;
        int faults = 0;
        int done = 0;
        long reported = start;
        ExecutorService pool = Pools.fixed("berth-simulator-seeds", threads);
        try {
            List<Future<Optional<Simulation.Result>>> futures = new ArrayList<>();
            for (int index = 0; index < seeds; index++) {
                long seed = from + index;
                futures.add(pool.submit(() -> clock.millis() - start > mostMillis
                        ? Optional.<Simulation.Result>empty()
                        : Optional.of(new Simulation(seed, nanos, plan, Optional.empty()).play())));
            }
            for (Future<Optional<Simulation.Result>> future : futures) {
                Optional<Simulation.Result> played = future.get();
                if (played.isEmpty()) {
                    continue;
                }
                Simulation.Result result = played.get();
                done++;
                events += result.events();
                simulated += result.simulatedNanos();
                recoveries += result.recoveries();
                faults += result.faults();
                coverage.add(result.coverage());
                if (result.violation().isPresent() && violations.size() < MOST_VIOLATIONS) {
                    violations.add(result);
                    progress.accept("seed " + result.seed() + ": " + result.violation().get());
                }
                if (clock.millis() - reported > REPORT_MILLIS) {
                    reported = clock.millis();
                    progress.accept(done + " of " + seeds + " seeds after " + (reported - start) / 1_000 + " s");
                }
            }
        } catch (ExecutionException failure) {
            throw new IllegalStateException("a seed could not be played", failure.getCause());
        } finally {
            pool.shutdownNow();
        }
        violations.sort(Comparator.comparingLong(Simulation.Result::seed));
        return new Outcome(
                done, events, simulated, recoveries, faults, clock.millis() - start, violations, coverage);
    }
}
