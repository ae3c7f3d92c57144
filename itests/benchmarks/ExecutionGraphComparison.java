import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The execution graph and the pipelined regions of a job of four vertices, in Berth and in Flink, taking turns in one
 * process, as one table in Markdown. Run it from the root of the repository:
 *
 * <pre>
 * java itests/benchmarks/ExecutionGraphComparison.java --peers DIR [--sizes 100,1000,10000,40000] [--runs 15]
 *     [--warm-ms 3000] [--heap 4g] [--fail yes|no]
 * </pre>
 *
 * <p>Needs a JDK 17, a machine that does nothing else, and the project of the peers in DIR, built as the comment of {@code
 * DecisionComparison.java} says. {@code ./berth bench} must have been built: any of its commands does that.
 *
 * <p>{@code all-to-all}: each subtask sends to all of the next vertex, which makes one region. {@code pointwise}: each
 * subtask sends to that with its index, and the vertices are in groups of their own, so that Berth does not chain them: as
 * many regions as subtasks of a vertex. {@code blocking}: each subtask reads all results of the previous vertex: each task is
 * a region, and in Berth each vertex a unit.
 *
 * <p>Both begin with a job graph, and Berth with the slots of the execution, which Flink does not assign here. Both end with
 * all tasks and a list of the tasks of each region; the numbers of regions must be equal. Processor time and bytes are those
 * of the one thread: medians of {@code --runs} runs of each, after a warm-up of {@code --warm-ms} for each row. The last
 * column says which one is slower. With {@code --fail yes} the exit code is 1 when that is Berth in a row.
 */
final class ExecutionGraphComparison {

