import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * What one slot costs a matching strategy that is freed on a full cluster and placed again, beside an earlier version. Run
 * it from the root of the repository, after {@code ./mvnw install -DskipTests} here and there:
 *
 * <pre>
 * java itests/benchmarks/ChurnComparison.java --earlier DIR [--policies first-fit,spread] [--profiles 1,20,200]
 *     [--workers 10000] [--requests 100000] [--processes 5] [--blocks 1000] [--warm-blocks 1200] [--heap 3g]
 *     [--fail yes|no]
 * </pre>
 *
 * <p>It is the row "churn, alone" of {@code DecisionComparison}, measured in another way. A virtual machine that shares its
 * cores with others takes up to twice as long for the same loop for minutes, which is more than any difference that is
 * looked for. Here both versions are in one process, in a class loader each, and take turns every few milliseconds, so both
 * find the same machine. What the measurement itself costs is measured in the same turns, with recorded placements of this
 * version, and subtracted.
 *
 * <p>How a JVM compiles the code stays the same until it ends, so {@code --processes} counts more than {@code --blocks}. A
 * process prints the medians of its blocks; the table has the medians of the processes. With {@code --fail yes}, the exit
 * code is 1 when a row of this version is more than 10 % above that of the earlier one.
 */
final class ChurnComparison {

    private static final double MAX_OF_EARLIER = 1.1;
    /** Slots that are freed and placed again in a turn. */
    private static final int CALLS = 5_000;

    private static final int JOBS = 10;
    private static final long SEED = 20261120;

    private final Map<String, String> options = new TreeMap<>(Map.of(
            "earlier", "",
            "policies", "first-fit,spread",
            "profiles", "1,20,200",
            "workers", "10000",
            "requests", "100000",
            "processes", "5",
            "blocks", "1000",
            "warm-blocks", "1200",
            "heap", "3g",
            "fail", "no"));

    /** Nanoseconds of CPU for each slot. */
    private record Cost(double now, double earlier) {

