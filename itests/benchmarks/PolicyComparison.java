import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the policies of this release reach beside each other and beside their aims, as tables in Markdown. Run it from the
 * root of the repository:
 *
 * <pre>
 * java itests/benchmarks/PolicyComparison.java [--parts packing,assignment,starvation,checks,openb,kth,curie,swim,scaling]
 *     [--data DIR] [--workers 10000] [--requests 100000] [--profiles 1,20,200] [--slots 200,1000,2000]
 *     [--fill 0.85,0.95] [--peers DIR] [--storms 1000] [--runs 15] [--warm-ms 5000] [--heap 4g] [--berth ./berth]
 *     [--maven ./mvnw]
 * </pre>
 *
 * <p>Four parts need no data: {@code packing}, slots of random sizes on equal workers, by {@code berth bench matching};
 * {@code assignment}, the slots of a job and what it requires, by {@code berth bench assignment}; {@code starvation},
 * small jobs that never stop coming, by tests of the policies with more seeds; and {@code checks}, what tests of the policies show
 * with seeded instances. The other parts need the folder with public
 * traces; docs/traces.md says where they come from. They replay jobs, by {@code berth policy compare}, and loads, by {@code
 * LoadReplay} of the policy {@code target-rate}. The default are those that need no data, and with {@code --data} all parts.
 *
 * <p>{@code --peers} is the folder of the peers of {@code DecisionComparison}, which says how it is built. With it, the part
 * {@code packing} also has rows of Flink, on the same slots and workers: its default, and its even distribution of slots.
 * Where the two make workers of different sizes, there is none.
 *
 * <p>Needs a JDK 17 and, for the times, a machine that does nothing else. Times are medians of the runs of one process. The
 * bound of workers is that of volume, which no packing undercuts; one that is found by a linear program is higher, so what
 * is stated as above the bound is at least as much as it would be above that one. Each line names the aim and whether it is
 * met; the exit code is 1 if one is missed. The aims of scaling are those of all series together: among them is one for which no
 * plan keeps them, whatever it knows. What a single series misses is named.
 */
final class PolicyComparison {

    /** How the rows of all load series together begin. */
    private static final String TOGETHER = "all ";

    private static final List<String> PARTS =
            List.of("packing", "assignment", "starvation", "checks", "openb", "kth", "curie", "swim", "scaling");
    /** Parts that need no traces. */
    private static final List<String> OWN = List.of("packing", "assignment", "starvation", "checks");

    private static final String PEER = """
            package org.apache.flink.runtime.resourcemanager.slotmanager;

            import bench.Workload;
            import org.apache.flink.configuration.TaskManagerOptions.TaskManagerLoadBalanceMode;

            public final class PackingPeer {
                public static void main(String[] a) throws Exception {
                    int workers = Integer.parseInt(a[0]), slots = Integer.parseInt(a[1]), profiles = Integer.parseInt(a[2]);
                    PeerFlinkStrategy.one(
                            profiles == 1
                                    ? Workload.homog(workers, slots, 10)
                                    : Workload.hetero(workers, slots, profiles, 10, Double.parseDouble(a[3]), 20261120L),
                            TaskManagerLoadBalanceMode.valueOf(a[4]),
                            false);
                }
            }
            """;

    private static final Pattern PLACED = Pattern.compile("placed=(\\d+)/(\\d+) nodesUsed=(\\d+) volumeBound=(\\d+)");
    private static final Pattern RAN = Pattern.compile("Tests run: ([1-9][0-9]*), Failures: 0, Errors: 0, Skipped: 0");
    private static final Pattern NUMBER = Pattern.compile("\"([A-Za-z0-9]+)\": (-?[0-9.]+)");
    private static final String KTH = "arrivals/swf/KTH-SP2-1996-2.1-cln.swf.gz";
    private static final String CURIE = "arrivals/swf/CEA-Curie-2011-2.1-cln-b1.swf.gz";
    private static final String SWIM = "arrivals/swim/FB-2009_samples_24_times_1hr_0.tsv";
    private static final String OPENB = "packing/openb";
    private static final String LOADS = "load/nab";
    private static final double DAY = 86_400;
    /** For which {@code rebalance} leaves a job alone, in seconds. */
    private static final double PAUSE = 600;

