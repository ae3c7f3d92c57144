import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Word count on about 100 MB of text: the Berth assembly with two worker processes, alternating with an earlier version of
 * it, or with another system, on the same machine. Run it from the root of the repository:
 *
 * <pre>
 * java itests/benchmarks/WordCountComparison.java [--text FILE] [--rounds 3] [--runs 7] [--warm 2] [--parallelism 2]
 *     [--earlier DIR] [--peer 'COMMAND'] [--dir itests/target/benchmark] [--fail yes]
 * </pre>
 *
 * The text is repeated into four files of 23 copies each. In each round, Berth runs the job {@code runs} times on a new
 * cluster; so does the earlier version, whose built repository {@code --earlier} names; then the peer's command runs;
 * {@code {text}} in it stands for the folder of the four files. The peer prints a line with {@code recordsPerSecond=N} and
 * {@code cpuMillis=N} for each of its runs. The first {@code warm} runs of each process are not counted. Each second round
 * begins with the earlier version.
 *
 * <p>With {@code --fail yes}, the exit code is 1 when the median rate is more than 2 % below that of the earlier version.
 */
final class WordCountComparison {

    private static final int FILES = 4;
    private static final int COPIES = 23;
    private static final long MILLIS_PER_TICK = 10;

    /** How much of the rate of an earlier version there must be. */
    private static final double MIN_OF_EARLIER = 0.98;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, String> options = new TreeMap<>(Map.of(
            "text", "bundles/example-wordcount/src/main/text/shakespeare.txt",
            "rounds", "3",
            "runs", "7",
            "warm", "2",
            "parallelism", "2",
            "earlier", "",
            "peer", "",
            "dir", "itests/target/benchmark",
            "fail", "no"));

    public static void main(String[] arguments) throws Exception {
        System.exit(new WordCountComparison().run(arguments));
    }

    /** What the counted runs of one system came to. */
    private static final class Runs {
        private final String name;
        private final List<Long> rates = new ArrayList<>();
        private final List<Long> cpu = new ArrayList<>();

        private Runs(String name) {
            this.name = name;
        }

        private void add(int round, long rate, long cpuMillis) {
            rates.add(rate);
            cpu.add(cpuMillis);
            System.out.printf(
                    Locale.ROOT,
                    "round %d %s %,d words/s, %,d ms CPU of all processes%n",
                    round,
                    name,
                    rate,
                    cpuMillis);
        }

        private void report() {
            System.out.printf(
                    Locale.ROOT,
                    "%s: %d warmed runs, words/s median %,d [%,d .. %,d], CPU ms median %,d%n",
                    name,
                    rates.size(),
                    median(rates),
                    rates.stream().min(Long::compare).orElseThrow(),
                    rates.stream().max(Long::compare).orElseThrow(),
                    median(cpu));
        }

        /** @return the rate as a part of the other one */
        private double compare(Runs other) {
            double rate = (double) median(rates) / median(other.rates);
            System.out.printf(
                    Locale.ROOT,
                    "%s / %s: words/s %.3f, CPU %.3f%n",
                    name,
                    other.name,
                    rate,
                    (double) median(cpu) / median(other.cpu));
            return rate;
        }

        private static long median(List<Long> values) {
            long[] sorted = values.stream().mapToLong(Long::longValue).sorted().toArray();
            return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        }
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
        Path dir = Path.of(options.get("dir")).toAbsolutePath();
        Path texts = writeTexts(dir.resolve("text"));
        Runs berth = new Runs("berth");
        Runs earlier = new Runs("earlier");
        Runs peer = new Runs("peer");
        boolean compares = !options.get("earlier").isEmpty();
        for (int round = 1; round <= number("rounds"); round++) {
            if (compares && round % 2 == 0) {
                berthRuns(round, Path.of(options.get("earlier")), texts, dir, earlier);
            }
            berthRuns(round, Path.of("."), texts, dir, berth);
            if (compares && round % 2 == 1) {
                berthRuns(round, Path.of(options.get("earlier")), texts, dir, earlier);
            }
            peerRuns(round, texts, peer);
        }
        berth.report();
        if (!peer.rates.isEmpty()) {
            peer.report();
            berth.compare(peer);
        }
        if (compares) {
            earlier.report();
            if (berth.compare(earlier) < MIN_OF_EARLIER && options.get("fail").equals("yes")) {
                System.err.println("the rate is more than 2 % below that of the earlier version");
                return 1;
            }
        }
        return 0;
    }

    /** The runs of one round, on a cluster of the version in the folder. */
    private void berthRuns(int round, Path version, Path texts, Path dir, Runs runs) throws Exception {
        Cluster cluster = startCluster(version.toRealPath(), dir);
        try {
            String bundle = upload(cluster, example(version));
            for (int run = 1 - number("warm"); run <= number("runs"); run++) {
                long before = cpuMillis(cluster);
                long rate = berthRun(cluster, texts, dir, bundle);
                if (run > 0) {
                    runs.add(round, rate, cpuMillis(cluster) - before);
                }
            }
        } finally {
            new ProcessBuilder(cluster.stop)
                    .directory(cluster.home.toFile())
                    .inheritIO()
                    .start()
                    .waitFor(60, TimeUnit.SECONDS);
        }
    }

    /** Early versions have their number in the name of the file. */
    private static Path example(Path version) throws IOException {
        try (Stream<Path> files = Files.list(version.resolve("bundles/example-wordcount/target"))) {
            return files.filter(file -> file.getFileName()
                            .toString()
                            .matches("berth-example-wordcount(-[0-9.]+(-SNAPSHOT)?)?\\.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no berth-example-wordcount.jar in "
                            + version.toAbsolutePath() + ": run ./mvnw install -DskipTests there"));
        }
    }

