package io.berth.simulator;

import io.berth.core.api.time.SystemClock;
import io.berth.simulator.ProcessFaults.Fault;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The command: plays seeds and tells what it saw. Exit code 0 when all promises were kept, 1 when one was broken, 2 for
 * bad input.
 */
public final class Simulate {

    private static final List<String> OPTIONS = List.of(
            "--seeds", "--from", "--hours", "--workers", "--jobs", "--faults", "--mode", "--replay", "-o");
    private static final String HELP = "simulate [--seeds N] [--from SEED] [--hours H] [--workers W] [--jobs J]"
            + " [--faults LIST|all] [--mode safety|liveness] [--replay SEED] [-o text|json]";

    private final SortedMap<String, String> given = new TreeMap<>();
    private final PrintStream out;
    private final PrintStream err;

    private Simulate(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    public static void main(String[] arguments) throws InterruptedException {
        System.exit(run(List.of(arguments), System.out, System.err));
    }

    static int run(List<String> arguments, PrintStream out, PrintStream err) throws InterruptedException {
        return new Simulate(out, err).run(arguments);
    }

    private int run(List<String> arguments) throws InterruptedException {
        if (arguments.contains("--help")) {
            out.println(HELP);
            return 0;
        }
        try {
            read(arguments);
            Plan plan = plan();
            long nanos = (long) (decimal("--hours", 1) * 3_600 * VirtualTime.SECOND);
            boolean json = oneOf("-o", "text", List.of("text", "json")).equals("json");
            if (given.containsKey("--replay")) {
                return replay(plan, number("--replay", 1), nanos);
            }
            SeedRun.Outcome outcome = new SeedRun(new SystemClock(), err::println)
                    .run(
                            plan,
                            number("--from", 1),
                            Math.toIntExact(number("--seeds", 100)),
                            nanos,
                            Runtime.getRuntime().availableProcessors(),
                            Long.MAX_VALUE / 2);
            out.println(json ? new SimulationJson(outcome).text() : outcome.summary() + "\n" + outcome.coverage().table());
            return outcome.violations().isEmpty() ? 0 : 1;
        } catch (IllegalArgumentException | ArithmeticException bad) {
            err.println(bad.getMessage());
            err.println(HELP);
            return 2;
        }
    }

    private int replay(Plan plan, long seed, long nanos) {
        Simulation.Result result = new Simulation(seed, nanos, plan, Optional.of(out::println)).play();
        out.println("seed " + seed + ": trace " + Long.toHexString(result.hash()) + ", " + result.events() + " events, "
                + result.violation().orElse("no violation"));
        return result.violation().isEmpty() ? 0 : 1;
    }

    private void read(List<String> arguments) {
        for (int at = 0; at < arguments.size(); at += 2) {
            String option = arguments.get(at);
            if (!OPTIONS.contains(option)) {
                throw new IllegalArgumentException("option '" + option + "': allowed are " + OPTIONS);
            }
            if (at + 1 == arguments.size()) {
                throw new IllegalArgumentException("option " + option + " needs a value");
            }
            given.put(option, arguments.get(at + 1));
        }
    }

    private Plan plan() {
        boolean liveness = oneOf("--mode", "liveness", List.of("safety", "liveness")).equals("liveness");
        return new Plan(
                faults(), List.of(), OptionalDouble.empty(), liveness,
                Math.toIntExact(number("--workers", 5)), Math.toIntExact(number("--jobs", 3)));
    }

    private List<Fault> faults() {
        String list = given.getOrDefault("--faults", "all");
        if (list.equals("all")) {
            return List.of(Fault.values());
        }
        List<Fault> faults = new ArrayList<>();
        for (String name : list.split(",")) {
            faults.add(Arrays.stream(Fault.values())
                    .filter(fault -> fault.name().equals(name.strip().toUpperCase(Locale.ROOT).replace('-', '_')))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "fault '" + name + "': allowed are all and " + Arrays.toString(Fault.values()))));
        }
        return faults;
    }

    private long number(String option, long otherwise) {
        try {
            return Long.parseLong(given.getOrDefault(option, Long.toString(otherwise)));
        } catch (NumberFormatException bad) {
            throw new IllegalArgumentException(
                    "option " + option + " is '" + given.get(option) + "': allowed is a whole number", bad);
        }
    }

    private double decimal(String option, double otherwise) {
        try {
            double value = Double.parseDouble(given.getOrDefault(option, Double.toString(otherwise)));
            if (value > 0 && value <= 100_000) {
                return value;
            }
        } catch (NumberFormatException bad) {
            // told below
        }
        throw new IllegalArgumentException(
                "option " + option + " is '" + given.get(option) + "': allowed is a number above 0");
    }

    private String oneOf(String option, String otherwise, List<String> allowed) {
        String value = given.getOrDefault(option, otherwise);
        if (!allowed.contains(value)) {
            throw new IllegalArgumentException("option " + option + " is '" + value + "': allowed are " + allowed);
        }
        return value;
    }
}