    private static final double MAX_SLOT_HOURS = 1.4;

    private final Map<String, String> options = new TreeMap<>(Map.ofEntries(
            Map.entry("parts", ""),
            Map.entry("data", ""),
            Map.entry("workers", "10000"),
            Map.entry("requests", "100000"),
            Map.entry("profiles", "1,20,200"),
            Map.entry("slots", "200,1000,2000"),
            Map.entry("fill", "0.85,0.95"),
            Map.entry("peers", ""),
            Map.entry("storms", "1000"),
            Map.entry("runs", "15"),
            Map.entry("warm-ms", "5000"),
            Map.entry("heap", "4g"),
            Map.entry("berth", "./berth"),
            Map.entry("maven", "./mvnw")));
    /** Of workers, by profiles and fill. */
    private final Map<String, Double> bounds = new TreeMap<>();

    /** Of the peers; empty: there are none. */
    private String peerPath = "";

    private int missed;

    public static void main(String[] arguments) throws Exception {
        System.exit(new PolicyComparison().run(arguments));
    }

    private int run(String[] arguments) throws Exception {
        if (List.of(arguments).contains("--help")) {
            System.out.println("java itests/benchmarks/PolicyComparison.java, with the defaults: " + options
                    + "\nSee the comment at the top of the file for what it measures and needs.");
            return 0;
        }
        for (int at = 0; at < arguments.length; at += 2) {
            String name = arguments[at].replaceFirst("^--", "");
            if (!options.containsKey(name) || !arguments[at].startsWith("--") || at + 1 == arguments.length) {
                return refuse("option '" + arguments[at] + "' is not known or has no value: allowed are --"
                        + String.join(", --", options.keySet()));
            }
            options.put(name, arguments[at + 1]);
        }
        if (!options.get("storms").matches("[1-9][0-9]{0,6}")) {
            return refuse("option --storms is '" + options.get("storms") + "': allowed is a whole number above 0");
        }
        List<String> parts =
                options.get("parts").isEmpty() ? options.get("data").isEmpty() ? OWN : PARTS : list("parts");
        for (String part : parts) {
            if (!PARTS.contains(part)) {
                return refuse("option --parts has '" + part + "': allowed are " + String.join(", ", PARTS));
            }
            if (!OWN.contains(part) && !Files.isDirectory(data(""))) {
                return refuse("part " + part + " needs traces: --data is '" + options.get("data")
                        + "', but must be the folder that contains arrivals and packing");
            }
        }
        if (!options.get("peers").isEmpty() && !options.get("peers").equals("none")) {
            Path peers = Path.of(options.get("peers"));
            Path classPath = peers.resolve("target/cp.txt");
            if (!Files.isRegularFile(classPath) || !Files.isDirectory(peers.resolve("target/classes"))) {
                return refuse(
                        "option --peers is '" + peers
                                + "': allowed is the folder of the peers, built as the comment of DecisionComparison.java says");
            }
            compilePeer(peers.resolve("target/classes")
                    + File.pathSeparator
                    + Files.readString(classPath).strip());
        }
        for (String part : parts) {
            switch (part) {
                case "packing" -> packing();
                case "assignment" -> assignment();
                case "starvation" -> starvation();
                case "checks" -> checks();
                case "openb" -> openb();
                case "kth" -> kth();
                case "curie" -> curie();
                case "swim" -> swim();
                default -> scaling();
            }
        }
        System.out.println();
        System.out.println(missed == 0 ? "All aims are met." : missed + " aims are missed.");
        return missed == 0 ? 0 : 1;
    }

    private static int refuse(String message) {
        System.err.println("PolicyComparison: " + message);
        return 2;
    }

    private List<String> list(String option) {
        return Arrays.asList(options.get(option).split(","));
    }

    private Path data(String file) {
        return Path.of(options.get("data")).resolve(file);
    }

    // Packing.

