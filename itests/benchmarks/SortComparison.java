import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A sort as in TeraSort through a blocking edge: the Berth assembly with worker processes, beside a merge sort in one
 * process that has the memory of all workers together. Linux only. Run it from the root of the repository:
 *
 * <pre>
 * java itests/benchmarks/SortComparison.java [--gigabytes 1] [--kill no|read|sort] [--kill-at 0.5] [--workers 2]
 *     [--memory-mib 1024] [--sort-mib 256] [--threads 1,2] [--assembly FILE] [--dir itests/target/sort-benchmark] [--options '']
 * </pre>
 *
 * Each worker has one slot and a heap of {@code --memory-mib} without 256 MiB for the JVM itself, and {@code --sort-mib} of
 * the heap for the records that a task sorts. {@code --kill} kills one worker with SIGKILL: {@code read} when the part {@code
 * --kill-at} of the records is written to the blocking edge, {@code sort} when that part of them was read from it, or with 0
 * as soon as it is read. Then the plain sort runs once for each number of {@code --threads}. Both results are checked for
 * order, count and checksum. {@code --options} are further options of the workers' JVM.
 *
 * <p>A megabyte has 1,000,000 bytes; a record has 100. Resident memory is the peak that Linux keeps for a process (VmHWM). CPU
 * is that of the control plane and the workers from the submission to the end of the job, or of the plain sort. The exit code
 * is 1 when a result is wrong, a job failed, or a worker had more than {@code --memory-mib} resident. All files are below
 * {@code --dir}, and are deleted.
 */
final class SortComparison {

    private static final int RECORD_BYTES = 100;
    private static final int BYTES_PER_MEGABYTE = 1_000_000;
    /** Of a worker: what the JVM needs beside the heap, and what a worker needs of the heap beside its tasks. */
    private static final int JVM_MEBIBYTES = 256;

    private static final int OVERHEAD_MEBIBYTES = 256;
    private static final int RANGES = 128;
    private static final Duration LIMIT = Duration.ofMinutes(60);
    private static final String BUNDLE = "bundles/example-sort/target/berth-example-sort.jar";
    private static final String JAVA = tool("java");
    private static final double TICKS_PER_SECOND = 100;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, String> options = new TreeMap<>(Map.of(
            "gigabytes", "1",
            "kill", "no",
            "kill-at", "0.5",
            "workers", "2",
            "memory-mib", "1024",
            "sort-mib", "256",
            "threads", "1,2",
            "assembly", "",
            "dir", "itests/target/sort-benchmark",
            "options", ""));

    public static void main(String[] arguments) throws Exception {
        System.exit(new SortComparison().run(arguments));
    }

    private int run(String[] arguments) throws Exception {
        for (int i = 0; i < arguments.length; i += 2) {
            String name = arguments[i].replaceFirst("^--", "");
            if (!options.containsKey(name) || i + 1 == arguments.length) {
                System.err.println("option " + arguments[i] + ": allowed are, with a value each, " + options.keySet());
                return 2;
            }
            options.put(name, arguments[i + 1]);
        }
        if (!List.of("no", "read", "sort").contains(options.get("kill"))) {
            System.err.println("option --kill is '" + options.get("kill") + "': allowed are no, read and sort");
            return 2;
        }
        long records = (long) (Double.parseDouble(options.get("gigabytes")) * 1e9 / RECORD_BYTES);
        Path parent = Files.createDirectories(Path.of(options.get("dir"))).toRealPath();
        Path dir = Files.createTempDirectory(parent, "run-");
        // Also when this program is ended by a signal.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> cleanUp(dir)));
        try {
            sortWithBerth(records, dir);
            for (String threads : options.get("threads").split(",")) {
                sortPlainly(records, Integer.parseInt(threads), dir);
            }
            return 0;
        } catch (IllegalStateException wrong) {
            System.err.println(wrong.getMessage());
            return 1;
        }
    }

