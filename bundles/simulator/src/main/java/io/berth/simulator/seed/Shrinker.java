package io.berth.simulator.seed;

import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.world.Worker;
import io.berth.simulator.world.World.Shape;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Searches a short trace that shows how an invariant is broken. It removes parts of the world, faults and operations
 * on messages as long as the same invariant still breaks, and keeps only the lines of the trace about the broken
 * thing. It shrinks the same seed in the same way on any machine, because its effort is bounded by simulated time.
 */
public final class Shrinker {

    /** Maximum simulated time of all attempts together. */
    static final long MAX_NANOS = 60 * 3_600 * VirtualTime.SECOND;

    private static final int MAX_ATTEMPTS = 600;
    /** How many seeds after the first one are tried in a smaller world. */
    private static final int SEEDS = 3;
    /** How many seeds are compared to find the one that breaks soonest. */
    private static final int SOONER_SEEDS = 20;
    /** A cluster that is too small for its jobs would break invariants for that reason alone. */
    private static final int SLOTS_PER_JOB = 7;

    /**
     * The result.
     *
     * @param seed that was shrunk
     * @param playedSeed the seed of the trace: it breaks the same invariant in the smaller world
     * @param concerned what the trace is about
     */
    public record Cut(
            long seed,
            long playedSeed,
            Part part,
            long nanos,
            int faults,
            int operations,
            String violation,
            List<String> concerned,
            List<String> trace) {

        public Cut {
            concerned = List.copyOf(concerned);
            trace = List.copyOf(trace);
        }
    }

    /** A way to break the invariant. */
    private record Story(long seed, Part part, Simulation.Result result) {}

    private final Plan plan;
    private final long seed;
    private final SortedSet<String> invariants;
    private final long nanos;
    private final long mostNanos;
    private long spent;
    private int attempts;

    /**
     * @param violation of the seed
     * @param nanos after which it broke the invariant
     */
    public Shrinker(Plan plan, long seed, String violation, long nanos) {
        this(plan, seed, violation, nanos, MAX_NANOS);
    }

    /** @param mostNanos simulated time of all attempts together */
    Shrinker(Plan plan, long seed, String violation, long nanos, long mostNanos) {
        this.plan = plan;
        this.seed = seed;
        this.nanos = nanos;
        this.mostNanos = mostNanos;
        invariants = invariants(violation);
    }

    /** The broken invariants, without the names and figures of the single case. */
    static SortedSet<String> invariants(String violation) {
        SortedSet<String> invariants = new TreeSet<>();
        for (String problem : violation.split("; ")) {
            List<String> words = new ArrayList<>();
            for (String word : problem.split("[^A-Za-z0-9#:/.-]+")) {
                if (words.size() < 8 && !word.isEmpty()) {
                    words.add(word.matches("[A-Z][0-9]*:") || !word.matches(".*[0-9].*") ? word : "#");
                }
            }
            invariants.add(String.join(" ", words));
        }
        return invariants;
    }

    public Cut cut() {
        Story story = played(seed, Part.whole(), nanos)
                .orElseThrow(() -> new IllegalStateException(
                        "seed " + seed + " does not break the invariant again: " + invariants));
        story = smaller(story);
        story = sooner(story);
        for (int round = 0; round < 2; round++) {
            story = fewer(story, story.result().strikes().keySet(), story.part()::withStrikes);
            story = fewer(story, operations(story), story.part()::withOperations);
        }
        return cutOf(story);
    }

    /** Plays again; empty when the invariant holds, or when the allowed effort is used up. */
    private Optional<Story> played(long other, Part part, long limit) {
        if (attempts >= MAX_ATTEMPTS || spent >= mostNanos) {
            return Optional.empty();
        }
        attempts++;
        Simulation.Result result = new Simulation(other, limit, plan, part, Optional.empty()).play();
        spent += result.simulatedNanos();
        return result.violation()
                .filter(violation -> invariants(violation).stream().anyMatch(invariants::contains))
                .map(violation -> new Story(other, part, result));
    }

    private Shape shape(Story story) {
        return story.part().shape().orElseGet(() -> Simulation.shape(story.seed(), plan));
    }

