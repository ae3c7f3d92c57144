import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Decisions and the ResourceManager path of Berth, alternating with Flink's and with bare array loops on the same
 * workloads, as one table in Markdown. Run it from the root of the repository:
 *
 * <pre>
 * java itests/benchmarks/DecisionComparison.java --peers DIR [--workers 10000] [--requests 100000]
 *     [--profiles 1,20,200] [--also 1000/100000/20] [--rows first-fit,spread,constraints,churn,manager]
 *     [--rounds 1] [--processes 1] [--runs 5] [--warm-ms 5000] [--heap 6g] [--earlier DIR] [--fail yes|no]
 * </pre>
 *
 * <p>{@code --also T/R/P,...} or {@code none} are workloads for which only decisions are measured, without changes and the
 * ResourceManager. The default is the one of which Flink's first fit leaves 3,327 slots unplaced. The largest is {@code
 * 100000/1000000/200}, with {@code --heap 8g}.
 *
 * <p>{@code --rows} are those measured: the decisions of both policies, with 20 classes of constraints too, single changes,
 * and the ResourceManager path. {@code constraints} alone also measures this version without them, because that is what the
 * aim compares with.
 *
 * <p>Needs a JDK 17, a machine that does nothing else, twice the heap as memory, and the project of the peers in DIR, built
 * with
 *
 * <pre>
 * mvn -q -Pflink clean compile org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath \
 *     -Dmdep.outputFile=target/cp.txt
 * </pre>
 *
 * <p>in it, which fetches Flink; that project is not part of this repository. {@code --peers none} leaves them out. {@code
 * berth bench} builds itself. Each round runs all, one process after the other; of several rounds the medians are printed,
 * after each round those so far.
 *
 * <p>{@code --earlier} is a checkout of an earlier version of Berth, to whose figures those of this one are compared: each
 * process of this version is paired with one of that version, and the two change places from pair to pair. {@code
 * --processes} says how many pairs there are for each row in a round. A JVM compiles the same code in one of a few ways,
 * which differ by up to a half and stay until it ends, so more runs of one process do not help: five pairs do, whose
 * figures the last column has. A row without constraints is within its aim when the median of this version is at most 10 %
 * above that of the earlier one; the last line says how many are. A machine that shares its cores with others makes the same loop take one and a half times
 * as long for half a second, and then not; so the fastest runs of all processes are compared too, and each process needs
 * 25 runs, and {@code --warm-ms 12000}: with less, it compares how far the compiler has come.
 *
 * <p>Processor time and bytes of Flink and of the loops are those of their one thread, Berth's those of all its threads. With one profile, Flink gets
 * unknown profiles, which is the cheapest for it. A decision of Berth ends with a validated and recorded plan, one of the
 * others only with the plan. With 20 profiles, decisions are also measured with 20 classes of constraints; they may
 * cost twice as much as those without. The column of the aims says whether Berth meets its aims for 100,000 slots on 10,000
 * workers, and for 1,000,000 of 200 profiles on 100,000: how many times cheaper than Flink, at most how many times the loops,
 * nanoseconds and bytes; and with {@code --earlier}, whether each row is within 10 %. With {@code --fail yes}, the exit code is
 * 1 when a row misses one of them. All tables are printed nevertheless.
 */
final class DecisionComparison {

    private static final String DRIVER = """
            package org.apache.flink.runtime.resourcemanager.slotmanager;

            import bench.LeanMatcher;
            import bench.Workload;
            import org.apache.flink.configuration.TaskManagerOptions.TaskManagerLoadBalanceMode;

            public final class BerthPeerRun {
                public static void main(String[] a) throws Exception {
                    int t = Integer.parseInt(a[1]), r = Integer.parseInt(a[2]), p = Integer.parseInt(a[3]);
                    Workload w = p == 1 ? Workload.homog(t, r, 10) : Workload.hetero(t, r, p, 10, 0.85, 20261120L);
                    for (String what : a[0].split(",")) {
                        switch (what) {
                            case "NONE", "SLOTS" -> PeerFlinkStrategy.one(w, TaskManagerLoadBalanceMode.valueOf(what), false);
                            case "lean" -> LeanMatcher.all(w);
                            default -> PeerFlinkSlotManager.one(
                                    w, TaskManagerLoadBalanceMode.valueOf(what.substring("manager-".length())));
                        }
                    }
                }
            }
            """;
    /** Warm-up of the ResourceManager path, for Berth and for Flink. */
    private static final int MANAGER_WARM_SECONDS = 30;