    private static void cleanUp(Path dir) {
        try {
            for (long left : processes(Pattern.quote(dir + "/"))) {
                ProcessHandle.of(left).ifPresent(process -> {
                    process.destroyForcibly();
                    process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
                });
            }
            delete(dir);
        } catch (IOException | RuntimeException failure) {
            System.err.println("not all is removed of " + dir + ": " + failure);
        }
    }

    private void report(String name, long records, long nanos, double cpuSeconds, String more) {
        double seconds = nanos / 1e9;
        double megabytes = (double) records * RECORD_BYTES / BYTES_PER_MEGABYTE;
        System.out.printf(
                Locale.ROOT,
                "%s: %.1f s, %.1f MB/s; CPU %.1f s, %.1f MB for each second of it; %s%n",
                name,
                seconds,
                megabytes / seconds,
                cpuSeconds,
                megabytes / cpuSeconds,
                more);
    }

    private void sortWithBerth(long records, Path dir) throws Exception {
        Path output = Files.createDirectory(dir.resolve("output"));
        int workers = number("workers");
        try (Cluster cluster = new Cluster(dir.resolve("cluster"))) {
            cluster.start();
            String bundle = cluster.upload(Path.of(BUNDLE));
            await(
                    "workers",
                    () -> cluster.workers().size() == workers
                            && first(cluster.get("status"), "\"workers\"\\s*:\\s*(\\d+)")
                                    .equals(Integer.toString(workers)));
            long begin = System.nanoTime();
            String id = cluster.submit(description(records, bundle, dir.resolve("spill"), output));
            Watch watch = new Watch(cluster, id, records);
            await("the job", watch::isDone);
            long nanos = System.nanoTime() - begin;
            watch.sampleAll();
            report(
                    "berth, " + workers + " workers, kill " + options.get("kill"),
                    records,
                    nanos,
                    watch.usage.values().stream().mapToDouble(Usage::cpuSeconds).sum(),
                    watch.phases());
            List<Usage> used = watch.usage.values().stream().skip(1).toList();
            used.forEach(worker -> System.out.println(worker.name + ": " + worker.memory()));
            List<String> parts = Stream.iterate(0, part -> part + 1)
                    .limit(workers)
                    .map(part -> output.resolve(workers == 1 ? "part.txt" : "part-" + part + ".txt"))
                    .map(Path::toString)
                    .toList();
            validate(records, parts);
            if (used.stream().anyMatch(worker -> worker.residentMebibytes() > number("memory-mib"))) {
                throw new IllegalStateException("a worker had more than " + number("memory-mib") + " MiB resident");
            }
        }
        delete(output);
    }

    private String description(long records, String bundle, Path spill, Path output) {
        return """
                name: tera-sort
                bundles: [%s]
                vertices:
                  - {name: generate, operator: sort-records, parallelism: %2$d, configuration: {records: %3$d, splits: 64}}
                  - name: order
                    operator: sort
                    parallelism: %2$d
                    maxParallelism: %4$d
                    configuration: {ranges: %4$d, memory.bytes: %5$d, spill.path: '%6$s'}
                  - name: write
                    operator: file-sink
                    parallelism: %2$d
                    maxParallelism: %4$d
                    configuration: {path: '%7$s'}
                edges:
                  - {from: generate, to: order, partitioning: hash, exchange: blocking}
                  - {from: order, to: write, partitioning: forward}
                """.formatted(
                        bundle, number("workers"), records, RANGES, (long) number("sort-mib") << 20, spill, output);
    }

    /** What is known of a job that runs. */
    private final class Watch {

        /** The control plane first. */
        private final Map<Long, Usage> usage = new LinkedHashMap<>();

        private final Cluster cluster;
        private final String id;
        private final long records;
        private final long begin = System.nanoTime();
        private Optional<Long> read = Optional.empty();
        private boolean killed;
        private long results;