    private static final String DRIVER = """
            package org.apache.flink.runtime.scheduler.adaptive.allocator;

            import io.berth.core.api.FencingToken;
            import io.berth.core.api.job.JobGraph.Exchange;
            import io.berth.core.api.job.JobGraph.JobEdge;
            import io.berth.core.api.job.JobGraph.JobVertex;
            import io.berth.core.api.job.JobGraph.Partitioning;
            import io.berth.core.api.job.JobGraph.SlotSharingGroup;
            import io.berth.core.api.job.SchedulingAttributes;
            import io.berth.core.api.rpc.EndpointName;
            import io.berth.core.api.rpc.EndpointRef;
            import io.berth.core.api.rpc.RpcAddress;
            import io.berth.core.scheduler.execution.ExecutionGraph;
            import io.berth.core.scheduler.execution.ExecutionTask;
            import io.berth.core.scheduler.job.JobIdentity;
            import io.berth.core.scheduler.job.JobUnit;
            import io.berth.core.scheduler.slotpool.PoolSlot;
            import io.berth.spi.AllocationId;
            import io.berth.spi.JobId;
            import io.berth.spi.ResourceProfile;
            import io.berth.spi.WorkerId;
            import java.lang.management.ManagementFactory;
            import java.util.ArrayList;
            import java.util.Arrays;
            import java.util.BitSet;
            import java.util.Collections;
            import java.util.List;
            import java.util.SortedMap;
            import java.util.TreeMap;
            import java.util.UUID;
            import java.util.concurrent.Executors;
            import java.util.concurrent.ScheduledExecutorService;
            import org.apache.flink.runtime.executiongraph.DefaultExecutionGraph;
            import org.apache.flink.runtime.executiongraph.TestingDefaultExecutionGraphBuilder;
            import org.apache.flink.runtime.io.network.partition.ResultPartitionType;
            import org.apache.flink.runtime.jobgraph.DistributionPattern;
            import org.apache.flink.runtime.scheduler.strategy.SchedulingExecutionVertex;
            import org.apache.flink.runtime.scheduler.strategy.SchedulingPipelinedRegion;

            public final class BerthGraphRun {

                private static final com.sun.management.ThreadMXBean THREADS =
                        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
                private static final int VERTICES = 4;
                private static final int SLOTS_OF_WORKER = 8;
                private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1L << 30);
                private static final EndpointRef JOB_MASTER = new EndpointRef(
                        new RpcAddress("127.0.0.1", 1), EndpointName.DISPATCHER, new FencingToken(1, new UUID(0, 1)));

                /** Builds everything. */
                interface Build {
                    /** Returns how many regions there are, and adds all tasks of all regions to tasks[0]. */
                    int run(long[] tasks) throws Exception;
                }

                private static Build flink(String shape, int parallelism, ScheduledExecutorService executor) {
                    var job = PeerFlinkJobSide.jobGraph(
                            parallelism,
                            VERTICES,
                            shape.equals("pointwise") ? DistributionPattern.POINTWISE : DistributionPattern.ALL_TO_ALL,
                            shape.equals("blocking")
                                    ? ResultPartitionType.BLOCKING
                                    : ResultPartitionType.PIPELINED_BOUNDED);
                    return tasks -> {
                        DefaultExecutionGraph graph = TestingDefaultExecutionGraphBuilder.newBuilder()
                                .setJobGraph(job)
                                .build(executor);
                        int regions = 0;
                        for (SchedulingPipelinedRegion region : graph.getSchedulingTopology().getAllPipelinedRegions()) {
                            regions++;
                            for (SchedulingExecutionVertex vertex : region.getVertices()) {
                                tasks[0]++;
                            }
                        }
                        return regions;
                    };
                }

                private static Build berth(String shape, int parallelism) {
                    List<JobVertex> vertices = new ArrayList<>();
                    List<JobEdge> edges = new ArrayList<>();
                    List<SlotSharingGroup> groups = new ArrayList<>();
                    SortedMap<String, List<PoolSlot>> slots = new TreeMap<>();
                    boolean pointwise = shape.equals("pointwise");
                    for (int vertex = 0; vertex < VERTICES; vertex++) {
                        String group = pointwise ? "group-" + vertex : "default";
                        vertices.add(new JobVertex(
                                "v" + vertex, "none", 1, parallelism, parallelism, parallelism, group, new TreeMap<>()));
                        if (vertex > 0) {
                            edges.add(new JobEdge(
                                    "v" + (vertex - 1),
                                    "v" + vertex,
                                    pointwise ? Partitioning.FORWARD : Partitioning.HASH,
                                    shape.equals("blocking") ? Exchange.BLOCKING : Exchange.PIPELINED));
                        }
                        if (!slots.containsKey(group)) {
                            groups.add(new SlotSharingGroup(group, SLOT));
                            List<PoolSlot> of = new ArrayList<>();
                            for (int index = 0; index < parallelism; index++) {
                                int number = slots.size() * parallelism + index;
                                of.add(new PoolSlot(
                                        new AllocationId(1, number),
                                        new WorkerId("worker-" + number / SLOTS_OF_WORKER),
                                        group,
                                        group,
                                        SLOT,
                                        false,
                                        1));
                            }
                            slots.put(group, of);
                        }
                    }
                    var job = new io.berth.core.api.job.JobGraph(
                            new JobId("graph"),
                            "graph",
                            1,
                            SchedulingAttributes.DEFAULT,
                            new TreeMap<>(),
                            List.of(),
                            vertices,
                            edges,
                            groups);
                    return tasks -> {
                        int regions = 0;
                        for (JobUnit unit : JobUnit.of(job)) {
                            ExecutionGraph graph = new ExecutionGraph(
                                    new JobIdentity(unit, JOB_MASTER),
                                    1,
                                    Collections.nCopies(unit.graph().vertices().size(), parallelism),
                                    slots,
                                    0,
                                    60_000);
                            regions += graph.regions();
                            BitSet seen = new BitSet();
                            for (ExecutionTask task : graph.tasksInOrder()) {
                                int region = graph.regionOf(task);
                                if (!seen.get(region)) {
                                    seen.set(region);
                                    tasks[0] += graph.region(region).size();
                                }
                            }
                        }
                        return regions;
                    };
                }

                /** Processor time, bytes and regions of one run. */
                private static long[] once(Build build, int subtasks) throws Exception {
                    long thread = Thread.currentThread().getId();
                    long[] tasks = new long[1];
                    System.gc();
                    long bytes = THREADS.getThreadAllocatedBytes(thread);
                    long nanos = THREADS.getCurrentThreadCpuTime();
                    int regions = build.run(tasks);
                    nanos = THREADS.getCurrentThreadCpuTime() - nanos;
                    bytes = THREADS.getThreadAllocatedBytes(thread) - bytes;
                    if (tasks[0] != subtasks) {
                        throw new IllegalStateException("the regions have " + tasks[0] + " tasks of " + subtasks);
                    }
                    return new long[] {nanos, bytes, regions};
                }

                private static long[] sorted(List<long[]> runs, int column) {
                    return runs.stream().mapToLong(run -> run[column]).sorted().toArray();
                }

                public static void main(String[] a) throws Exception {
                    int runs = Integer.parseInt(a[0]);
                    long warmNanos = Long.parseLong(a[1]) * 1_000_000;
                    ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
                    for (String shape : List.of("all-to-all", "pointwise", "blocking")) {
                        for (String size : a[2].split(",")) {
                            int parallelism = Math.max(1, Integer.parseInt(size) / VERTICES);
                            int subtasks = VERTICES * parallelism;
                            List<Build> both = List.of(
                                    berth(shape, parallelism), flink(shape, parallelism, executor));
                            long[] tasks = new long[1];
                            long begun = System.nanoTime();
                            do {
                                for (Build build : both) {
                                    build.run(tasks);
                                }
                            } while (System.nanoTime() - begun < warmNanos);
                            List<List<long[]>> measured = List.of(new ArrayList<>(), new ArrayList<>());
                            for (int run = 0; run < runs; run++) {
                                for (int turn = 0; turn < 2; turn++) {
                                    int which = (run + turn) % 2;
                                    measured.get(which).add(once(both.get(which), subtasks));
                                }
                            }
                            StringBuilder row = new StringBuilder("row " + shape + " " + subtasks);
                            for (List<long[]> one : measured) {
                                row.append(' ').append(sorted(one, 0)[runs / 2]);
                                row.append(' ').append(sorted(one, 0)[0]);
                                row.append(' ').append(sorted(one, 1)[runs / 2]);
                                row.append(' ').append(one.get(0)[2]);
                            }
                            System.out.println(row);
                        }
                    }
                    executor.shutdownNow();
                }
            }
            """;

