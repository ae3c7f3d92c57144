package io.berth.simulator.seed;

import io.berth.core.api.time.Clock;
import io.berth.simulator.fault.ProcessFaults.Fault;
import io.berth.simulator.network.Coverage;
import io.berth.simulator.network.MessageKinds;
import io.berth.simulator.time.VirtualTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Plays many seeds, one after another on each core, each in its own world. It keeps little about each seed. */
public final class SeedRun {

    private static final long REPORT_MILLIS = 30_000;

    /**
     * Which seeds are played.
     *
     * @param step from one to the next, at least 1
     */
    public record Seeds(long from, int count, long step) {

        /** One after the other. */
        public Seeds(long from, int count) {
            this(from, count, 1);
        }

        private long seed(int index) {
            return from + index * step;
        }
    }

    /** A seed that broke an invariant. */
    public record Broken(long seed, String violation, long simulatedNanos, List<String> lastLines) {}

    /**
     * The result of all seeds.
     *
     * @param returnRequests how often ResourceManagers asked units for slots because policies proposed it; users who ask
     *     are a fault
     * @param faults how often each happened
     * @param violations in the order of their seeds
     */
    public record Outcome(
            int seeds,
            long from,
            long events,
            long simulatedNanos,
            int recoveries,
            long returnRequests,
            SortedMap<Fault, Long> faults,
            long millis,
            List<Broken> violations,
            Coverage coverage) {

        public Outcome {
            faults = Collections.unmodifiableSortedMap(new TreeMap<>(faults));
            violations = violations.stream()
                    .sorted(Comparator.comparingLong(Broken::seed))
                    .toList();
        }

        public double simulatedHours() {
            return simulatedNanos / (3_600.0 * VirtualTime.SECOND);
        }

        public String summary() {
            return String.format(
                    Locale.ROOT,
                    "%d seeds from %d on, %.1f simulated hours, %d events, %d messages, %d faults, %d recoveries, "
                            + "%d requests for slots by policies in %.1f s: "
                            + "%d violations",
                    seeds,
                    from,
                    simulatedHours(),
                    events,
                    coverage.messages(),
                    faults.values().stream().mapToLong(count -> count).sum(),
                    recoveries,
                    returnRequests,
                    millis / 1_000.0,
                    violations.size());
        }
    }

    private final Clock clock;
    private final Consumer<String> progress;

    /** @param progress receives progress messages from time to time, and each broken invariant */
    public SeedRun(Clock clock, Consumer<String> progress) {
        this.clock = clock;
        this.progress = progress;
    }

    /**
     * @param nanos how long each seed is played
     * @param mostMillis after this real time no further seed is started
     */
    public Outcome run(Plan plan, Seeds seeds, long nanos, int threads, long mostMillis) throws InterruptedException {
        Sum sum = new Sum(seeds, clock.millis());
        SeedThreads.run(threads, () -> {
            for (int index = sum.next(mostMillis); index < seeds.count(); index = sum.next(mostMillis)) {
                sum.add(new Simulation(seeds.seed(index), nanos, plan, Optional.empty()).play());
            }
        });
        return sum.outcome();
    }

    /** What is known so far; thread-safe. */
    private final class Sum {

        private final Seeds seeds;
        private final long start;
        private final Coverage coverage = new Coverage(new MessageKinds());
        private final EnumMap<Fault, Long> faults = new EnumMap<>(Fault.class);
        private final List<Broken> violations = new ArrayList<>();
        private int next;
        private long reported;
        private long events;
        private long simulated;
        private int recoveries;
        private long returnRequests;
        private int done;

        Sum(Seeds seeds, long start) {
            this.seeds = seeds;
            this.start = start;
            reported = start;
        }

        /** The index of the next seed to play; the number of all seeds when there is none. */
        synchronized int next(long mostMillis) {
            return clock.millis() - start > mostMillis || next == seeds.count() ? seeds.count() : next++;
        }

        synchronized void add(Simulation.Result result) {
            done++;
            events += result.events();
            simulated += result.simulatedNanos();
            recoveries += result.recoveries();
            returnRequests += result.returnRequests();
            result.strikes().values().forEach(fault -> faults.merge(fault, 1L, Long::sum));
            coverage.add(result.coverage());
            result.violation().ifPresent(violation -> {
                violations.add(new Broken(result.seed(), violation, result.simulatedNanos(), result.lastLines()));
                progress.accept("seed " + result.seed() + ": " + violation);
            });
            long now = clock.millis();
            if (now - reported > REPORT_MILLIS) {
                reported = now;
                progress.accept(String.format(
                        Locale.ROOT,
                        "%d of %d seeds, %.0f simulated hours, %d violations after %d s; about %d s more",
                        done,
                        seeds.count(),
                        simulated / (3_600.0 * VirtualTime.SECOND),
                        violations.size(),
                        (now - start) / 1_000,
                        (now - start) * (seeds.count() - done) / done / 1_000));
            }
        }

        synchronized Outcome outcome() {
            return new Outcome(
                    done,
                    seeds.from(),
                    events,
                    simulated,
                    recoveries,
                    returnRequests,
                    new TreeMap<>(faults),
                    clock.millis() - start,
                    violations,
                    coverage);
        }
    }
}