        Watch(Cluster cluster, String id, long records) throws IOException {
            this.cluster = cluster;
            this.id = id;
            this.records = records;
            usage.put(cluster.controlPlane(), new Usage("control plane", cluster.controlPlane()));
            sampleAll();
            usage.values().forEach(Usage::beginCpu);
        }

        boolean isDone() throws Exception {
            String job = cluster.get("jobs/" + id);
            String status = first(job, "\"status\"\\s*:\\s*\"([^\"]+)\"");
            if (status.equals("Failed") || status.equals("Canceled")) {
                throw new IllegalStateException("the job ended as " + job);
            }
            sampleAll();
            results = Math.max(results, cluster.resultBytes());
            boolean sorts = number(job, "order", "running") > 0;
            if (read.isEmpty() && sorts) {
                read = Optional.of(System.nanoTime() - begin);
            }
            double killAt = Double.parseDouble(options.get("kill-at")) * records;
            boolean due = switch (options.get("kill")) {
                case "read" -> !sorts && number(job, "generate", "recordsOut") >= killAt;
                case "sort" -> sorts && number(job, "order", "exchangedIn") >= killAt;
                default -> false;
            };
            if (due && !killed) {
                killed = true;
                kill();
            }
            if (status.equals("Finished") && !killed && !options.get("kill").equals("no")) {
                throw new IllegalStateException("the job finished before a worker was killed: use more --gigabytes");
            }
            return status.equals("Finished");
        }

        private void kill() throws IOException {
            long worker = cluster.workers().get(0);
            ProcessHandle.of(worker).ifPresent(ProcessHandle::destroyForcibly);
            System.out.printf(
                    Locale.ROOT, "killed worker %d after %.1f s%n", worker, (System.nanoTime() - begin) / 1e9);
        }

        void sampleAll() throws IOException {
            for (long worker : cluster.workers()) {
                usage.computeIfAbsent(worker, pid -> new Usage("worker " + pid, pid));
            }
            usage.values().forEach(Usage::sample);
        }

        String phases() {
            return String.format(
                    Locale.ROOT,
                    "first part %.1f s, results on disk at most %,d MB",
                    read.orElse(0L) / 1e9,
                    results / BYTES_PER_MEGABYTE);
        }
    }