    private void packing() throws Exception {
        table(
                "Packing: all slots on idle workers",
                "workers/slots/profiles",
                "fill",
                "policy",
                "ns a slot",
                "ms",
                "workers used",
                "bound",
                "above it",
                "left",
                "aims");
        for (String fill : list("fill")) {
            for (String profiles : list("profiles")) {
                for (String policy : List.of("first-fit", "spread", "pack", "balanced", "optimal")) {
                    pack(options.get("workers"), profiles, fill, policy, true);
                }
                packByPeer("NONE", "Flink", profiles, fill);
                packByPeer("SLOTS", "Flink, evenly", profiles, fill);
            }
        }
        if (options.get("workers").equals("10000") && options.get("requests").equals("100000")) {
            // 100 slots on each worker: the aim is only that all find room.
            for (String policy : List.of("first-fit", "pack", "optimal")) {
                pack("1000", "20", "0.85", policy, false);
            }
        }
    }

    /** @param usual whether the aims of usual workers apply: how many are used, and how long it takes */
    private void pack(String workers, String profiles, String fill, String policy, boolean usual) throws Exception {
        Map<String, Double> figures = figures(berth(
                        "bench",
                        "matching",
                        "--policy",
                        policy,
                        "--workers",
                        workers,
                        "--requests",
                        options.get("requests"),
                        "--profiles",
                        profiles,
                        "--fill",
                        fill,
                        "--runs",
                        options.get("runs"),
                        "--warm-ms",
                        options.get("warm-ms"),
                        "--heap",
                        options.get("heap"),
                        "-o",
                        "json"))
                .get(0);
        double nanos = figures.get("cpuNanosPerSlot");
        double millis = figures.get("wallMillis");
        if (usual) {
            bounds.put(profiles + " " + fill, figures.get("lowerBound"));
        }
        double above = 100 * (figures.get("workersUsed") / figures.get("lowerBound") - 1);
        List<String> aims = new ArrayList<>();
        if (policy.equals("pack") && usual) {
            aims.add(aim("at most 4 % above", above <= 4));
            aims.add(aim("under 200 ns", nanos < 200));
        } else if (policy.equals("optimal") && usual) {
            if (!profiles.equals("1")) {
                double most = profiles.equals("20") ? 0.2 : 1.5;
                aims.add(aim("at most " + most + " % above", above <= most));
            }
            aims.add(aim("under 2 s", millis < 2_000));
        }
        if (fill.equals("0.85") && List.of("pack", "optimal").contains(policy)) {
            aims.add(aim("none left", figures.get("unplaced") == 0));
        }
        row(
                workers + "/" + options.get("requests") + "/" + profiles,
                fill,
                policy,
                text(nanos),
                text(millis),
                text(figures.get("workersUsed")),
                text(figures.get("lowerBound")),
                String.format(Locale.ROOT, "%.2f %%", above),
                text(figures.get("unplaced")),
                String.join(", ", aims));
    }

    private void compilePeer(String classPath) throws Exception {
        Path folder = Files.createTempDirectory("berth-peer");
        Path source = Files.writeString(folder.resolve("PackingPeer.java"), PEER);
        output("javac", "-cp", classPath, "-d", folder.toString(), source.toString());
        peerPath = folder + File.pathSeparator + classPath;
    }

