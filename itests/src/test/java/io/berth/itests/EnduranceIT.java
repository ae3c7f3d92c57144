package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.berth.itests.OutsideCluster.Setting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * Two hundred short jobs (-Dberth.endurance.jobs=N for more) one after another, each with its own bundle. At the end,
 * control plane and workers use what they used after a quarter of the jobs, and job bundles are removed in time.
 */
@Category(Endurance.class)
public class EnduranceIT {

    private static final int JOBS = Integer.getInteger("berth.endurance.jobs", 200);
    private static final int EVERY = 5;
    private static final double TOLERANCE = 0.10;
    private static final int HASH_DIGITS = 12;

    /** How long the control plane keeps a bundle after its last job: bundle.cache.ms, set below. */
    private static final Duration STORED = Duration.ofSeconds(5);

    /** How long a worker keeps a bundle after the end of its job at most, plus the time to notice the end on a busy machine. */
    private static final Duration INSTALLED = Duration.ofSeconds(60);

    private final Map<String, List<Double>> series = new TreeMap<>();
    private final Map<String, Long> endNanos = new TreeMap<>();

    @Test
    public void twoHundredShortJobsLeaveNothingBehind() throws Exception {
        try (OutsideCluster cluster = OutsideCluster.start(
                "endurance",
                List.of(
                        Setting.berth("backend.local", "workers.min", 2),
                        Setting.berth("backend.local", "workers.max", 2),
                        Setting.berth("backend.local", "worker.memory", "128m"),
                        Setting.berth("core.dispatcher", "bundle.cache.ms", STORED.toMillis()),
                        Setting.berth("core.dispatcher", "jobs.kept", 20),
                        Setting.berth("core.policies", "decisions.kept", 50)))) {
            cluster.workers(2, LIMIT);
            List<ProcessHandle> workers = cluster.workers();
            assertEquals(2, workers.size());
            Map<String, Double> bundlesBefore = bundles(cluster);
            for (int job = 1; job <= JOBS; job++) {
                run(cluster, job);
                if (job % EVERY == 0) {
                    sample(cluster, workers);
                }
                assertNoneOverdue(cluster);
            }
            assertEquals("no worker was replaced", workers, cluster.workers());
            print();
            Await.until(
                    () -> "bundles as before, but  " + left(cluster),
                    INSTALLED.plus(STORED),
                    () -> bundles(cluster).equals(bundlesBefore)
                            && left(cluster).isEmpty());
        }
        series.forEach(EnduranceIT::assertSteady);
    }

    private void run(OutsideCluster cluster, int number) throws Exception {
        Path jar = distinct(cluster.home(), number);
        String bundle = cluster.bundle(jar);
        Files.delete(jar);
        String job = cluster.submit(Jobs.sequence("short-" + number, bundle, 20_000, 0, 2, 4));
        assertEquals(
                20_000,
                cluster.finished(job, LIMIT)
                        .get("counters")
                        .get("tally.tally.records")
                        .asLong());
        endNanos.put(bundle.substring(0, HASH_DIGITS), System.nanoTime());
    }

    /** The job bundle with one more entry, so that each job has its own classes. */
    private static Path distinct(Path directory, int number) throws IOException {
        Path jar = directory.resolve("job-" + number + ".jar");
        try (JarFile source = new JarFile(BerthContainer.file("berth.sequence.jar"));
                JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), source.getManifest())) {
            for (JarEntry entry : source.stream().toList()) {
                if (!entry.getName().equals(JarFile.MANIFEST_NAME)) {
                    out.putNextEntry(new JarEntry(entry.getName()));
                    source.getInputStream(entry).transferTo(out);
                }
            }
            out.putNextEntry(new JarEntry("number-" + number));
        }
        return jar;
    }

    private void sample(OutsideCluster cluster, List<ProcessHandle> workers) throws Exception {
        add("control plane", ProcessSample.of(cluster.controlPlane()));
        for (int i = 0; i < workers.size(); i++) {
            add("worker " + (i + 1), ProcessSample.of(workers.get(i)));
        }
        add("bundles", bundles(cluster));
    }

    private void add(String process, Map<String, Double> sample) {
        sample.forEach((what, value) -> series.computeIfAbsent(process + ", " + what, key -> new ArrayList<>())
                .add(value));
    }

    /**
     * Folders that the frameworks keep for installed bundles; that of an uninstalled bundle disappears after its
     * refresh.
     */
    private static Map<String, Double> bundles(OutsideCluster cluster) throws IOException {
        Map<String, Double> counts = new TreeMap<>();
        counts.put("of the control plane", (double)
                folders(cluster.home().resolve("data").resolve("cache")));
        int number = 0;
        for (Path worker : workerFolders(cluster)) {
            counts.put("of worker " + ++number, (double) folders(worker.resolve("framework")));
        }
        return counts;
    }

    private static long folders(Path cache) throws IOException {
        try (Stream<Path> entries = Files.list(cache)) {
            return entries.filter(entry -> entry.getFileName().toString().matches("bundle[0-9]+"))
                    .count();
        }
    }

    private static List<Path> workerFolders(OutsideCluster cluster) throws IOException {
        try (Stream<Path> folders =
                Files.list(cluster.home().resolve("data").resolve("berth").resolve("workers"))) {
            return folders.sorted().toList();
        }
    }

    /** Prefixes of the hashes of job bundles: in the control plane HASH.EPOCH.jar, on workers HASH-NUMBER.jar. */
    private static Set<String> left(OutsideCluster cluster) {
        Set<String> hashes = new TreeSet<>();
        try (Stream<Path> files = Files.walk(cluster.home().resolve("data").resolve("berth"))) {
            files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("[0-9a-f]{12}([0-9a-f]{52})?([-.][0-9]+)?\\.jar"))
                    .forEach(name -> hashes.add(name.substring(0, HASH_DIGITS)));
        } catch (IOException | UncheckedIOException changing) {
            // A file disappeared during the listing; the next call sees the rest.
            return Set.of("changing");
        }
        return hashes;
    }

    private void assertNoneOverdue(OutsideCluster cluster) {
        long now = System.nanoTime();
        Set<String> overdue = new TreeSet<>();
        for (String hash : left(cluster)) {
            if (endNanos.containsKey(hash) && now - endNanos.get(hash) > INSTALLED.toNanos()) {
                overdue.add(hash);
            }
        }
        assertEquals("bundles of jobs that ended more than " + INSTALLED.toSeconds() + " s ago", Set.of(), overdue);
    }

    private void print() {
        System.out.printf("%-34s %14s %14s %8s%n", "after " + JOBS + " jobs", "jobs 50-100", "last 50", "change");
        series.forEach((name, values) -> System.out.printf(
                "%-34s %14.1f %14.1f %7.1f%%   %s%n",
                name, early(values), late(values), 100 * (late(values) / early(values) - 1), everyFourth(values)));
    }

    /** Every fourth sample, to show the trend. */
    private static List<Long> everyFourth(List<Double> values) {
        List<Long> some = new ArrayList<>();
        for (int i = 3; i < values.size(); i += 4) {
            some.add(Math.round(values.get(i)));
        }
        return some;
    }

    private static double early(List<Double> values) {
        return mean(values.subList(50 / EVERY - 1, 100 / EVERY));
    }

    private static double late(List<Double> values) {
        return mean(values.subList(values.size() - 50 / EVERY, values.size()));
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    private static void assertSteady(String name, List<Double> values) {
        double change = late(values) / early(values) - 1;
        assertTrue(
                name + " changed by " + Math.round(change * 1000) / 10.0 + " %: " + values,
                Math.abs(change) <= TOLERANCE);
    }
}