    /** The number of a vertex of a job. */
    private static long number(String job, String vertex, String field) {
        Matcher matcher = Pattern.compile(
                        "\"name\"\\s*:\\s*\"" + vertex + "\".*?\"" + field + "\"\\s*:\\s*(\\d+)", Pattern.DOTALL)
                .matcher(job);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    /** CPU time of a process, and its largest memory so far. */
    private static final class Usage {

        private final String name;
        private final long pid;
        private long residentKib;
        private double cpuBegin;
        private double cpuEnd;

        Usage(String name, long pid) {
            this.name = name;
            this.pid = pid;
        }

        void beginCpu() {
            cpuBegin = cpuEnd;
        }

        double cpuSeconds() {
            return cpuEnd - cpuBegin;
        }

        void sample() {
            try {
                Path process = Path.of("/proc", Long.toString(pid));
                residentKib = Math.max(
                        residentKib,
                        Long.parseLong(first(Files.readString(process.resolve("status")), "VmHWM:\\s*(\\d+) kB")));
                String[] fields = Files.readString(process.resolve("stat"))
                        .replaceFirst(".*\\) ", "")
                        .split(" ");
                cpuEnd = (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
            } catch (IOException | IllegalStateException ended) {
                // The process is gone, and the last sample counts.
            }
        }

        long residentMebibytes() {
            return residentKib >> 10;
        }

        String memory() {
            return "at most " + residentMebibytes() + " MiB resident";
        }
    }

    private void validate(long records, List<String> files) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(JAVA, "-Xmx128m", "-cp", BUNDLE, "io.berth.example.sort.Validate", "--records", "" + records));
        command.addAll(files);
        Process validation =
                new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(validation.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (validation.waitFor() != 0) {
            throw new IllegalStateException("the result is wrong: " + said);
        }
        System.out.println("right: " + said.strip());
    }

    private void sortPlainly(long records, int threads, Path dir) throws Exception {
        Path output = dir.resolve("plain.txt");
        long begin = System.nanoTime();
        Process sort = new ProcessBuilder(
                        JAVA,
                        "-Xmx" + number("workers") * heapMebibytes() + "m",
                        "-XX:+UseParallelGC",
                        "-cp",
                        BUNDLE,
                        "io.berth.example.sort.PlainSort",
                        "--records",
                        Long.toString(records),
                        "--memory",
                        Long.toString((long) number("workers") * number("sort-mib") << 20),
                        "--threads",
                        Integer.toString(threads),
                        "--folder",
                        dir.resolve("spill").toString(),
                        "--output",
                        output.toString())
                .inheritIO()
                .start();
        Usage usage = new Usage("plain sort", sort.pid());
        while (!sort.waitFor(200, TimeUnit.MILLISECONDS)) {
            usage.sample();
        }
        long nanos = System.nanoTime() - begin;
        if (sort.exitValue() != 0) {
            throw new IllegalStateException("the plain sort ended with exit code " + sort.exitValue());
        }
        report("plain sort, 1 process, threads " + threads, records, nanos, usage.cpuSeconds(), usage.memory());
        validate(records, List.of(output.toString()));
        Files.delete(output);
    }

    /** The assembly in a folder of its own, with free ports. Closing it ends all its processes. */
    private final class Cluster implements AutoCloseable {

        private final Path home;
        private final int port = freePort();

        Cluster(Path home) throws IOException {
            this.home = Files.createDirectory(home);
        }

        void start() throws Exception {
            Process tar = new ProcessBuilder("tar", "-xzf", assembly().toString(), "--strip-components=1")
                    .directory(home.toFile())
                    .inheritIO()
                    .start();
            if (tar.waitFor() != 0) {
                throw new IllegalStateException("the assembly cannot be unpacked");
            }
            set("org.apache.felix.http.cfg", "org.osgi.service.http.port", port);
            set("org.apache.karaf.shell.cfg", "sshPort", freePort());
            set("io.berth.core.rpc.cfg", "port", 0);
            set("io.berth.backend.local.cfg", "workers.min", number("workers"));
            set("io.berth.backend.local.cfg", "workers.max", number("workers"));
            set("io.berth.backend.local.cfg", "worker.slots", 1);
            set("io.berth.backend.local.cfg", "worker.cpu", 1);
            set("io.berth.backend.local.cfg", "worker.memory", heapMebibytes() - OVERHEAD_MEBIBYTES + "m");
            set("io.berth.core.resources.cfg", "worker.memory.overhead.mib", OVERHEAD_MEBIBYTES);
            if (!options.get("options").isEmpty()) {
                set(
                        "io.berth.core.resources.cfg",
                        "worker.java.options",
                        "-XX:+UseParallelGC -XX:+ExitOnOutOfMemoryError " + options.get("options"));
            }
            ProcessBuilder karaf = new ProcessBuilder(home.resolve("bin/karaf").toString(), "server");
            karaf.environment().keySet().removeIf(name -> name.startsWith("KARAF_") || name.equals("JAVA_OPTS"));
            karaf.environment().put("JAVA_HOME", System.getProperty("java.home"));
            karaf.directory(home.toFile())
                    .redirectErrorStream(true)
                    .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(home.resolve("console.log").toFile())
                    .start();
            await("the control plane", () -> {
                try {
                    return get("status").matches("(?s).*\"resourceManager\"\\s*:\\s*\"serving\".*");
                } catch (IOException | IllegalStateException notYet) {
                    return false;
                }
            });
        }

        private void set(String file, String key, Object value) throws IOException {
            Files.writeString(
                    home.resolve("etc").resolve(file), "\n" + key + " = " + value + "\n", StandardOpenOption.APPEND);
        }

        String upload(Path jar) throws Exception {
            byte[] content = Files.readAllBytes(jar);
            String hash = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(content));
            call(request("bundles/" + hash).PUT(BodyPublishers.ofByteArray(content)));
            return hash;
        }

        String submit(String description) throws Exception {
            return first(
                    call(request("jobs")
                            .header("Content-Type", "application/yaml")
                            .POST(BodyPublishers.ofString(description))),
                    "\"id\"\\s*:\\s*\"([^\"]+)\"");
        }

        String get(String path) throws Exception {
            return call(request(path).GET());
        }

        private HttpRequest.Builder request(String path) {
            return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/" + path))
                    .timeout(Duration.ofSeconds(30));
        }

        private String call(HttpRequest.Builder request) throws Exception {
            var response = http.send(request.build(), BodyHandlers.ofString());
            if (response.statusCode() >= 300) {
                throw new IllegalStateException(
                        response.uri() + " answered " + response.statusCode() + ": " + response.body());
            }
            return response.body();
        }

        /** The process ids of its workers. */
        List<Long> workers() throws IOException {
            return processes(Pattern.quote(home + "/") + ".*berth-worker\\.jar");
        }

        long controlPlane() throws IOException {
            return processes(Pattern.quote("-Dkaraf.home=" + home) + "\\b.*karaf\\.main")
                    .get(0);
        }

        /** What its workers have stored for blocking edges. */
        long resultBytes() throws IOException {
            try (Stream<Path> files = Files.walk(home.resolve("data"))) {
                return files.filter(file -> file.getFileName().toString().startsWith("result-"))
                        .mapToLong(file -> file.toFile().length())
                        .sum();
            } catch (UncheckedIOException gone) {
                return 0;
            }
        }

        @Override
        public void close() throws Exception {
            new ProcessBuilder(home.resolve("bin/stop").toString())
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start()
                    .waitFor(30, TimeUnit.SECONDS);
            long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (!processes(Pattern.quote(home + "/")).isEmpty() && System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(200);
            }
        }
    }