    private void packByPeer(String mode, String name, String profiles, String fill) throws Exception {
        if (peerPath.isEmpty()) {
            return;
        }
        String printed = output(
                "java",
                "-Xms" + options.get("heap"),
                "-Xmx" + options.get("heap"),
                "-XX:+UseParallelGC",
                "-Dreps=" + options.get("runs"),
                "-Dwarm=1000000",
                "-DwarmS=" + Integer.parseInt(options.get("warm-ms")) / 1_000.0,
                "-cp",
                peerPath,
                "org.apache.flink.runtime.resourcemanager.slotmanager.PackingPeer",
                options.get("workers"),
                options.get("requests"),
                profiles,
                fill,
                mode);
        Matcher placed = PLACED.matcher(printed);
        Optional<String> times =
                printed.lines().filter(line -> line.startsWith("| flink")).findFirst();
        if (!placed.find() || times.isEmpty()) {
            throw new IOException("the peer printed no figures: " + printed);
        }
        String[] cells = times.get().split("\\|");
        double used = Double.parseDouble(placed.group(3));
        double bound = Double.parseDouble(placed.group(4));
        if (bound != bounds.getOrDefault(profiles + " " + fill, bound)) {
            System.err.println("Flink has workers of another size here");
            return;
        }
        row(
                options.get("workers") + "/" + options.get("requests") + "/" + profiles,
                fill,
                name,
                text(Double.parseDouble(cells[7].strip())),
                text(Double.parseDouble(cells[3].strip())),
                text(used),
                text(bound),
                String.format(Locale.ROOT, "%.2f %%", 100 * (used / bound - 1)),
                text(Double.parseDouble(placed.group(2)) - Double.parseDouble(placed.group(1))),
                "");
    }

    private void assignment() throws Exception {
        table(
                "Assignment: slots of a job that can all serve, five jobs each",
                "family, slots/profiles",
                "policy",
                "ms",
                "assigned",
                "can be",
                "aims");
        for (String family : List.of("loose", "skew")) {
            for (String slots : list("slots")) {
                for (String profiles : List.of("20", "200")) {
                    if (Integer.parseInt(slots) < 1_000 && profiles.equals("200")) {
                        continue;
                    }
                    for (String policy : List.of("first-fit", "optimal", "gale-shapley")) {
                        Map<String, Double> of = figures(berth(
                                        "bench",
                                        "assignment",
                                        "--policy",
                                        policy,
                                        "--family",
                                        family,
                                        "--slots",
                                        slots,
                                        "--profiles",
                                        profiles,
                                        "--runs",
                                        options.get("runs"),
                                        "--warm-ms",
                                        String.valueOf(Integer.parseInt(options.get("warm-ms")) / 5),
                                        "-o",
                                        "json"))
                                .get(0);
                        boolean all = of.get("assigned").equals(of.get("maximum"));
                        row(
                                family + " " + slots + "/" + profiles,
                                policy,
                                text(of.get("wallMillis")),
                                text(of.get("assigned")),
                                text(of.get("maximum")),
                                policy.equals("optimal")
                                        ? aim("all that can", all) + "; "
                                                + aim("under 50 ms", of.get("wallMillis") < 50)
                                        : "-");
                    }
                }
            }
        }
    }

    private void starvation() throws Exception {
        table(
                "Starvation: " + options.get("storms") + " seeded storms in which small jobs never stop coming",
                "bundle",
                "test",
                "aims");
        String aim = "each unit that fits starts within the bound";
        List<Shown> tests = new ArrayList<>();
        tests.add(new Shown("distribution-priority", "PriorityTest", "noUnitThatFitsStarvesWith*", aim));
        tests.add(new Shown("distribution-fair-share", "FairShareTest", "noUnitThatFitsStarves", aim));
        tests.add(new Shown("distribution-drf", "DrfTest", "noUnitThatFitsStarves", aim));
        tests.add(new Shown("distribution-capacity", "CapacityTest", "noUnitThatFitsStarves", aim));
        tests.add(new Shown("distribution-backfill", "StormTest", "aLargeJobStartsWithinTheBound", aim));
        rows(tests);
    }

