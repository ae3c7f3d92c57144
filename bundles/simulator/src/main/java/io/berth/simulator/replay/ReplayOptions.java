package io.berth.simulator.replay;

import io.berth.simulator.policies.PolicyLists;
import io.berth.simulator.policies.PolicyPair;
import io.berth.simulator.replay.cluster.ReplayedPool;
import io.berth.simulator.report.PlotFile;
import io.berth.simulator.traces.TraceReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The options of a replay.
 *
 * @param policies combinations to compare, without duplicates
 * @param pool its queues
 * @param slotCpus maximum number of processors of a slot
 * @param limit maximum number of jobs
 * @param pack whether one job arrives each second and stays, whatever the times in the trace
 * @param elastic how workers start and stop; empty: all exist from the start
 * @param quiet whether no progress is shown
 * @param outagesSystem the system whose outages are used
 */
record ReplayOptions(
        Path nodes,
        Path jobs,
        Optional<Path> outages,
        String nodesFormat,
        String jobsFormat,
        String outagesFormat,
        OptionalInt outagesSystem,
        OptionalInt slotCpus,
        int limit,
        boolean pack,
        Optional<ReplayInput.Elastic> elastic,
        OptionalInt moveSeconds,
        List<PolicyPair> policies,
        ReplayedPool pool,
        Optional<PlotFile> plot,
        boolean quiet,
        boolean json) {

    private static final String NODES = "--nodes";
    private static final String JOBS = "--jobs";
    private static final String OUTAGES = "--outages";
    private static final String NODES_FORMAT = "--nodes-format";
    private static final String JOBS_FORMAT = "--jobs-format";
    private static final String OUTAGES_FORMAT = "--outages-format";
    private static final String OUTAGES_SYSTEM = "--outages-system";
    private static final String SLOT_CPUS = "--slot-cpus";
    private static final String LIMIT = "--limit";
    private static final String PACK = "--pack";
    private static final String START = "--worker-start";
    private static final String IDLE = "--worker-idle";
    private static final String MOVE = "--move-seconds";
    private static final String POOL = "--pool";
    private static final String BUNDLE = "--bundle";
    private static final String QUIET = "--quiet";
    private static final List<String> FORMATS = List.of("-o", "--output-format");

    /** Options of replays only, as the one for a plot. Any of them makes {@code berth simulate} a replay. */
    private static final List<String> OWN = List.of(
            NODES,
            OUTAGES,
            NODES_FORMAT,
            JOBS_FORMAT,
            OUTAGES_FORMAT,
            OUTAGES_SYSTEM,
            SLOT_CPUS,
            LIMIT,
            PACK,
            START,
            IDLE,
            MOVE,
            PolicyLists.POLICY,
            POOL,
            BUNDLE,
            QUIET);

    private static final int MAX_SLOT_CPUS = 100_000;
    private static final int MAX_JOBS = 10_000_000;
    private static final int MAX_SYSTEMS = 1_000;
    private static final int MAX_WORKER_SECONDS = 50_000;
    private static final int IDLE_SECONDS = 1_000;

    ReplayOptions {
        policies = List.copyOf(policies);
    }

    /**
     * Whether the command line requests a replay rather than seeds.
     *
     * @param plot name of the option for a plot, as in {@link #read}
     */
    static boolean asked(List<String> arguments, String plot) {
        for (int at = 0; at < arguments.size(); at++) {
            String name = name(arguments.get(at));
            if (OWN.contains(name) || name.equals(plot)) {
                return true;
            }
            if (name.equals(JOBS)) {
                String value = arguments.get(at).length() > name.length()
                        ? arguments.get(at).substring(name.length() + 1)
                        : at + 1 < arguments.size() ? arguments.get(at + 1) : "";
                if (!value.matches("[-+]?[0-9]*")) {
                    return true;
                }
            }
        }
        return false;
    }

    private static String name(String argument) {
        int equals = argument.startsWith("--") ? argument.indexOf('=') : -1;
        return equals < 0 ? argument : argument.substring(0, equals);
    }

    /** @throws IllegalArgumentException names option, value and what is allowed */
    static ReplayOptions read(List<String> arguments, String plot) {
        List<Path> bundles = new ArrayList<>();
        PolicyLists policies = new PolicyLists();
        SortedMap<String, String> given = given(arguments, plot, bundles, policies);
        if (!given.containsKey(NODES) || !given.containsKey(JOBS)) {
            throw new IllegalArgumentException("option " + (given.containsKey(NODES) ? JOBS : NODES)
                    + " is missing: a replay needs " + NODES + " FILE and " + JOBS + " FILE");
        }
        for (String option : List.of(OUTAGES_FORMAT, OUTAGES_SYSTEM)) {
            if (given.containsKey(option) && !given.containsKey(OUTAGES)) {
                throw new IllegalArgumentException(
                        "option " + option + " is given without " + OUTAGES + ": it is allowed with that");
            }
        }
        if (given.containsKey(PACK) && given.containsKey(OUTAGES)) {
            throw new IllegalArgumentException("options " + PACK + " and " + OUTAGES
                    + " are given: outages have times and packed jobs have not; allowed is one of them");
        }
        String output = given.containsKey(FORMATS.get(0)) ? FORMATS.get(0) : FORMATS.get(1);
        return new ReplayOptions(
                Path.of(given.get(NODES)),
                Path.of(given.get(JOBS)),
                Optional.ofNullable(given.get(OUTAGES)).map(Path::of),
                oneOf(given, NODES_FORMAT, TraceReader.AUTO, TraceReader.NODE_FORMATS),
                oneOf(given, JOBS_FORMAT, TraceReader.AUTO, TraceReader.JOB_FORMATS),
                oneOf(given, OUTAGES_FORMAT, TraceReader.AUTO, TraceReader.OUTAGE_FORMATS),
                number(given, OUTAGES_SYSTEM, 0, MAX_SYSTEMS),
                number(given, SLOT_CPUS, 1, MAX_SLOT_CPUS),
                number(given, LIMIT, 1, MAX_JOBS).orElse(MAX_JOBS),
                given.containsKey(PACK),
                elastic(given),
                number(given, MOVE, 0, MAX_WORKER_SECONDS),
                policies.pairs(bundles),
                Optional.ofNullable(given.get(POOL))
                        .map(file -> ReplayedPool.read(Path.of(file)))
                        .orElse(ReplayedPool.DEFAULT),
                Optional.ofNullable(given.get(plot)).map(file -> PlotFile.named(plot, file)),
                given.containsKey(QUIET),
                oneOf(given, output, "table", List.of("table", "json")).equals("json"));
    }

    private static SortedMap<String, String> given(
            List<String> arguments, String plot, List<Path> bundles, PolicyLists policies) {
        List<String> allowed = new ArrayList<>(OWN);
        allowed.add(JOBS);
        allowed.add(plot);
        allowed.addAll(FORMATS);
        SortedMap<String, String> given = new TreeMap<>();
        for (int at = 0; at < arguments.size(); at++) {
            String argument = arguments.get(at);
            String option = name(argument);
            if (!allowed.contains(option)) {
                throw new IllegalArgumentException("option '" + option
                        + "' does not go with a replay of a trace: allowed are " + String.join(", ", allowed));
            }
            boolean apart = option.length() == argument.length();
            if (option.equals(PACK) || option.equals(QUIET)) {
                if (!apart || given.put(option, "") != null) {
                    throw new IllegalArgumentException(
                            "option " + option + " has a value, or is given twice: allowed is once and without");
                }
                continue;
            }
            if (apart && at + 1 == arguments.size()) {
                throw new IllegalArgumentException("option " + option + " has no value: give one after it");
            }
            String value = apart ? arguments.get(++at) : argument.substring(option.length() + 1);
            if (value.isEmpty()) {
                throw new IllegalArgumentException("option " + option + " is empty: give a value");
            }
            if (option.equals(BUNDLE)) {
                bundles.add(Path.of(value));
            } else if (option.equals(PolicyLists.POLICY)) {
                policies.add(value);
            } else if (given.put(option, value) != null) {
                throw new IllegalArgumentException("option " + option + " is given twice: allowed is once");
            }
        }
        if (given.keySet().containsAll(FORMATS)) {
            throw new IllegalArgumentException("options -o and --output-format are given: allowed is one of them");
        }
        return given;
    }

    private static OptionalInt number(SortedMap<String, String> given, String option, int least, int most) {
        if (!given.containsKey(option)) {
            return OptionalInt.empty();
        }
        try {
            int value = Integer.parseInt(given.get(option));
            if (value >= least && value <= most) {
                return OptionalInt.of(value);
            }
        } catch (NumberFormatException bad) {
            // Reported below, like a number out of range.
        }
        throw new IllegalArgumentException("option " + option + " is '" + given.get(option)
                + "': allowed is a whole number from " + least + " to " + most);
    }

    private static Optional<ReplayInput.Elastic> elastic(SortedMap<String, String> given) {
        if (!given.containsKey(START)) {
            if (given.containsKey(IDLE)) {
                throw new IllegalArgumentException(
                        "option " + IDLE + " is given without " + START + ": it is allowed with that");
            }
            return Optional.empty();
        }
        if (given.containsKey(OUTAGES)) {
            throw new IllegalArgumentException("options " + START + " and " + OUTAGES
                    + " are given: outages need workers on all nodes; allowed is one of them");
        }
        return Optional.of(new ReplayInput.Elastic(
                number(given, START, 0, MAX_WORKER_SECONDS).orElseThrow(),
                number(given, IDLE, 0, MAX_WORKER_SECONDS).orElse(IDLE_SECONDS)));
    }

    private static String oneOf(
            SortedMap<String, String> given, String option, String otherwise, List<String> allowed) {
        String value = given.getOrDefault(option, otherwise);
        if (!allowed.contains(value)) {
            throw new IllegalArgumentException(
                    "option " + option + " is '" + value + "': allowed are " + String.join(", ", allowed));
        }
        return value;
    }
}
