package io.berth.simulator;

import io.berth.simulator.deadlock.Rule;
import io.berth.simulator.fault.ProcessFaults.Fault;
import io.berth.simulator.seed.Plan;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.world.Worker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The options of a run.
 *
 * @param step from one seed to the next
 * @param nanos minimum virtual time of each seed
 * @param replay the one seed that is played with its trace
 * @param json whether the result is printed as JSON
 * @param threads that play seeds
 * @param cuts for how many seeds that broke an invariant a short trace is searched
 * @param coverage file for the table of what happened to each kind of message
 * @param everyCell whether a run fails that leaves a cell of that table empty
 * @param deadlocks the rule with which deadlock instances are played instead
 */
record SimulateOptions(
        Plan plan,
        int seeds,
        long from,
        long step,
        long nanos,
        OptionalLong replay,
        boolean json,
        int threads,
        int cuts,
        Optional<Path> coverage,
        boolean everyCell,
        Optional<Rule> deadlocks) {

    static final int SEEDS = 100;
    private static final int MAX_SEEDS = 10_000_000;
    private static final long MAX_STEP = 1_000_000;
    private static final double MAX_HOURS = 1_000;
    private static final int MAX_WORKERS = 1_000;
    private static final int MAX_JOBS = 1_000;
    private static final int MAX_THREADS = 1_024;
    /** Slots that a large job takes; only the very largest take more. */
    private static final int SLOTS_PER_JOB = 6;

    private static final String DEADLOCKS = "--deadlocks";

    private static final List<String> NAMES = List.of(
            "--seeds",
            "--from",
            "--step",
            "--hours",
            "--workers",
            "--jobs",
            "--faults",
            "--mode",
            "--replay",
            "--threads",
            "--cuts",
            "--coverage",
            DEADLOCKS,
            "-o",
            "--output-format");

    /** What goes with the option {@link #DEADLOCKS}. */
    private static final List<String> OF_DEADLOCKS = List.of("--seeds", "--from", "--threads", "-o", "--output-format");

    /** An option without a value. */
    private static final String EVERY_CELL = "--every-cell";

    static final String HELP = """
            Usage: berth simulate [--seeds N] [--from SEED] [--step N] [--hours H] [--workers W] [--jobs J]
                                  [--faults LIST|all|none] [--mode safety|liveness] [--threads N] [--cuts N]
                                  [--coverage FILE] [--every-cell] [--replay SEED] [-o table|json]
                   berth simulate --deadlocks whole|no-minimum|no-return [--seeds N] [--from SEED] [--threads N]
                                  [-o table|json]
            Plays simulated clusters with faults and reports which invariants were broken.

              --seeds N         Number of seeds. Default: 100
              --from SEED       The first seed. Default: 1
              --step N          Distance from one seed to the next. From 9 on with 17, all have batch jobs. Default: 1
              --hours H         Simulated hours of each seed. Default: 1
              --workers W       Workers of each cluster. Default: 5
              --jobs J          Jobs that run on it at a time. Default: 3
              --faults LIST     Faults of processes, clocks and the network to inject, separated by commas; all or
                                none. Message faults are part of all. Default: all
              --mode MODE       safety: invariants must never break. liveness: in addition, faults end from time to time, and
                                the cluster must recover within three times the largest timeout. Default: liveness
              --threads N       Number of seeds that run in parallel. Default: one for each core
              --cuts N          Number of failed seeds for which a short trace is searched. Default: 1
              --coverage FILE   File for the table of what happened to each kind of message
              --every-cell      Fails when a cell of that table is empty, and prints which
              --replay SEED     Plays one seed and prints its trace
              --deadlocks RULE  Plays small clusters instead on which units compete for slots, and counts those that
                                hang: with the whole rule against deadlocks, without minima that are granted whole,
                                or without slots that are returned for others
              -o table|json     Output format. Default: table

            Exit code 0: all invariants held, 1: one was broken, a cell is empty with --every-cell, or an instance hangs
            with the whole rule, 2: bad input.
            Faults:""";

    /** The text of {@code --help}. */
    static String help() {
        return HELP + " " + names(", ");
    }

    /**
     * @param cores default number of threads
     * @throws IllegalArgumentException names option, value and what is allowed
     */
    static SimulateOptions read(List<String> arguments, int cores) {
        SortedMap<String, String> given = given(arguments);
        Optional<Rule> deadlocks = Optional.ofNullable(given.get(DEADLOCKS)).map(Rule::of);
        if (deadlocks.isPresent()) {
            given.keySet().stream()
                    .filter(option -> !option.equals(DEADLOCKS) && !OF_DEADLOCKS.contains(option))
                    .findFirst()
                    .ifPresent(other -> {
                        throw new IllegalArgumentException("option " + other + " does not go with " + DEADLOCKS
                                + ": allowed are " + String.join(", ", OF_DEADLOCKS));
                    });
        }
        boolean liveness = oneOf(given, "--mode", "liveness", List.of("safety", "liveness"))
                .equals("liveness");
        int jobs = (int) number(given, "--jobs", 3, 1, MAX_JOBS);
        int workers = (int) number(given, "--workers", 5, 1, MAX_WORKERS);
        if (liveness && workers * Worker.DEFAULT_SLOTS < jobs * SLOTS_PER_JOB) {
            throw new IllegalArgumentException(
                    "option --workers is '" + workers + "': too few for the jobs, which must all"
                            + " recover in mode liveness; allowed with --jobs " + jobs + " is at least "
                            + (jobs * SLOTS_PER_JOB + Worker.DEFAULT_SLOTS - 1) / Worker.DEFAULT_SLOTS);
        }
        Plan plan = new Plan(
                faults(given.getOrDefault("--faults", "all")),
                List.of(),
                OptionalDouble.empty(),
                liveness,
                workers,
                jobs,
                true);
        if (given.containsKey(EVERY_CELL) && given.containsKey("--replay")) {
            throw new IllegalArgumentException("option " + EVERY_CELL
                    + " does not go with --replay: one seed leaves cells empty; allowed is it with --seeds");
        }
        String format = given.containsKey("-o") ? "-o" : "--output-format";
        return new SimulateOptions(
                plan,
                (int) number(given, "--seeds", SEEDS, 1, MAX_SEEDS),
                number(given, "--from", 1, 0, Long.MAX_VALUE / 2),
                number(given, "--step", 1, 1, MAX_STEP),
                (long) (hours(given) * 3_600 * VirtualTime.SECOND),
                given.containsKey("--replay")
                        ? OptionalLong.of(number(given, "--replay", 0, 0, Long.MAX_VALUE / 2))
                        : OptionalLong.empty(),
                oneOf(given, format, "table", List.of("table", "json")).equals("json"),
                (int) number(given, "--threads", cores, 1, MAX_THREADS),
                (int) number(given, "--cuts", 1, 0, MAX_SEEDS),
                Optional.ofNullable(given.get("--coverage")).map(Path::of),
                given.containsKey(EVERY_CELL),
                deadlocks);
    }

    private static SortedMap<String, String> given(List<String> arguments) {
        SortedMap<String, String> given = new TreeMap<>();
        for (int at = 0; at < arguments.size(); at++) {
            String argument = arguments.get(at);
            int equals = argument.startsWith("--") ? argument.indexOf('=') : -1;
            String option = equals < 0 ? argument : argument.substring(0, equals);
            String value;
            if (argument.equals(EVERY_CELL)) {
                value = "";
            } else if (!NAMES.contains(option)) {
                throw new IllegalArgumentException("option '" + option + "' is not known: allowed are "
                        + String.join(", ", NAMES) + ", and " + EVERY_CELL + " without a value");
            } else if (equals < 0 && at + 1 == arguments.size()) {
                throw new IllegalArgumentException("option " + option + " has no value: give one after it");
            } else {
                value = equals < 0 ? arguments.get(++at) : argument.substring(equals + 1);
            }
            if (given.put(option, value) != null) {
                throw new IllegalArgumentException("option " + option + " is given twice: allowed is once");
            }
        }
        return given;
    }

    private static List<Fault> faults(String list) {
        if (list.equals("all")) {
            return List.of(Fault.values());
        }
        if (list.equals("none")) {
            return List.of();
        }
        List<Fault> faults = new ArrayList<>();
        for (String name : list.split(",", -1)) {
            faults.add(Arrays.stream(Fault.values())
                    .filter(fault -> fault.name()
                            .equals(name.strip().toUpperCase(Locale.ROOT).replace('-', '_')))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("option --faults names '" + name.strip()
                            + "': allowed are all, none, and a list of " + names(", "))));
        }
        return faults.stream().distinct().toList();
    }

    private static String names(String between) {
        return Arrays.stream(Fault.values())
                .map(fault -> fault.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .collect(Collectors.joining(between));
    }

    private static long number(SortedMap<String, String> given, String option, long otherwise, long least, long most) {
        String text = given.getOrDefault(option, Long.toString(otherwise));
        try {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException bad) {
            // Reported below, like a number out of range.
        }
        throw new IllegalArgumentException(
                "option " + option + " is '" + text + "': allowed is a whole number from " + least + " to " + most);
    }

    private static double hours(SortedMap<String, String> given) {
        String text = given.getOrDefault("--hours", "1");
        try {
            double value = Double.parseDouble(text);
            if (value > 0 && value <= MAX_HOURS) {
                return value;
            }
        } catch (NumberFormatException bad) {
            // Reported below, like a number out of range.
        }
        throw new IllegalArgumentException(
                "option --hours is '" + text + "': allowed is a number above 0 up to " + (int) MAX_HOURS);
    }

    private static String oneOf(
            SortedMap<String, String> given, String option, String otherwise, List<String> allowed) {
        String value = given.getOrDefault(option, otherwise);
        if (!allowed.contains(value)) {
            throw new IllegalArgumentException(
                    "option " + option + " is '" + value + "': allowed are " + String.join(" and ", allowed));
        }
        return value;
    }
}