    private void checks() throws Exception {
        table("What tests show of the policies", "bundle", "test", "aims");
        String serve = "the figure of FLIP-156 and others like it: as many slots serve as can";
        rows(List.of(
                new Shown("matching-first-fit", "FirstFitTest", "assignsAsManySlotsAsCanServeInAnyOrder", serve),
                new Shown("matching-pack", "PackTest", "assignsAsManySlotsAsCanServeInAnyOrder", serve),
                new Shown("matching-optimal", "OptimalTest", "assignsAsManySlotsAsCanServeInAnyOrder", serve),
                new Shown(
                        "matching-optimal",
                        "OptimalTest",
                        "leavesNoMoreAndUsesNoMoreWorkersThanPack",
                        "not worse than pack in 500 instances"),
                new Shown("matching-gale-shapley", "GaleShapleyTest", "assignsAsManySlotsAsCanServeInAnyOrder", serve),
                new Shown(
                        "matching-gale-shapley",
                        "GaleShapleyTest",
                        "noSlotAndWorkerPreferEachOtherToWhatTheyHave",
                        "no blocking pair in 10,000 instances"),
                new Shown(
                        "distribution-drf",
                        "DrfTest",
                        "theExampleOfThePaperHasThreeAndTwoTasksWithDominantSharesOfTwoThirds",
                        "the example of the paper"),
                new Shown(
                        "distribution-drf",
                        "DrfTest",
                        "agreesWithAnIndependentComputationOnRandomPools",
                        "equals an independent computation on 1,000 pools"),
                new Shown(
                        "distribution-capacity",
                        "GuaranteedHoursTest",
                        "aQueueThatDesiresItsGuaranteeHasItInEachHour",
                        "each guarantee within 2 % in each hour with demand"),
                new Shown(
                        "scaling-target-rate",
                        "TargetRateTest",
                        "ds2_findsTheTasksOfItsWordCountInTwoSteps",
                        "the word count of DS2 in two steps"),
                new Shown("scorecard", "PlantedPoliciesTest", "*", "each planted policy loses points for its reason"),
                new Shown(
                        "scorecard",
                        "ShippedPoliciesTest",
                        "*",
                        "the policies of this release lose what the page says")));
    }

    /** A row: what a test of a bundle shows. */
    private record Shown(String bundle, String type, String method, String aim) {}

    /** Runs the tests in one build. The line that it prints for a class says whether the tests of that class passed. */
    private void rows(List<Shown> tests) throws Exception {
        Path out = Files.createTempFile("berth", ".out");
        try {
            int exit = exit(
                    Redirect.to(out.toFile()),
                    options.get("maven"),
                    "-B",
                    "-ntp",
                    "--fail-at-end",
                    "test",
                    "-pl",
                    tests.stream()
                            .map(test -> "bundles/" + test.bundle())
                            .distinct()
                            .collect(Collectors.joining(",")),
                    "-am",
                    "-Dtest="
                            + tests.stream()
                                    .map(test -> test.type() + "#" + test.method())
                                    .collect(Collectors.joining(",")),
                    "-Dsurefire.failIfNoSpecifiedTests=false",
                    "-Dberth.storms=" + options.get("storms"));
            String printed = Files.readString(out);
            if (exit != 0) {
                System.err.println(printed);
            }
            for (Shown test : tests) {
                boolean isGreen =
                        printed.lines().anyMatch(line -> line.endsWith("." + test.type()) && ran(line, test, tests));
                row(test.bundle(), test.type() + "#" + test.method(), aim(test.aim(), isGreen));
            }
        } finally {
            Files.delete(out);
        }
    }

    /** Whether as many tests of its class ran as are rows of it: a build without a test succeeds too. */
    private static boolean ran(String line, Shown test, List<Shown> tests) {
        List<Shown> ofClass =
                tests.stream().filter(other -> other.type().equals(test.type())).toList();
        Matcher ran = RAN.matcher(line);
        return ran.find()
                && (ofClass.stream().anyMatch(other -> other.method().contains("*"))
                        || Integer.parseInt(ran.group(1)) == ofClass.size());
    }

    // Traces.

