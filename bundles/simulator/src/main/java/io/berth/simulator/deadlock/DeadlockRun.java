package io.berth.simulator.deadlock;

import io.berth.core.api.time.Clock;
import io.berth.simulator.deadlock.Cluster.Result;
import io.berth.simulator.deadlock.Instance.Figure;
import io.berth.simulator.network.MessageKinds;
import io.berth.simulator.report.JsonText;
import io.berth.simulator.seed.SeedThreads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Plays many instances and counts those that hang. */
public final class DeadlockRun {

    private static final long REPORT_MILLIS = 30_000;
    /** So many of those that hang are described. */
    private static final int DESCRIBED = 10;

    /** Instances of one figure. */
    private record Count(long played, long hung, long asked) {

        private static final Count NONE = new Count(0, 0, 0);

        private Count plus(Count other) {
            return new Count(played + other.played, hung + other.hung, asked + other.asked);
        }
    }

    private record Hang(long seed, String why) {}

    /** The result. */
    public record Outcome(Rule rule, long from, Map<Figure, Count> counts, List<Hang> hangs, long events, long millis) {

        public Outcome {
            counts = new EnumMap<>(counts);
            hangs = List.copyOf(hangs);
        }

        /** How many instances were played. */
        public long played() {
            return all().played();
        }

        /** How many of them hang. */
        public long hung() {
            return all().hung();
        }

        /** In how many of them a job was asked for slots, because another one could not run without them. */
        public long asked() {
            return all().asked();
        }

        private Count all() {
            return counts.values().stream().reduce(Count.NONE, Count::plus);
        }

        /** The result for people. */
        public String text() {
            return String.format(
                            Locale.ROOT,
                            "rule %s: %d instances from seed %d on, %d events in %.1f s: %d hang%n",
                            rule.label(),
                            played(),
                            from,
                            events,
                            millis / 1_000.0,
                            hung())
                    + rows(
                            "  %s: %d instances, %d hang; in %d, a job was asked for slots",
                            Figure::name, System.lineSeparator())
                    + hangs.stream()
                            .map(hang -> System.lineSeparator() + "seed " + hang.seed() + ": " + hang.why())
                            .collect(Collectors.joining());
        }

        /** The result for programs. */
        public String json() {
            return String.format(
                    Locale.ROOT,
                    """
                    {"rule": %s, "instances": %d, "from": %d, "events": %d, "seconds": %.1f, "hang": %d,
                     "figures": {%s},
                     "hangs": [%s]}""",
                    JsonText.quoted(rule.label()),
                    played(),
                    from,
                    events,
                    millis / 1_000.0,
                    hung(),
                    rows(
                            "%s: {\"instances\": %d, \"hang\": %d, \"asked\": %d}",
                            figure -> JsonText.quoted(figure.name()), ", "),
                    hangs.stream()
                            .map(hang ->
                                    "{\"seed\": " + hang.seed() + ", \"why\": " + JsonText.quoted(hang.why()) + "}")
                            .collect(Collectors.joining(", ")));
        }

        private String rows(String format, Function<Figure, String> name, String between) {
            return Arrays.stream(Figure.values())
                    .map(figure -> {
                        Count count = counts.getOrDefault(figure, Count.NONE);
                        return String.format(
                                Locale.ROOT, format, name.apply(figure), count.played(), count.hung(), count.asked());
                    })
                    .collect(Collectors.joining(between));
        }
    }

    private final Clock clock;
    private final Consumer<String> progress;

    /** @param progress receives progress messages from time to time */
    public DeadlockRun(Clock clock, Consumer<String> progress) {
        this.clock = clock;
        this.progress = progress;
    }

    /** Plays the instances of so many seeds. */
    public Outcome run(Rule rule, long from, int seeds, int threads) throws InterruptedException {
        Sum sum = new Sum(rule, from, seeds);
        MessageKinds kinds = new MessageKinds();
        AtomicLong next = new AtomicLong(from);
        SeedThreads.run(threads, () -> {
            for (long seed = next.getAndIncrement(); seed - from < seeds; seed = next.getAndIncrement()) {
                sum.add(new Cluster(new InstanceDraw(seed).draw(), rule, kinds).play());
            }
        });
        return sum.outcome();
    }

    /** What is known so far; thread-safe. */
    private final class Sum {

        private final Rule rule;
        private final long from;
        private final int seeds;
        private final long start = clock.millis();
        private final EnumMap<Figure, Count> counts = new EnumMap<>(Figure.class);
        private final List<Hang> hangs = new ArrayList<>();
        private long reported = start;
        private long events;
        private int done;

        Sum(Rule rule, long from, int seeds) {
            this.rule = rule;
            this.from = from;
            this.seeds = seeds;
        }

        synchronized void add(Result result) {
            done++;
            events += result.events();
            counts.merge(
                    result.instance().figure(),
                    new Count(1, result.hang().isPresent() ? 1 : 0, result.returnsAsked() > 0 ? 1 : 0),
                    Count::plus);
            result.hang().ifPresent(why -> {
                hangs.add(new Hang(result.instance().seed(), why));
                progress.accept("seed " + result.instance().seed() + " hangs");
            });
            long now = clock.millis();
            if (now - reported > REPORT_MILLIS) {
                reported = now;
                progress.accept(done + " of " + seeds + " instances, " + hangs.size() + " hang after "
                        + (now - start) / 1_000 + " s");
            }
        }

        synchronized Outcome outcome() {
            List<Hang> first = hangs.stream()
                    .sorted(Comparator.comparingLong(Hang::seed))
                    .limit(DESCRIBED)
                    .toList();
            return new Outcome(rule, from, counts, first, events, clock.millis() - start);
        }
    }
}