    /**
     * A running cluster.
     *
     * @param home the repository of its version
     * @param url of its REST interface
     * @param stop the command that stops it
     */
    private record Cluster(Path home, String url, String stop) {}

    private int number(String option) {
        return Integer.parseInt(options.get(option));
    }

    private Path writeTexts(Path folder) throws IOException {
        Files.createDirectories(folder);
        byte[] text = Files.readAllBytes(Path.of(options.get("text")));
        for (int file = 0; file < FILES; file++) {
            Path target = folder.resolve("part-" + file + ".txt");
            if (!Files.exists(target) || Files.size(target) != (long) text.length * COPIES) {
                try (var out = Files.newOutputStream(target)) {
                    for (int copy = 0; copy < COPIES; copy++) {
                        out.write(text);
                    }
                }
            }
        }
        return folder;
    }

    /** Starts a cluster with the demo and leaves it running. */
    private Cluster startCluster(Path home, Path dir) throws Exception {
        Process demo = new ProcessBuilder(
                        home.resolve("berth").toString(),
                        "demo",
                        "--keep",
                        "--workers",
                        "2",
                        "--slots",
                        Integer.toString((number("parallelism") + 1) / 2),
                        "--output",
                        dir.resolve("first").toString())
                .directory(home.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(demo.getInputStream().readAllBytes());
        if (demo.waitFor() != 0) {
            throw new IllegalStateException("the cluster did not start:\n" + output);
        }
        return new Cluster(home, first(output, "REST\\s+(http\\S+)"), first(output, "stop\\s+(\\S+)"));
    }

    private String upload(Cluster cluster, Path jar) throws Exception {
        byte[] content = Files.readAllBytes(jar);
        String hash =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        call(HttpRequest.newBuilder(URI.create(cluster.url + "/bundles/" + hash))
                .PUT(BodyPublishers.ofByteArray(content)));
        return hash;
    }

    private long berthRun(Cluster cluster, Path texts, Path dir, String bundle) throws Exception {
        String p = options.get("parallelism");
        String description = """
                name: benchmark
                bundles: [%s]
                vertices:
                  - {name: read, operator: file-source, parallelism: %s, configuration: {path: "%s"}}
                  - {name: split, operator: word-split, parallelism: %s}
                  - {name: count, operator: word-count, parallelism: %s}
                  - {name: order, operator: by-count, parallelism: 1}
                  - {name: write, operator: file-sink, parallelism: 1, configuration: {path: "%s", file: counts.tsv}}
                edges:
                  - {from: read, to: split, partitioning: forward}
                  - {from: split, to: count, partitioning: hash}
                  - {from: count, to: order, partitioning: rebalance}
                  - {from: order, to: write, partitioning: forward}
                """.formatted(bundle, p, texts, p, p, dir.resolve("output"));
        String id = first(
                call(HttpRequest.newBuilder(URI.create(cluster.url + "/jobs"))
                        .header("Content-Type", "application/yaml")
                        .POST(BodyPublishers.ofString(description))),
                "\"id\"\\s*:\\s*\"([^\"]+)\"");
        while (true) {
            String job = call(HttpRequest.newBuilder(URI.create(cluster.url + "/jobs/" + id))
                    .GET());
            String status = first(job, "\"status\"\\s*:\\s*\"([^\"]+)\"");
            if (status.equals("Finished")) {
                long words = Long.parseLong(
                        first(job.substring(job.indexOf("\"word-count\"")), "\"exchangedIn\"\\s*:\\s*(\\d+)"));
                return words * 1000 / Long.parseLong(first(job, "\"runMillis\"\\s*:\\s*(\\d+)"));
            }
            if (status.equals("Failed") || status.equals("Canceled")) {
                throw new IllegalStateException("the job ended as " + job);
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    private String call(HttpRequest.Builder request) throws Exception {
        var response = http.send(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString());
        if (response.statusCode() >= 300) {
            throw new IllegalStateException(
                    response.uri() + " answered " + response.statusCode() + ": " + response.body());
        }
        return response.body();
    }

    /** CPU time of the control plane and its workers so far, from the process table of Linux. */
    private static long cpuMillis(Cluster cluster) throws IOException {
        String instance = cluster.home.resolve(".berth").toString();
        long ticks = 0;
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes
                    .filter(path -> path.getFileName().toString().matches("\\d+"))
                    .toList()) {
                try {
                    if (Files.readString(process.resolve("cmdline")).contains(instance)) {
                        String[] fields = Files.readString(process.resolve("stat"))
                                .replaceFirst(".*\\) ", "")
                                .split(" ");
                        ticks += Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
                    }
                } catch (IOException ended) {
                    // The process is gone.
                }
            }
        }
        return ticks * MILLIS_PER_TICK;
    }

    private void peerRuns(int round, Path texts, Runs runs) throws Exception {
        if (options.get("peer").isEmpty()) {
            return;
        }
        Process peer = new ProcessBuilder("bash", "-c", options.get("peer").replace("{text}", texts.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        int run = 0;
        for (String line :
                new String(peer.getInputStream().readAllBytes()).lines().toList()) {
            if (line.contains("recordsPerSecond=") && ++run > number("warm")) {
                runs.add(
                        round,
                        Long.parseLong(first(line, "recordsPerSecond=(\\d+)")),
                        Long.parseLong(first(line, "cpuMillis=(\\d+)")));
            }
        }
        if (peer.waitFor() != 0) {
            throw new IllegalStateException("the peer ended with exit code " + peer.exitValue());
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