    private void openb() throws Exception {
        table(
                "Pods of openb that find room, one after the other",
                "list",
                "first-fit",
                "spread",
                "pack",
                "pack:keep.scarce=true",
                "balanced",
                "gpu used in the same order",
                "gpu stranded",
                "aims");
        List<Path> lists;
        try (Stream<Path> files = Files.list(data(OPENB))) {
            lists = files.filter(file -> file.getFileName().toString().startsWith("openb_pod_list_"))
                    .sorted()
                    .toList();
        }
        for (Path pods : lists) {
            List<Map<String, Double>> of = compare(
                    "matching=first-fit,spread,pack,pack:keep.scarce=true,balanced",
                    "--nodes",
                    data(OPENB).resolve("openb_node_list_all_node.csv").toString(),
                    "--jobs",
                    pods.toString(),
                    "--pack");
            List<Double> begun =
                    of.stream().map(figures -> figures.get("begun")).toList();
            double before = Math.max(begun.get(0), begun.get(1));
            double now = Math.max(begun.get(2), begun.get(4));
            row(
                    pods.getFileName().toString().replaceAll("openb_pod_list_|\\.csv", ""),
                    text(begun.get(0)),
                    text(begun.get(1)),
                    text(begun.get(2)),
                    text(begun.get(3)),
                    text(begun.get(4)),
                    shares(of, "last gpu"),
                    shares(of, "last stranded gpu"),
                    aim("pack or balanced places more, or all", now > before || all(of.get(2)) || all(of.get(4))));
        }
    }

    private static String shares(List<Map<String, Double>> of, String figure) {
        return of.stream()
                .map(figures -> figures.getOrDefault(figure, 0.0))
                .map(share -> String.format(Locale.ROOT, "%.1f", 100 * share))
                .collect(Collectors.joining(", ", "", " %"));
    }

    private static boolean all(Map<String, Double> figures) {
        return figures.get("waiting") == 0 && figures.get("tooLarge") == 0;
    }

    private void kth() throws Exception {
        Path pool = Files.writeString(Files.createTempFile("berth-pool", ".cfg"), "usage.half.life = 30d\n");
        try {
            waits("KTH-SP2: who comes first");
            String jobs = data(KTH).toString();
            List<String> policies = List.of("fifo", "backfill", "backfill:order=shortest-first");
            List<Map<String, Double>> of = compare(
                    "distribution=" + String.join(",", policies),
                    "--nodes",
                    "docs/clusters/kth-sp2.csv",
                    "--jobs",
                    jobs);
            Map<String, Double> fifo = of.get(0);
            double slowdown = fifo.get("slowdownMean");
            waits("fifo", fifo);
            waits(
                    policies.get(1),
                    of.get(1),
                    aim("longest wait under 5 days", of.get(1).get("waitLongest") < 5 * DAY),
                    aim("slowdown at most 1.3 x fifo", of.get(1).get("slowdownMean") <= 1.3 * slowdown));
            waits(
                    policies.get(2),
                    of.get(2),
                    aim("slowdown not above fifo", of.get(2).get("slowdownMean") <= slowdown));
            String fairShare = "fair-share:hold.after=5d";
            Map<String, Double> fair = compare(
                            "distribution=" + fairShare,
                            "--nodes",
                            "docs/clusters/kth-sp2.csv",
                            "--jobs",
                            jobs,
                            "--pool",
                            pool.toString())
                    .get(0);
            waits(
                    fairShare + ", usage.half.life = 30d",
                    fair,
                    aim("Jain 0.1 above fifo", fair.get("jainUsers") >= fifo.get("jainUsers") + 0.1),
                    aim("mean wait at most 1.1 x fifo", fair.get("waitMean") <= 1.1 * fifo.get("waitMean")));
        } finally {
            Files.delete(pool);
        }
    }

    private void curie() throws Exception {
        waits("CEA-Curie: backfill beside fifo");
        List<Map<String, Double>> of = compare(
                "distribution=fifo,backfill",
                "--nodes",
                "docs/clusters/curie.csv",
                "--slot-cpus",
                "16",
                "--jobs",
                data(CURIE).toString());
        waits("fifo", of.get(0));
        List<String> aims = new ArrayList<>();
        for (String figure : List.of("waitMean", "waitLongest", "slowdownMean")) {
            aims.add(aim(
                    figure + " at most 1.05 x fifo",
                    of.get(1).get(figure) <= 1.05 * of.get(0).get(figure)));
        }
        waits("backfill", of.get(1), aims.toArray(String[]::new));
    }