    /** A smaller world in which this seed or one of the next also breaks the invariant. */
    private Story smaller(Story from) {
        Story story = new Story(from.seed(), from.part().in(shape(from)), from.result());
        List<Function<Shape, Shape>> steps = List.of(
                shape -> new Shape(1, true, shape.standaloneWorkers(), shape.backendWorkers(), shape.jobs(), false),
                shape -> new Shape(
                        shape.masters(), true, shape.standaloneWorkers(), shape.backendWorkers(), shape.jobs(), false),
                shape -> new Shape(
                        1, shape.together(), shape.standaloneWorkers(), shape.backendWorkers(), shape.jobs(), false),
                shape -> jobs(shape, 1),
                shape -> jobs(shape, 2),
                shape -> workers(shape, 2, 0),
                shape -> workers(shape, 0, 2),
                shape -> workers(shape, 3, 0),
                shape -> workers(shape, 0, 3),
                shape -> workers(shape, shape.standaloneWorkers(), 0),
                shape -> workers(shape, 0, shape.backendWorkers()));
        for (Function<Shape, Shape> step : steps) {
            Shape now = shape(story);
            Shape less = step.apply(now);
            if (!less.equals(now) && isEnough(less)) {
                Part part = story.part().in(less);
                long limit = 2 * story.result().simulatedNanos();
                for (int next = 0; next <= SEEDS; next++) {
                    Optional<Story> there = played(story.seed() + next, part, limit);
                    if (there.isPresent()) {
                        story = there.get();
                        break;
                    }
                }
            }
        }
        return story;
    }

    private static Shape jobs(Shape shape, int most) {
        return new Shape(
                shape.masters(),
                shape.together(),
                shape.standaloneWorkers(),
                shape.backendWorkers(),
                Math.min(most, shape.jobs()),
                false);
    }

    private static Shape workers(Shape shape, int standalone, int ofBackend) {
        return new Shape(
                shape.masters(),
                shape.together(),
                Math.min(standalone, shape.standaloneWorkers()),
                Math.min(ofBackend, shape.backendWorkers()),
                shape.jobs(),
                false);
    }

    private static boolean isEnough(Shape shape) {
        return (shape.standaloneWorkers() + shape.backendWorkers()) * Worker.DEFAULT_SLOTS
                >= shape.jobs() * SLOTS_PER_JOB;
    }

    /** Of some seeds in the same world, the one that breaks the invariant first. */
    private Story sooner(Story from) {
        Story story = from;
        for (int next = 1; next <= SOONER_SEEDS; next++) {
            Optional<Story> there =
                    played(from.seed() + next, story.part(), story.result().simulatedNanos());
            if (there.isPresent()
                    && there.get().result().simulatedNanos() < story.result().simulatedNanos()) {
                story = there.get();
            }
        }
        return story;
    }

    private static Collection<Integer> operations(Story story) {
        return IntStream.rangeClosed(1, story.result().operations())
                .filter(story.part()::operates)
                .boxed()
                .toList();
    }

    /** Removes as many of them as possible, large pieces first. */
    private Story fewer(Story from, Collection<Integer> all, Function<SortedSet<Integer>, Part> with) {
        Story story = from;
        List<Integer> kept = new ArrayList<>(all);
        for (int piece = kept.size(); piece > 0; piece /= 2) {
            for (int at = 0; at < kept.size(); ) {
                List<Integer> rest = new ArrayList<>(kept);
                rest.subList(at, Math.min(kept.size(), at + piece)).clear();
                Optional<Story> there = played(
                        story.seed(),
                        with.apply(new TreeSet<>(rest)),
                        story.result().simulatedNanos());
                if (there.isPresent()) {
                    story = there.get();
                    kept = rest;
                } else {
                    at += piece;
                }
            }
        }
        return story;
    }

    private Cut cutOf(Story story) {
        List<String> lines = new ArrayList<>();
        new Simulation(story.seed(), story.result().simulatedNanos(), plan, story.part(), Optional.of(lines::add))
                .play();
        String violation = story.result().violation().orElseThrow();
        Excerpt excerpt = Excerpt.of(lines, violation);
        return new Cut(
                seed,
                story.seed(),
                story.part(),
                story.result().simulatedNanos(),
                story.result().strikes().size(),
                operations(story).size(),
                violation,
                excerpt.concerned(),
                excerpt.lines());
    }

    @Override
    public String toString() {
        return "shrinking of seed " + seed + ": " + invariants.stream().collect(Collectors.joining("; "));
    }
}
