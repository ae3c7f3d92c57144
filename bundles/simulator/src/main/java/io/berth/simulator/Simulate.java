package io.berth.simulator;

import io.berth.core.api.time.SystemClock;
import io.berth.simulator.deadlock.DeadlockRun;
import io.berth.simulator.deadlock.Rule;
import io.berth.simulator.decisions.DecisionsCommand;
import io.berth.simulator.replay.ReplayCommand;
import io.berth.simulator.seed.SeedRun;
import io.berth.simulator.seed.Shrinker;
import io.berth.simulator.seed.Simulation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.world.World;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The commands {@code berth simulate} and, with {@code compare} before its options, {@code berth policy compare}: plays
 * seeds or replays a trace, and prints the result. Exit code 0 when all invariants held, 1 when one
 * was broken or a cell stayed empty that had to be filled, 2 for bad input.
 */
public final class Simulate {

    private static final int KEPT = 0;
    private static final int BROKEN = 1;
    private static final int BAD_INPUT = 2;

    /** The first argument of {@code berth policy compare}. */
    private static final String COMPARE = "compare";

    private final PrintStream out;
    private final PrintStream err;

    private Simulate(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    public static void main(String[] arguments) throws InterruptedException {
        int code = run(List.of(arguments), System.out, System.err);
        System.out.flush();
        System.exit(code);
    }

    static int run(List<String> arguments, PrintStream out, PrintStream err) throws InterruptedException {
        if (!arguments.isEmpty() && arguments.get(0).equals(COMPARE)) {
            return compare(arguments.subList(1, arguments.size()), out, err);
        }
        if (arguments.contains("--help") || arguments.contains("-h")) {
            out.println(SimulateOptions.help());
            out.println(ReplayCommand.HELP);
            out.println(DecisionsCommand.HELP);
            return KEPT;
        }
        if (DecisionsCommand.asked(arguments)) {
            return DecisionsCommand.run(arguments, out, err);
        }
        if (ReplayCommand.asked(arguments)) {
            return ReplayCommand.simulate(arguments, out, err);
        }
        SimulateOptions options;
        try {
            options = SimulateOptions.read(arguments, Runtime.getRuntime().availableProcessors());
            // Before the seeds are played, which may take hours.
            options.coverage().ifPresent(file -> write(file, ""));
        } catch (IllegalArgumentException bad) {
            err.println("berth: " + bad.getMessage());
            err.println("'berth simulate --help' shows what is allowed");
            return BAD_INPUT;
        }
        Simulate simulate = new Simulate(out, err);
        if (options.deadlocks().isPresent()) {
            return simulate.deadlocks(options, options.deadlocks().get());
        }
        return options.replay().isPresent()
                ? simulate.replay(options, options.replay().getAsLong())
                : simulate.play(options);
    }

    private int deadlocks(SimulateOptions options, Rule rule) throws InterruptedException {
        DeadlockRun.Outcome outcome = new DeadlockRun(new SystemClock(), err::println)
                .run(rule, options.from(), options.seeds(), options.threads());
        out.println(options.json() ? outcome.json() : outcome.text());
        return rule == Rule.WHOLE && outcome.hung() > 0 ? BROKEN : KEPT;
    }

    private static int compare(List<String> arguments, PrintStream out, PrintStream err) {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            out.println(ReplayCommand.COMPARE_HELP);
            return KEPT;
        }
        return ReplayCommand.compare(arguments, out, err);
    }

    private int play(SimulateOptions options) throws InterruptedException {
        SeedRun.Outcome outcome = new SeedRun(new SystemClock(), err::println)
                .run(
                        options.plan(),
                        new SeedRun.Seeds(options.from(), options.seeds(), options.step()),
                        options.nanos(),
                        options.threads(),
                        Long.MAX_VALUE / 2);
        List<Shrinker.Cut> cuts = new ArrayList<>();
        for (SeedRun.Broken broken : outcome.violations()) {
            if (cuts.size() < options.cuts()) {
                err.println("shrinking seed " + broken.seed() + " down");
                cuts.add(
                        new Shrinker(options.plan(), broken.seed(), broken.violation(), broken.simulatedNanos()).cut());
            }
        }
        List<String> empty = outcome.coverage().empty();
        if (options.json()) {
            out.println(new SimulationJson(outcome, cuts).text());
        } else {
            out.println(outcome.summary());
            outcome.violations().forEach(broken -> out.println("seed " + broken.seed() + ": " + broken.violation()));
            cuts.forEach(this::print);
            out.println("messages: " + empty.size() + " cells are empty of the table that --coverage FILE writes"
                    + (options.everyCell() && !empty.isEmpty() ? ": " + String.join(", ", empty) : ""));
        }
        if (options.coverage().isPresent()) {
            write(options.coverage().get(), outcome.coverage().table());
        }
        return exitCode(outcome, options.everyCell());
    }

    /** @param everyCell whether an empty cell of the table of messages and operators is a failure */
    static int exitCode(SeedRun.Outcome outcome, boolean everyCell) {
        boolean fails = everyCell && !outcome.coverage().empty().isEmpty();
        return outcome.violations().isEmpty() && !fails ? KEPT : BROKEN;
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException failure) {
            throw new IllegalArgumentException(
                    "option --coverage is '" + file + "': allowed is a file that can be written", failure);
        }
    }

    private int replay(SimulateOptions options, long seed) {
        Simulation.Result result =
                new Simulation(seed, options.nanos(), options.plan(), Optional.of(out::println)).play();
        out.println("seed " + seed + ": trace " + Long.toHexString(result.hash()) + ", " + result.events() + " events, "
                + result.violation().orElse("no violation"));
        if (result.violation().isEmpty()) {
            return KEPT;
        }
        if (options.cuts() > 0) {
            print(new Shrinker(options.plan(), seed, result.violation().get(), result.simulatedNanos()).cut());
        }
        return BROKEN;
    }

    private void print(Shrinker.Cut cut) {
        World.Shape shape = cut.part().shape().orElseThrow();
        out.printf(
                Locale.ROOT,
                "seed %d shrunk: seed %d with %d masters%s, %d workers, %d of them of a backend, %d jobs, %d faults and"
                        + " %d operations on messages breaks after %.1f s:%n",
                cut.seed(),
                cut.playedSeed(),
                shape.masters(),
                shape.together() ? "" : " of each role",
                shape.standaloneWorkers() + shape.backendWorkers(),
                shape.backendWorkers(),
                shape.jobs(),
                cut.faults(),
                cut.operations(),
                cut.nanos() / (double) VirtualTime.SECOND);
        out.println("  " + cut.violation());
        out.println("lines about " + String.join(", ", cut.concerned()) + ", in seconds:");
        cut.trace().forEach(out::println);
    }
}