    private static final Path JAR = Path.of("bundles/benchmark/target/berth-benchmark-all.jar");

    private final Map<String, String> options = new TreeMap<>(Map.of(
            "peers", "",
            "sizes", "100,1000,10000,40000",
            "runs", "15",
            "warm-ms", "3000",
            "heap", "4g",
            "fail", "no"));

    /**
     * One system in a row.
     *
     * @param nanos median
     * @param least nanoseconds of the fastest run
     */
    private record Cost(long nanos, long least, long bytes, int regions) {

        private static Cost of(String[] fields, int first) {
            return new Cost(
                    Long.parseLong(fields[first]),
                    Long.parseLong(fields[first + 1]),
                    Long.parseLong(fields[first + 2]),
                    Integer.parseInt(fields[first + 3]));
        }
    }

    private record Row(String shape, int subtasks, Cost berth, Cost flink) {

        private static Row of(String line) {
            String[] fields = line.split(" ");
            return new Row(fields[1], Integer.parseInt(fields[2]), Cost.of(fields, 3), Cost.of(fields, 7));
        }

        private boolean isSlower() {
            return berth.nanos() >= flink.nanos();
        }

        private String text() {
            return String.format(
                    Locale.ROOT,
                    "| %s | %,d | %,d | %.3f | %.3f | %.1f | %.3f, %.3f | %,d, %,d | %s |",
                    shape,
                    subtasks,
                    berth.regions(),
                    berth.nanos() / 1e6,
                    flink.nanos() / 1e6,
                    (double) flink.nanos() / berth.nanos(),
                    berth.least() / 1e6,
                    flink.least() / 1e6,
                    berth.bytes() / subtasks,
                    flink.bytes() / subtasks,
                    isSlower() ? "Berth" : "Flink");
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.exit(new ExecutionGraphComparison().run(arguments));
    }