    private Path assembly() throws IOException {
        if (!options.get("assembly").isEmpty()) {
            return Path.of(options.get("assembly")).toAbsolutePath();
        }
        try (Stream<Path> files = Files.list(Path.of("karaf-assembly/target"))) {
            return files.filter(file -> file.getFileName().toString().matches("berth-.*\\.tar\\.gz"))
                    .findFirst()
                    .map(Path::toAbsolutePath)
                    .orElseThrow(() -> new IllegalStateException(
                            "no assembly in karaf-assembly/target: run ./mvnw install -DskipTests"));
        }
    }

    private int number(String option) {
        return Integer.parseInt(options.get(option));
    }

    private int heapMebibytes() {
        return number("memory-mib") - JVM_MEBIBYTES;
    }

    /** Java processes with this in their command line. */
    private static List<Long> processes(String pattern) throws IOException {
        List<Long> found = new ArrayList<>();
        Pattern wanted = Pattern.compile("\\bjava\\b.*" + pattern, Pattern.DOTALL);
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes
                    .filter(path -> path.getFileName().toString().matches("\\d+"))
                    .toList()) {
                try {
                    String line = Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
                    if (wanted.matcher(line).find()) {
                        found.add(Long.parseLong(process.getFileName().toString()));
                    }
                } catch (IOException ended) {
                    // The process is gone.
                }
            }
        }
        return found;
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void await(String what, Condition condition) throws Exception {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("waited " + LIMIT + " for " + what);
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    private static void delete(Path dir) throws IOException {
        try (Stream<Path> files = Files.walk(dir)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static String first(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        if (!matcher.find()) {
            throw new IllegalStateException("no " + pattern + " in:\n" + text);
        }
        return matcher.group(1);
    }
}