        private double ratio() {
            return now / earlier;
        }
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("measure")) {
            measure(arguments);
            return;
        }
        System.exit(new ChurnComparison().run(arguments));
    }

    private int run(String[] arguments) throws Exception {
        if (List.of(arguments).contains("--help")) {
            System.out.println("java itests/benchmarks/ChurnComparison.java --earlier DIR, and with their defaults: "
                    + options + "\nSee the comment at the top of the file for what it needs.");
            return 0;
        }
        for (int at = 0; at < arguments.length; at += 2) {
            String name = arguments[at].replaceFirst("^--", "");
            if (!options.containsKey(name) || at + 1 == arguments.length) {
                return refuse("option '" + arguments[at] + "' is not known or has no value: allowed are --"
                        + String.join(", --", options.keySet()));
            }
            options.put(name, arguments[at + 1]);
        }
        for (String name : List.of("workers", "requests", "processes", "blocks", "warm-blocks")) {
            if (!options.get(name).matches("[1-9][0-9]{0,7}")) {
                return refuse(
                        "option --" + name + " is '" + options.get(name) + "': allowed is a whole number above 0");
            }
        }
        if (!options.get("profiles").matches("[1-9][0-9]{0,2}(,[1-9][0-9]{0,2})*")) {
            return refuse("option --profiles is '" + options.get("profiles") + "': allowed are numbers like 1,20,200");
        }
        for (String policy : options.get("policies").split(",")) {
            if (!List.of("first-fit", "spread").contains(policy)) {
                return refuse("option --policies has '" + policy + "': allowed are first-fit and spread, which both"
                        + " versions have");
            }
        }
        if (!options.get("fail").matches("yes|no")) {
            return refuse("option --fail is '" + options.get("fail") + "': allowed are yes and no");
        }
        Optional<Path> now = jar(Path.of(""));
        Optional<Path> earlier = jar(Path.of(options.get("earlier")));
        if (now.isEmpty()) {
            return refuse(
                    "no built benchmark in this folder: run './mvnw install -DskipTests' in the root of the repository");
        }
        if (options.get("earlier").isEmpty() || earlier.isEmpty()) {
            return refuse("option --earlier is '" + options.get("earlier")
                    + "', which has no built benchmark: allowed is a checkout of an earlier version, after"
                    + " './mvnw install -DskipTests' in it");
        }
        return compare(now.get(), earlier.get());
    }

    private static int refuse(String why) {
        System.err.println(why);
        return 2;
    }

    private static Optional<Path> jar(Path root) throws IOException {
        Path target = root.resolve("bundles/benchmark/target");
        if (!Files.isDirectory(target)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(file -> file.getFileName().toString().matches("berth-benchmark.*-all\\.jar"))
                    .findFirst();
        }
    }

    private int compare(Path now, Path earlier) throws Exception {
        List<String> table = new ArrayList<>();
        int within = 0;
        for (String policy : options.get("policies").split(",")) {
            for (String profiles : options.get("profiles").split(",")) {
                List<Cost> costs = new ArrayList<>();
                for (int process = 1; process <= Integer.parseInt(options.get("processes")); process++) {
                    Cost cost = measured(now, earlier, policy, profiles);
                    System.err.printf(
                            Locale.ROOT,
                            "%s, %s profiles, process %d: %.0f and %.0f ns, %.2f%n",
                            policy,
                            profiles,
                            process,
                            cost.now,
                            cost.earlier,
                            cost.ratio());
                    costs.add(cost);
                }
                double ratio = median(costs.stream().mapToDouble(Cost::ratio));
                within += ratio <= MAX_OF_EARLIER ? 1 : 0;
                table.add(String.format(
                        Locale.ROOT,
                        "| %s | %s | %.0f | %.0f | %.2f | %.2f to %.2f |",
                        policy,
                        profiles,
                        median(costs.stream().mapToDouble(Cost::now)),
                        median(costs.stream().mapToDouble(Cost::earlier)),
                        ratio,
                        costs.stream().mapToDouble(Cost::ratio).min().orElseThrow(),
                        costs.stream().mapToDouble(Cost::ratio).max().orElseThrow()));
            }
        }
        System.out.println(
                "| policy | profiles | this version, ns | earlier, ns | ratio | of processes |\n|---|---|---|---|---|---|");
        table.forEach(System.out::println);
        System.out.println("\n" + within + " of " + table.size() + " rows within 10 %");
        return options.get("fail").equals("yes") && within < table.size() ? 1 : 0;
    }

    private Cost measured(Path now, Path earlier, String policy, String profiles) throws Exception {
        String heap = options.get("heap");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms" + heap,
                        "-Xmx" + heap,
                        "-XX:+UseParallelGC",
                        "itests/benchmarks/ChurnComparison.java",
                        "measure",
                        now.toString(),
                        earlier.toString(),
                        policy,
                        profiles,
                        options.get("workers"),
                        options.get("requests"),
                        options.get("blocks"),
                        options.get("warm-blocks"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = new String(process.getInputStream().readAllBytes()).strip();
        if (process.waitFor() != 0) {
            throw new IllegalStateException("the measurement ended with exit code " + process.exitValue());
        }
        String[] costs = answer.split(" ");
        return new Cost(Double.parseDouble(costs[0]), Double.parseDouble(costs[1]));
    }

    // The rest is in the process that measures.

    /** Calls of a strategy of one version. */
    private interface Side {

        /** @return nanoseconds of CPU */
        double run() throws Exception;
    }

    private static void measure(String[] arguments) throws Exception {
        Version now = new Version(arguments[1], arguments);
        Version earlier = new Version(arguments[2], arguments);
        List<Side> sides = List.of(now.calls(), earlier.calls(), now.overhead());
        int blocks = Integer.parseInt(arguments[7]);
        double[][] times = new double[sides.size()][blocks];
        for (int block = -Integer.parseInt(arguments[8]); block < blocks; block++) {
            // The two versions change places: who comes after the recorded placements finds a colder cache.
            for (int side : (block & 1) == 0 ? new int[] {0, 1, 2} : new int[] {1, 0, 2}) {
                double time = sides.get(side).run();
                if (block >= 0) {
                    times[side][block] = time;
                }
            }
        }
        double overhead = median(DoubleStream.of(times[2]));
        System.out.println((median(DoubleStream.of(times[0])) - overhead) / CALLS + " "
                + (median(DoubleStream.of(times[1])) - overhead) / CALLS);
    }

    /** The benchmark of a version, in a class loader of its own. */
    private static final class Version {

        private final ClassLoader classes;
        private final String policy;
        private final Object workload;

        private Version(String jar, String[] arguments) throws Exception {
            classes =
                    new URLClassLoader(new URL[] {Path.of(jar).toUri().toURL()}, ClassLoader.getPlatformClassLoader());
            policy = arguments[3];
            Method of = type("workload.Workload")
                    .getDeclaredMethod(
                            "of", int.class, int.class, int.class, int.class, long.class, double.class, boolean.class);
            of.setAccessible(true);
            workload = of.invoke(
                    null,
                    Integer.parseInt(arguments[5]),
                    Integer.parseInt(arguments[6]),
                    Integer.parseInt(arguments[4]),
                    JOBS,
                    SEED,
                    0.0,
                    false);
        }

        /** Up to commit 670908d, all were in one package. */
        private Class<?> type(String name) throws ClassNotFoundException {
            try {
                return classes.loadClass("io.berth.benchmark." + name);
            } catch (ClassNotFoundException before) {
                return classes.loadClass("io.berth.benchmark." + name.replaceFirst(".*\\.", ""));
            }
        }

        private Side calls() throws Exception {
            Method session = type("decision.Policies")
                    .getDeclaredMethod("session", String.class, classes.loadClass("io.berth.spi.matching.WorkersView"));
            session.setAccessible(true);
            Function<Object, Object> sessions = workers -> {
                try {
                    return session.invoke(null, policy, workers);
                } catch (IllegalAccessException | InvocationTargetException e) {
                    throw new IllegalStateException(e);
                }
            };
            Constructor<?> constructor = type("churn.ChurnCalls").getDeclaredConstructors()[0];
            constructor.setAccessible(true);
            return side(constructor.newInstance(workload, sessions, CALLS, 1));
        }

        private Side overhead() throws Exception {
            Class<?> policies = classes.loadClass("io.berth.simulator.policies.PoliciesOfKind");
            Object chosen = policies.getMethod("shippedStrategy", String.class).invoke(null, policy);
            return side(
                    type("churn.ChurnOverhead").getDeclaredConstructors()[0].newInstance(workload, chosen, CALLS, 1));
        }

        private static Side side(Object subject) throws Exception {
            Method restore = subject.getClass().getMethod("restore");
            Method run = subject.getClass().getMethod("run");
            restore.setAccessible(true);
            run.setAccessible(true);
            return () -> {
                restore.invoke(subject);
                long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                run.invoke(subject);
                return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
            };
        }
    }

    private static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