    private int run(String[] arguments) throws Exception {
        if (List.of(arguments).contains("--help")) {
            System.out.println(
                    "java itests/benchmarks/ExecutionGraphComparison.java --peers DIR, and with their defaults: "
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
        for (String name : List.of("runs", "warm-ms")) {
            if (!options.get(name).matches("[1-9][0-9]{0,6}")) {
                return refuse(
                        "option --" + name + " is '" + options.get(name) + "': allowed is a whole number above 0");
            }
        }
        if (!options.get("sizes").matches("[1-9][0-9]{0,6}(,[1-9][0-9]{0,6})*")) {
            return refuse("option --sizes is '" + options.get("sizes")
                    + "': allowed are numbers of subtasks like 100,1000,10000");
        }
        if (!options.get("fail").matches("yes|no")) {
            return refuse("option --fail is '" + options.get("fail") + "': allowed are yes and no");
        }
        Path peers = Path.of(options.get("peers"));
        Path classPath = peers.resolve("target/cp.txt");
        if (options.get("peers").isEmpty()
                || !Files.isRegularFile(classPath)
                || !Files.isDirectory(peers.resolve("target/classes"))) {
            return refuse("option --peers is '" + options.get("peers") + "': allowed is the folder of their project,"
                    + " built as the comment of DecisionComparison.java says");
        }
        if (!Files.isRegularFile(JAR)) {
            return refuse("there is no " + JAR + ": run './berth bench --help' in the root of the repository, which"
                    + " builds it");
        }
        List<Row> rows = measure(String.join(
                java.io.File.pathSeparator,
                JAR.toString(),
                peers.resolve("target/classes").toString(),
                Files.readString(classPath).strip()));
        print(rows);
        boolean slower = rows.stream().anyMatch(Row::isSlower);
        boolean different = rows.stream()
                .anyMatch(row -> row.berth().regions() != row.flink().regions());
        if (different) {
            System.err.println("ExecutionGraphComparison: the numbers of regions differ: " + rows);
        }
        return different || slower && options.get("fail").equals("yes") ? 1 : 0;
    }

    private static int refuse(String message) {
        System.err.println("ExecutionGraphComparison: " + message);
        return 2;
    }

    private List<Row> measure(String classPath) throws Exception {
        Path driver = Files.createTempDirectory("berth-graphs");
        try {
            Path source = Files.writeString(driver.resolve("BerthGraphRun.java"), DRIVER);
            output(List.of("javac", "-nowarn", "-cp", classPath, "-d", driver.toString(), source.toString()));
            String heap = options.get("heap");
            return output(List.of(
                            "java",
                            "-XX:+UseParallelGC",
                            "-Xms" + heap,
                            "-Xmx" + heap,
                            "-cp",
                            driver + java.io.File.pathSeparator + classPath,
                            "org.apache.flink.runtime.scheduler.adaptive.allocator.BerthGraphRun",
                            options.get("runs"),
                            options.get("warm-ms"),
                            options.get("sizes")))
                    .lines()
                    .filter(line -> line.startsWith("row "))
                    .map(Row::of)
                    .toList();
        } finally {
            delete(driver);
        }
    }

    private static String output(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(command.get(0) + " failed:\n" + output);
        }
        return output;
    }

    private static void delete(Path folder) throws IOException {
        List<Path> all;
        try (var paths = Files.walk(folder)) {
            all = new ArrayList<>(paths.toList());
        }
        for (int at = all.size() - 1; at >= 0; at--) {
            Files.delete(all.get(at));
        }
    }

    private static void print(List<Row> rows) {
        System.out.println(
                "| graph | subtasks | regions | Berth, ms | Flink, ms | Flink / Berth | fastest of each, ms |"
                        + " bytes of each per subtask | slower |");
        System.out.println("|---|---|---|---|---|---|---|---|---|");
        System.out.println(rows.stream().map(Row::text).collect(Collectors.joining("\n")));
        long slower = rows.stream().filter(Row::isSlower).count();
        System.out.println("\nBerth is slower in " + slower + " of " + rows.size() + " rows.");
    }
}