    /** How many times dearer a decision with constraints may be than one without. */
    private static final int MAX_CONSTRAINED = 2;

    /** How many times dearer than in the earlier version something may be. */
    private static final double MAX_OF_EARLIER = 1.1;

    private static final List<String> POLICIES = List.of("first-fit", "spread");
    private static final List<String> ROWS = List.of("first-fit", "spread", "constraints", "churn", "manager");

    private static final String ALSO = "[1-9][0-9]{0,7}/[1-9][0-9]{0,7}/[1-9][0-9]{0,2}";
    private static final Pattern FIELD = Pattern.compile("\"([A-Za-z]+)\": ([-0-9.]+)");
    private static final Pattern PLACED = Pattern.compile("placed=(\\d+)/(\\d+).*nodesUsed=(\\d+)");

    /** A workload: T workers, R slots, P profiles. */
    private record Instance(String workers, String requests, String profiles) {

        @Override
        public String toString() {
            return workers + "/" + requests + "/" + profiles;
        }
    }

    /** The aims of a row; empty: no aim. */
    private record Aim(
            OptionalDouble cheaperThanFlink, OptionalDouble timesLimit, OptionalDouble nanos, OptionalDouble bytes) {

        private static final Aim NONE = of(0, 0, 0, 0);

        /** A parameter is 0 where there is no aim. */
        private static Aim of(double cheaperThanFlink, double timesLimit, double nanos, double bytes) {
            return new Aim(some(cheaperThanFlink), some(timesLimit), some(nanos), some(bytes));
        }

        private static OptionalDouble some(double value) {
            return value == 0 ? OptionalDouble.empty() : OptionalDouble.of(value);
        }
    }

    private final Map<String, String> options = new TreeMap<>(Map.ofEntries(
            Map.entry("peers", ""),
            Map.entry("workers", "10000"),
            Map.entry("requests", "100000"),
            Map.entry("profiles", "1,20,200"),
            Map.entry("also", "1000/100000/20"),
            Map.entry("rounds", "1"),
            Map.entry("runs", "5"),
            Map.entry("warm-ms", "5000"),
            Map.entry("rows", String.join(",", ROWS)),
            Map.entry("processes", "1"),
            Map.entry("heap", "6g"),
            Map.entry("earlier", ""),
            Map.entry("fail", "no")));
    /** The measured values by name, one for each process. */
    private final Map<String, List<Double>> measured = new TreeMap<>();

    private Path driver;
    /** Pairs of processes so far, of which each second one begins with the earlier version. */
    private int pairs;

    /** Rows of the last table that are compared with the earlier version, of these within the aim, and with a missed aim. */
    private int comparedRows;

    private int rowsWithin;
    private int rowsMissed;

    public static void main(String[] arguments) throws Exception {
        System.exit(new DecisionComparison().run(arguments));
    }