    private void swim() throws Exception {
        moves(
                "A day of SWIM on workers that start on demand and stop when idle",
                List.of("first-fit", "spread", "pack", "balanced", "rebalance"),
                Path.of("docs/clusters/swim.csv"),
                data(SWIM),
                1.005);
        Path nodes = Files.writeString(
                Files.createTempFile("berth-nodes", ".csv"), "name,count,cpu,memory_mib\nsp2,25,4,4096\n");
        try {
            moves(
                    "KTH-SP2 on 25 workers of four cores that start on demand",
                    List.of("pack", "rebalance"),
                    nodes,
                    data(KTH),
                    0.98);
        } finally {
            Files.delete(nodes);
        }
    }

    /** @param most how many workers there may be with {@code rebalance}, beside those with {@code pack} */
    private void moves(String title, List<String> policies, Path nodes, Path jobs, double most) throws Exception {
        table(
                title,
                "policy",
                "wait, mean, s",
                "workers used",
                "workers there",
                "hours of a worker less than pack",
                "slots moved",
                "s between moves of a job",
                "aims");
        List<Map<String, Double>> of = compare(
                "matching=" + String.join(",", policies),
                "--nodes",
                nodes.toString(),
                "--jobs",
                jobs.toString(),
                "--worker-start",
                "60",
                "--worker-idle",
                "600",
                "--move-seconds",
                "20");
        double pack = of.get(policies.indexOf("pack")).get("workersMean");
        for (int at = 0; at < policies.size(); at++) {
            Map<String, Double> figures = of.get(at);
            double there = figures.get("workersMean");
            List<String> aims = new ArrayList<>();
            if (policies.get(at).equals("rebalance")) {
                aims.add(aim(
                        String.format(Locale.ROOT, "at most %.3f x the workers of pack", most), there <= most * pack));
                aims.add(aim("none within its pause", figures.getOrDefault("shortestBetweenMoves", PAUSE) >= PAUSE));
            }
            row(
                    policies.get(at),
                    text(figures.get("waitMean")),
                    text(figures.get("workersUsedMean")),
                    text(there),
                    text(Math.rint((pack - there) * figures.get("lengthSeconds") / 3_600)),
                    text(figures.getOrDefault("slotsMoved", 0.0)),
                    figures.containsKey("shortestBetweenMoves") ? text(figures.get("shortestBetweenMoves")) : "",
                    String.join(", ", aims));
        }
    }

    private void scaling() throws Exception {
        table(
                "Loads: a chain of three vertices that needs 20 tasks at the peak",
                "series",
                "policy",
                "rescales a day",
                "behind",
                "slot-hours / oracle",
                "aims");
        String series;
        try (Stream<Path> files = Files.list(data(LOADS))) {
            series = files.filter(file -> file.toString().endsWith(".csv"))
                    .sorted()
                    .map(file -> file.toAbsolutePath().toString())
                    .collect(Collectors.joining(" "));
        }
        List<String[]> rows = output(
                        options.get("maven"),
                        "-q",
                        "-B",
                        "-ntp",
                        "-pl",
                        "bundles/scaling-target-rate",
                        "test-compile",
                        "exec:java",
                        "-Dexec.classpathScope=test",
                        "-Dexec.mainClass=io.berth.scaling.targetrate.LoadReplay",
                        "-Dexec.args=" + series)
                .lines()
                .skip(1)
                .map(line -> line.strip().split(" {2,}"))
                .toList();
        if (rows.stream().noneMatch(cells -> cells[0].startsWith(TOGETHER) && cells[1].equals("target-rate"))) {
            throw new IllegalStateException("the replay of loads has no row of all series together");
        }
        for (String[] cells : rows) {
            OptionalDouble bound = rows.stream()
                    .filter(other -> other[0].equals(cells[0]) && other[1].equals("at best"))
                    .mapToDouble(other -> Double.parseDouble(other[4]))
                    .findFirst();
            List<String> aims = new ArrayList<>();
            if (cells[1].equals("target-rate") && bound.orElse(0) > MAX_SLOT_HOURS) {
                aims.add("no plan keeps them alone");
            } else if (cells[1].equals("target-rate")) {
                boolean together = cells[0].startsWith(TOGETHER);
                aims.add(scalingAim("under 12 rescales a day", Double.parseDouble(cells[2]) < 12, together));
                aims.add(scalingAim("under 1 % behind", Double.parseDouble(cells[3]) < 1, together));
                aims.add(scalingAim("at most 1.4 x oracle", Double.parseDouble(cells[4]) <= MAX_SLOT_HOURS, together));
            }
            row(cells[0], cells[1], cells[2], cells[3] + " %", cells[4], String.join(", ", aims));
        }
    }

