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

/**
 * Decisions and the ResourceManager path of Berth, alternating with Flink's and with bare array loops on the same
 * workloads, as one table in Markdown. Run it from the root of the repository:
 *
 * <pre>
 * java itests/benchmarks/DecisionComparison.java --peers DIR [--workers 10000] [--requests 100000]
 *     [--profiles 1,20,200] [--rounds 1] [--runs 5] [--manager yes|no] [--heap 6g]
 * </pre>
 *
 * <p>Needs a JDK 17, a machine that does nothing else, twice the heap as memory, and the project of the peers in DIR, built
 * with
 *
 * <pre>
 * mvn -q -Pflink clean compile dependency:build-classpath -Dmdep.outputFile=target/cp.txt
 * </pre>
 *
 * <p>in it, which fetches Flink; that project is not part of this repository. {@code berth bench} builds itself. Each
 * round runs all, one process after the other; of several rounds the medians are told. Processor time and bytes of Flink
 * and of the loops are those of their one thread, Berth's those of all its threads. With one profile Flink is given
 * unknown profiles, which is the cheapest for it. A decision of Berth ends with a validated and recorded plan, one of the
 * others with the plan alone.
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
    private static final Pattern FIELD = Pattern.compile("\"([A-Za-z]+)\": ([-0-9.]+)");
    private static final Pattern PLACED = Pattern.compile("placed=(\\d+)/(\\d+).*nodesUsed=(\\d+)");

    private final Map<String, String> options = new TreeMap<>(Map.of(
            "peers", "",
            "workers", "10000",
            "requests", "100000",
            "profiles", "1,20,200",
            "rounds", "1",
            "runs", "5",
            "manager", "yes",
            "heap", "6g"));
    /** What was measured, by what and where, once for each round. */
    private final Map<String, List<Double>> measured = new TreeMap<>();
    private Path driver;

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
        for (String name : List.of("workers", "requests", "rounds", "runs")) {
            if (!options.get(name).matches("[1-9][0-9]{0,7}")) {
                return refuse("option --" + name + " is '" + options.get(name) + "': allowed is a whole number above 0");
            }
        }
        if (!options.get("profiles").matches("[1-9][0-9]{0,2}(,[1-9][0-9]{0,2})*")) {
            return refuse("option --profiles is '" + options.get("profiles") + "': allowed are numbers like 1,20,200");
        }
        Path peers = Path.of(options.get("peers"));
        Path classPath = peers.resolve("target/cp.txt");
        if (options.get("peers").isEmpty() || !Files.isDirectory(peers)) {
            return refuse("the peers are not there: --peers is '" + options.get("peers")
                    + "', and has to be the folder of their project, which is not part of this repository");
        }
        if (!Files.isRegularFile(classPath) || !Files.isDirectory(peers.resolve("target/classes"))) {
            return refuse("the peers in " + peers + " are not built: run in that folder\n  mvn -q -Pflink clean compile"
                    + " dependency:build-classpath -Dmdep.outputFile=target/cp.txt");
        }
        if (!Files.isRegularFile(Path.of("berth"))) {
            return refuse("no command 'berth' in this folder: run it from the root of the repository");
        }
        compile(peers, Files.readString(classPath).strip());
        for (int round = 1; round <= Integer.parseInt(options.get("rounds")); round++) {
            for (String profiles : options.get("profiles").split(",")) {
                System.err.println("round " + round + ", " + profiles + " profiles");
                measure(profiles);
            }
        }
        print();
        return 0;
    }

    private static int refuse(String message) {
        System.err.println("DecisionComparison: " + message);
        return 2;
    }

    private String peerPath;

    private void compile(Path peers, String classPath) throws Exception {
        driver = Files.createTempDirectory("berth-peers");
        Path source = Files.writeString(driver.resolve("BerthPeerRun.java"), DRIVER);
        peerPath = String.join(java.io.File.pathSeparator, peers.resolve("target/classes").toString(), classPath);
        output(List.of("javac", "-cp", peerPath, "-d", driver.toString(), source.toString()));
    }

    private void measure(String profiles) throws Exception {
        peers("NONE,lean", profiles);
        berth("first-fit", profiles, "first-fit", "matching", "--policy", "first-fit");
        peers("SLOTS", profiles);
        berth("spread", profiles, "spread", "matching", "--policy", "spread");
        for (String policy : List.of("first-fit", "spread")) {
            berth("churn " + policy, profiles, policy, "matching", "--churn", "--policy", policy);
        }
        if (options.get("manager").equals("yes")) {
            peers("manager-NONE", profiles);
            berth("manager", profiles, "first-fit", "resource-manager", "--policy", "first-fit");
        }
    }

    private void berth(String row, String profiles, String policy, String... what) throws Exception {
        System.err.println("  berth " + String.join(" ", what));
        List<String> command = new ArrayList<>(List.of("./berth", "bench"));
        command.addAll(List.of(what));
        command.addAll(List.of("--workers", options.get("workers"), "--requests", options.get("requests"),
                "--profiles", profiles, "--runs", options.get("runs"), "--heap", options.get("heap"), "-o", "json"));
        Matcher field = FIELD.matcher(output(command));
        while (field.find()) {
            add(profiles + " berth " + row + " " + field.group(1), Double.parseDouble(field.group(2)));
        }
    }

    private void peers(String what, String profiles) throws Exception {
        System.err.println("  peers " + what);
        String out = output(List.of("java", "-Xms" + options.get("heap"), "-Xmx" + options.get("heap"),
                "-XX:+UseParallelGC", "-Dreps=" + options.get("runs"), "-cp",
                driver + java.io.File.pathSeparator + peerPath,
                "org.apache.flink.runtime.resourcemanager.slotmanager.BerthPeerRun", what,
                options.get("workers"), options.get("requests"), profiles));
        String last = "";
        for (String line : out.lines().toList()) {
            String[] cells = line.split("\\|");
            Matcher placed = PLACED.matcher(line);
            if (line.startsWith("| flink") || line.startsWith("| lean")) {
                last = profiles + " peer " + cells[1].strip().replaceFirst(" (homog|hetero\\d+) T=\\d+ R=\\d+", "");
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
        double[] sorted = measured.getOrDefault(key, List.of()).stream().mapToDouble(value -> value).sorted().toArray();
        return sorted.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(sorted[sorted.length / 2]);
    }

    private static String output(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String out = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IllegalStateException("'" + String.join(" ", command) + "' ended with " + process.exitValue());
        }
        return out;
    }

    private void print() {
        System.out.println("T=" + options.get("workers") + " R=" + options.get("requests")
                + ", nanoseconds of processor time and bytes for each slot (churn: each slot freed and placed)\n");
        System.out.println("| what | profiles | Berth ns | Berth B | Flink ns | Flink B | Flink / Berth | limit ns"
                + " | Berth / limit | unplaced Berth, Flink | workers used Berth, Flink |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|");
        for (String p : options.get("profiles").split(",")) {
            row(p, "first-fit", "berth first-fit cpuNanosPerSlot", "berth first-fit bytesPerSlot",
                    "peer flink-strategy NONE", "peer lean ffRuns(grouped natural, runs)", "berth first-fit");
            row(p, "spread", "berth spread cpuNanosPerSlot", "berth spread bytesPerSlot",
                    "peer flink-strategy SLOTS", "peer lean bestFit(2-D grid)", "berth spread");
            for (String policy : List.of("first-fit", "spread")) {
                row(p, "churn, " + policy + " alone", "berth churn " + policy + " strategyCpuNanosPerPair",
                        "berth churn " + policy + " strategyBytesPerPair", "none",
                        "peer lean churn(2-D grid bestFit, free+alloc)", "none");
            }
            row(p, "ResourceManager path", "berth manager cpuNanosPerSlot", "berth manager bytesPerSlot",
                    "peer flink-slotmanager declare->all allocated NONE", "none", "none");
        }
    }

    private void row(String p, String what, String ns, String bytes, String flink, String limit, String outcome) {
        OptionalDouble own = median(p + " " + ns);
        OptionalDouble theirs = median(p + " " + flink + " ns");
        OptionalDouble least = median(p + " " + limit + " ns");
        if (own.isEmpty()) {
            return;
        }
        System.out.println(String.join(" | ", Arrays.asList(
                "| " + what, p, text(own), text(median(p + " " + bytes)), text(theirs),
                text(median(p + " " + flink + " B")), ratio(theirs, own), text(least), ratio(own, least),
                both(median(p + " " + outcome + " unplaced"), median(p + " " + flink + " unplaced")),
                both(median(p + " " + outcome + " workersUsed"), median(p + " " + flink + " used")) + " |")));
    }

    private static String text(OptionalDouble value) {
        return value.isEmpty() ? "–" : String.format(Locale.ROOT, value.getAsDouble() < 100 ? "%.1f" : "%,.0f",
                value.getAsDouble());
    }

    private static String ratio(OptionalDouble above, OptionalDouble below) {
        return above.isEmpty() || below.isEmpty() || below.getAsDouble() == 0
                ? "–"
                : String.format(Locale.ROOT, "%.1f x", above.getAsDouble() / below.getAsDouble());
    }

    private static String both(OptionalDouble own, OptionalDouble theirs) {
        return own.isEmpty() ? "–" : String.format(Locale.ROOT, "%,.0f, ", own.getAsDouble())
                + (theirs.isEmpty() ? "–" : String.format(Locale.ROOT, "%,.0f", theirs.getAsDouble()));
    }
}