    private int run(String[] arguments) throws Exception {
        if (List.of(arguments).contains("--help")) {
            System.out.println("java itests/benchmarks/DecisionComparison.java --peers DIR, and with their defaults: "
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
        for (String name : List.of("workers", "requests", "rounds", "processes", "runs", "warm-ms")) {
            if (!options.get(name).matches("[1-9][0-9]{0,7}")) {
                return refuse(
                        "option --" + name + " is '" + options.get(name) + "': allowed is a whole number above 0");
            }
        }
        if (!options.get("profiles").matches("[1-9][0-9]{0,2}(,[1-9][0-9]{0,2})*")) {
            return refuse("option --profiles is '" + options.get("profiles") + "': allowed are numbers like 1,20,200");
        }
        if (!options.get("also").matches("none|" + ALSO + "(," + ALSO + ")*")) {
            return refuse("option --also is '" + options.get("also")
                    + "': allowed are none and workloads like 1000/100000/20,"
                    + " which are workers, slots and profiles, separated by commas");
        }
        if (!options.get("fail").matches("yes|no")) {
            return refuse("option --fail is '" + options.get("fail") + "': allowed are yes and no");
        }
        if (!ROWS.containsAll(rows())) {
            return refuse("option --rows is '" + options.get("rows") + "': allowed are " + String.join(", ", ROWS)
                    + ", separated by commas");
        }
        Path peers = Path.of(options.get("peers"));
        Path classPath = peers.resolve("target/cp.txt");
        if (hasPeers() && (options.get("peers").isEmpty() || !Files.isDirectory(peers))) {
            return refuse("the peers are missing: --peers is '" + options.get("peers")
                    + "', but must be the folder of their project, which is not part of this repository, or none");
        }
        if (hasPeers() && !(Files.isRegularFile(classPath) && Files.isDirectory(peers.resolve("target/classes")))) {
            return refuse("the peers in " + peers + " are not built: run in that folder\n  mvn -q -Pflink clean compile"
                    + " org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath"
                    + " -Dmdep.outputFile=target/cp.txt");
        }
        if (!Files.isRegularFile(Path.of("berth"))) {
            return refuse("no command 'berth' in this folder: run it from the root of the repository");
        }
        Path earlier = Path.of(options.get("earlier"));
        if (!options.get("earlier").isEmpty() && !Files.isRegularFile(earlier.resolve("berth"))) {
            return refuse("option --earlier is '" + options.get("earlier")
                    + "', which has no command 'berth': allowed is a checkout of an earlier version");
        }
        if (hasPeers()) {
            compile(peers, Files.readString(classPath).strip());
        }
        int rounds = Integer.parseInt(options.get("rounds"));
        for (int round = 1; round <= rounds; round++) {
            // So that the pairs of a row change places also when there is an even number of pairs.
            pairs = round - 1;
            for (Instance instance : whole()) {
                System.err.println("round " + round + ", workers/slots/profiles " + instance);
                decisions(instance);
                changes(instance);
            }
            for (Instance instance : also()) {
                System.err.println("round " + round + ", decisions of workers/slots/profiles " + instance);
                decisions(instance);
            }
            if (rounds > 1) {
                System.out.println("\n### After round " + round + " of " + rounds + "\n");
            }
            print();
        }
        return options.get("fail").equals("yes") && rowsMissed > 0 ? 1 : 0;
    }

    private static int refuse(String message) {
        System.err.println("DecisionComparison: " + message);
        return 2;
    }

    private String peerPath;

    private void compile(Path peers, String classPath) throws Exception {
        driver = Files.createTempDirectory("berth-peers");
        Path source = Files.writeString(driver.resolve("BerthPeerRun.java"), DRIVER);
        peerPath = String.join(
                java.io.File.pathSeparator, peers.resolve("target/classes").toString(), classPath);
        output(Path.of("."), List.of("javac", "-cp", peerPath, "-d", driver.toString(), source.toString()));
    }

    private boolean hasPeers() {
        return !options.get("peers").equals("none");
    }

    private int processes() {
        return Integer.parseInt(options.get("processes"));
    }

    private List<String> rows() {
        return List.of(options.get("rows").split(","));
    }

    /** Those for which everything is measured. */
    private List<Instance> whole() {
        return Arrays.stream(options.get("profiles").split(","))
                .map(profiles -> new Instance(options.get("workers"), options.get("requests"), profiles))
                .toList();
    }

    private List<Instance> also() {
        return options.get("also").equals("none")
                ? List.of()
                : Arrays.stream(options.get("also").split(","))
                        .map(text -> text.split("/"))
                        .map(part -> new Instance(part[0], part[1], part[2]))
                        .toList();
    }

    private void decisions(Instance instance) throws Exception {
        for (String policy : POLICIES) {
            if (rows().contains(policy)) {
                peers(policy.equals("spread") ? "SLOTS" : "NONE,lean", instance);
                berth(policy, instance, "matching", "--policy", policy);
            }
            boolean constrained = rows().contains("constraints") && isConstrained(instance);
            for (int process = 0; constrained && process < processes(); process++) {
                if (!rows().contains(policy)) {
                    now(policy, instance, "matching", "--policy", policy);
                }
                now("constrained " + policy, instance, "matching", "--policy", policy, "--constraints", "20");
            }
        }
    }

    /** Whether it is also measured with constraints. */
    private static boolean isConstrained(Instance instance) {
        return isUsual(instance) && instance.profiles().equals("20");
    }

    private void changes(Instance instance) throws Exception {
        for (String policy : rows().contains("churn") ? POLICIES : List.<String>of()) {
            berth("churn " + policy, instance, "matching", "--churn", "--policy", policy);
        }
        if (rows().contains("manager")) {
            // The peers also end their warm-up after a number of runs: one that is not reached.
            peers("manager-NONE", instance, "-DwarmS=" + MANAGER_WARM_SECONDS, "-Dwarm=1000000");
            String warmMillis = MANAGER_WARM_SECONDS + "000";
            berth("manager", instance, "resource-manager", "--policy", "first-fit", "--warm-ms", warmMillis);
        }
    }

    private void berth(String row, Instance instance, String... what) throws Exception {
        boolean compared = !options.get("earlier").isEmpty();
        for (int process = 0; process < processes(); process++) {
            boolean earlierFirst = pairs++ % 2 == 1;
            if (compared && earlierFirst) {
                earlier(row, instance, what);
            }
            now(row, instance, what);
            if (compared && !earlierFirst) {
                earlier(row, instance, what);
            }
        }
    }

    private void now(String row, Instance instance, String... what) throws Exception {
        System.err.println("  berth " + String.join(" ", what));
        figures(instance + " berth " + row, output(Path.of("."), bench(instance, what)));
    }

    /** A process of the earlier version gets three tries, since nobody mends that version. */
    private void earlier(String row, Instance instance, String... what) throws Exception {
        for (int attempt = 1; ; attempt++) {
            System.err.println("  earlier berth " + String.join(" ", what));
            try {
                figures(instance + " earlier " + row, output(Path.of(options.get("earlier")), bench(instance, what)));
                return;
            } catch (IllegalStateException failed) {
                if (attempt == 3) {
                    throw failed;
                }
                System.err.println("  again, since " + failed.getMessage());
            }
        }
    }

    private List<String> bench(Instance instance, String... what) {
        List<String> command = new ArrayList<>(List.of("./berth", "bench"));
        command.addAll(List.of(what));
        if (!command.contains("--warm-ms")) {
            command.addAll(List.of("--warm-ms", options.get("warm-ms")));
        }
        command.addAll(List.of(
                "--workers",
                instance.workers(),
                "--requests",
                instance.requests(),
                "--profiles",
                instance.profiles(),
                "--runs",
                options.get("runs"),
                "--heap",
                options.get("heap"),
                "-o",
                "json"));
        return command;
    }

    private void figures(String key, String out) {
        Matcher field = FIELD.matcher(out);
        while (field.find()) {
            String name = field.group(1);
            add(key + " " + name, Double.parseDouble(field.group(2)));
            if (name.endsWith("NanosPerSlot") || name.endsWith("NanosPerPair")) {
                // All is printed at the end, which may be hours away.
                System.err.println("    " + key + ": " + name + " " + field.group(2));
            }
        }
    }

    private void peers(String what, Instance instance, String... properties) throws Exception {
        if (!hasPeers()) {
            return;
        }
        System.err.println("  peers " + what);
        List<String> command = new ArrayList<>(List.of(
                "java",
                "-Xms" + options.get("heap"),
                "-Xmx" + options.get("heap"),
                "-XX:+UseParallelGC",
                "-Dreps=" + options.get("runs")));
        command.addAll(List.of(properties));
        command.addAll(List.of(
                "-cp",
                driver + java.io.File.pathSeparator + peerPath,
                "org.apache.flink.runtime.resourcemanager.slotmanager.BerthPeerRun",
                what,
                instance.workers(),
                instance.requests(),
                instance.profiles()));
        String out = output(Path.of("."), command);
        String last = "";
        for (String line : out.lines().toList()) {
            String[] cells = line.split("\\|");
            Matcher placed = PLACED.matcher(line);
            if (line.startsWith("| flink") || line.startsWith("| lean")) {
                last = instance + " peer " + cells[1].strip().replaceFirst(" (homog|hetero\\d+) T=\\d+ R=\\d+", "");
                add(last + " ns", Double.parseDouble(cells[7].strip()));
                add(last + " B", Double.parseDouble(cells[8].strip()));
            } else if (placed.find()) {
                add(last + " unplaced", Double.parseDouble(placed.group(2)) - Double.parseDouble(placed.group(1)));
                add(last + " used", Double.parseDouble(placed.group(3)));
            }
        }
    }

    private void add(String key, double value) {
        measured.computeIfAbsent(key, absent -> new ArrayList<>()).add(value);
    }

    private OptionalDouble median(String key) {
        double[] sorted = sorted(key);
        return sorted.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(sorted[sorted.length / 2]);
    }

    private double[] sorted(String key) {
        return measured.getOrDefault(key, List.of()).stream()
                .mapToDouble(value -> value)
                .sorted()
                .toArray();
    }

    private static String output(Path folder, List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String out = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IllegalStateException("'" + String.join(" ", command) + "' ended with " + process.exitValue());
        }
        return out;
    }

    private void print() {
        comparedRows = 0;
        rowsWithin = 0;
        rowsMissed = 0;
        System.out.println(
                "Nanoseconds of processor time and bytes for each slot (churn: each slot freed and placed)\n");
        System.out.println(
                "| what | workers/slots/profiles | Berth ns | Berth B | Flink ns | Flink B | Flink / Berth | limit ns"
                        + " | Berth / limit | unplaced Berth, Flink | workers used Berth, Flink | aims | earlier ns"
                        + " | Berth / earlier | fastest ns, earlier | fastest / fastest | processes ns, earlier |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
        for (Instance instance : whole()) {
            printDecisions(instance);
            boolean usual = isUsual(instance);
            for (String policy : POLICIES) {
                row(
                        instance,
                        "churn, " + policy + " alone",
                        "berth churn " + policy + " strategyCpuNanosPerPair",
                        "berth churn " + policy + " strategyBytesPerPair",
                        "none",
                        "peer lean churn(2-D grid bestFit, free+alloc)",
                        "none",
                        usual ? Aim.of(0, 0, 200, 0) : Aim.NONE);
                row(
                        instance,
                        "churn, " + policy + ", one decision each",
                        "berth churn " + policy + " cpuNanosPerPair",
                        "berth churn " + policy + " bytesPerDecision",
                        "none",
                        "none",
                        "none",
                        Aim.NONE);
            }
            row(
                    instance,
                    "ResourceManager path",
                    "berth manager cpuNanosPerSlot",
                    "berth manager bytesPerSlot",
                    "peer flink-slotmanager declare->all allocated NONE",
                    "none",
                    "none",
                    usual ? Aim.of(0, 0, 500, 300) : Aim.NONE);
        }
        also().forEach(this::printDecisions);
        System.out.println("\n"
                + (comparedRows == 0
                        ? ""
                        : rowsWithin + " of " + comparedRows + " rows are within 10 % of the earlier version. ")
                + "Rows that miss an aim: " + rowsMissed + ".");
    }

    private void printDecisions(Instance instance) {
        Aim firstFit = instance.toString().equals("100000/1000000/200") ? Aim.of(0, 0, 100, 0) : Aim.NONE;
        if (isUsual(instance)) {
            firstFit = Aim.of(instance.profiles().equals("200") ? 90 : 60, 5, 0, 64);
        }
        row(
                instance,
                "first-fit",
                "berth first-fit cpuNanosPerSlot",
                "berth first-fit bytesPerSlot",
                "peer flink-strategy NONE",
                "peer lean ffRuns(grouped natural, runs)",
                "berth first-fit",
                firstFit);
        row(
                instance,
                "spread",
                "berth spread cpuNanosPerSlot",
                "berth spread bytesPerSlot",
                "peer flink-strategy SLOTS",
                "peer lean bestFit(2-D grid)",
                "berth spread",
                isUsual(instance) ? Aim.of(10, 3, 0, 0) : Aim.NONE);
        for (String policy : isConstrained(instance) ? POLICIES : List.<String>of()) {
            double without =
                    median(instance + " berth " + policy + " cpuNanosPerSlot").orElse(0);
            row(
                    instance,
                    policy + ", 20 classes of constraints",
                    "berth constrained " + policy + " cpuNanosPerSlot",
                    "berth constrained " + policy + " bytesPerSlot",
                    "none",
                    "none",
                    "berth constrained " + policy,
                    Aim.of(0, 0, MAX_CONSTRAINED * without, 0));
        }
    }

    /** Whether the aims apply to this instance. */
    private static boolean isUsual(Instance instance) {
        return instance.toString().matches("10000/100000/(1|20|200)");
    }

    private void row(
            Instance instance,
            String what,
            String ns,
            String bytes,
            String flink,
            String limit,
            String outcome,
            Aim aim) {
        OptionalDouble own = median(instance + " " + ns);
        OptionalDouble ownBytes = median(instance + " " + bytes);
        OptionalDouble theirs = median(instance + " " + flink + " ns");
        OptionalDouble least = median(instance + " " + limit + " ns");
        String before = ns.replaceFirst("^berth ", "earlier ");
        OptionalDouble earlier = median(instance + " " + before);
        OptionalDouble fastest = fastest(instance + " " + ns);
        OptionalDouble fastestEarlier = fastest(instance + " " + before);
        if (own.isEmpty()) {
            return;
        }
        List<String> aims = new ArrayList<>();
        aim(aims, aim.cheaperThanFlink(), "%.0f x Flink", quotient(theirs, own), true);
        aim(aims, aim.timesLimit(), "%.0f x limit", quotient(own, least), false);
        aim(aims, aim.nanos(), "%.0f ns", own, false);
        aim(aims, aim.bytes(), "%.0f B", ownBytes, false);
        OptionalDouble ofEarlier = quotient(own, earlier);
        if (ofEarlier.isPresent()) {
            boolean within = ofEarlier.getAsDouble() <= MAX_OF_EARLIER;
            aims.add("within 10 %: " + (within ? "met" : "missed"));
            comparedRows++;
            rowsWithin += within ? 1 : 0;
        }
        rowsMissed += aims.stream().anyMatch(one -> one.endsWith(": missed")) ? 1 : 0;
        System.out.println(String.join(
                " | ",
                Arrays.asList(
                        "| " + what,
                        instance.toString(),
                        text(own),
                        text(ownBytes),
                        text(theirs),
                        text(median(instance + " " + flink + " B")),
                        ratio(theirs, own),
                        text(least),
                        ratio(own, least),
                        both(
                                median(instance + " " + outcome + " unplaced"),
                                median(instance + " " + flink + " unplaced")),
                        both(
                                median(instance + " " + outcome + " workersUsed"),
                                median(instance + " " + flink + " used")),
                        aims.isEmpty() ? "–" : String.join(", ", aims),
                        text(earlier),
                        twoDigits(ofEarlier),
                        text(fastest) + ", " + text(fastestEarlier),
                        twoDigits(quotient(fastest, fastestEarlier)),
                        texts(instance + " " + ns) + "; " + texts(instance + " " + before) + " |")));
    }

    private static String twoDigits(OptionalDouble quotient) {
        return quotient.isEmpty() ? "–" : String.format(Locale.ROOT, "%.2f", quotient.getAsDouble());
    }

    /** The fastest run of all rounds. A strategy alone is the calls without what the harness takes. */
    private OptionalDouble fastest(String ns) {
        if (!ns.endsWith(" strategyCpuNanosPerPair")) {
            return least(ns + "Min");
        }
        String row = ns.substring(0, ns.lastIndexOf(' '));
        OptionalDouble calls = least(row + " callCpuNanosPerPairMin");
        OptionalDouble harness = least(row + " harnessCpuNanosPerPairMin");
        return calls.isEmpty() || harness.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(calls.getAsDouble() - harness.getAsDouble());
    }

    private OptionalDouble least(String key) {
        return measured.getOrDefault(key, List.of()).stream()
                .mapToDouble(value -> value)
                .min();
    }

    private static String text(OptionalDouble value) {
        return value.isEmpty()
                ? "–"
                : String.format(Locale.ROOT, value.getAsDouble() < 100 ? "%.1f" : "%,.0f", value.getAsDouble());
    }

    /** The values of all processes, in order of size. */
    private String texts(String key) {
        return Arrays.stream(sorted(key))
                .mapToObj(value -> text(OptionalDouble.of(value)))
                .collect(Collectors.joining(" "));
    }

    private static void aim(
            List<String> aims, OptionalDouble aim, String named, OptionalDouble reached, boolean atLeast) {
        if (aim.isPresent() && reached.isPresent()) {
            boolean met =
                    atLeast ? reached.getAsDouble() >= aim.getAsDouble() : reached.getAsDouble() <= aim.getAsDouble();
            aims.add(String.format(Locale.ROOT, named, aim.getAsDouble()) + (met ? ": met" : ": missed"));
        }
    }

    private static OptionalDouble quotient(OptionalDouble above, OptionalDouble below) {
        return above.isEmpty() || below.isEmpty() || below.getAsDouble() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(above.getAsDouble() / below.getAsDouble());
    }

    private static String ratio(OptionalDouble above, OptionalDouble below) {
        OptionalDouble quotient = quotient(above, below);
        return quotient.isEmpty() ? "–" : String.format(Locale.ROOT, "%.1f x", quotient.getAsDouble());
    }

    private static String both(OptionalDouble own, OptionalDouble theirs) {
        return own.isEmpty()
                ? "–"
                : String.format(Locale.ROOT, "%,.0f, ", own.getAsDouble())
                        + (theirs.isEmpty() ? "–" : String.format(Locale.ROOT, "%,.0f", theirs.getAsDouble()));
    }
}