    private void waits(String title) {
        table(title, "policy", "wait, mean, s", "wait, longest, s", "slowdown, mean", "Jain, users", "aims");
    }

    private void waits(String policy, Map<String, Double> figures, String... aims) {
        row(
                policy,
                text(figures.get("waitMean")),
                text(figures.get("waitLongest")),
                text(figures.get("slowdownMean")),
                String.format(Locale.ROOT, "%.3f", figures.getOrDefault("jainUsers", 0.0)),
                String.join(", ", aims));
    }

    /** The figures of each combination, in their order. */
    private List<Map<String, Double>> compare(String policies, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of("policy", "compare", "--policy", policies));
        command.addAll(List.of(more));
        command.addAll(List.of("-o", "json"));
        return figures(berth(command.toArray(String[]::new)));
    }

    // Processes and text.

    /**
     * All numbers by name, the first of each name; one map for each policy of the output, or one for all of it. Those at
     * the last arrival have {@code last} before their name, and those that are stranded then {@code last stranded}.
     */
    private static List<Map<String, Double>> figures(String json) {
        int policies = json.indexOf("\"policies\": [");
        List<String> texts = policies < 0
                ? List.of(json)
                : Arrays.stream(json.substring(policies).split("\\{\"policy\": "))
                        .skip(1)
                        .toList();
        return texts.stream().map(PolicyComparison::numbers).toList();
    }

    private static Map<String, Double> numbers(String text) {
        Map<String, Double> numbers = new TreeMap<>();
        int last = text.indexOf("\"last\": ");
        int stranded = last < 0 ? -1 : text.indexOf("\"stranded\": ", last);
        Matcher field = NUMBER.matcher(text);
        while (field.find()) {
            double value = Double.parseDouble(field.group(2));
            numbers.putIfAbsent(field.group(1), value);
            if (stranded >= 0 && field.start() > stranded) {
                numbers.putIfAbsent("last stranded " + field.group(1), value);
            }
            if (last >= 0 && field.start() > last) {
                numbers.putIfAbsent("last " + field.group(1), value);
            }
        }
        return numbers;
    }

    private String berth(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(Arrays.asList(options.get("berth").split(" ")));
        command.addAll(List.of(arguments));
        return output(command.toArray(String[]::new));
    }

    private static String output(String... command) throws Exception {
        Path out = Files.createTempFile("berth", ".out");
        try {
            int exit = exit(Redirect.to(out.toFile()), command);
            if (exit != 0) {
                throw new IOException("exit code " + exit + " of " + String.join(" ", command));
            }
            return Files.readString(out);
        } finally {
            Files.delete(out);
        }
    }

    private static int exit(Redirect out, String... command) throws Exception {
        System.err.println(String.join(" ", command));
        return new ProcessBuilder(command)
                .redirectOutput(out)
                .redirectError(Redirect.INHERIT)
                .start()
                .waitFor();
    }

    private String aim(String what, boolean met) {
        missed += met ? 0 : 1;
        return what + (met ? ": met" : ": **missed**");
    }

    /** What a single series misses is shown, and counts only in the sum. */
    private String scalingAim(String what, boolean met, boolean together) {
        return together || met ? aim(what, met) : what + ": missed alone";
    }

    private static void table(String title, String... columns) {
        System.out.println();
        System.out.println("### " + title);
        System.out.println();
        row(columns);
        row(Collections.nCopies(columns.length, "---").toArray(String[]::new));
    }

    private static void row(String... cells) {
        System.out.println(Arrays.stream(cells).collect(Collectors.joining(" | ", "| ", " |")));
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, value < 100 && value != Math.rint(value) ? "%.1f" : "%,.0f", value);
    }
}
