package io.berth.itests;

import static org.junit.Assert.assertEquals;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.spi.JobId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Three real jobs on real workers at all times: each is followed by the next of its kind until there are enough. Each
 * must end with all its records and without a restart of any task.
 */
final class RealJobs implements AutoCloseable {

    private static final long RATE = 1_000;
    /** A profile with a size, so that no stub worker can serve the jobs. */
    private static final String PROFILE = """
      slotSharingGroups:
        - {name: default, cpu: 1, heap: 64m}
      """;

    private final ExecutorService threads = Executors.newFixedThreadPool(3);
    private final List<Future<?>> lanes = new ArrayList<>();
    private final AtomicInteger ended = new AtomicInteger();
    private final Cluster cluster;
    private final String bundle;
    private final int seconds;
    private volatile boolean enough;

    RealJobs(Cluster cluster, String bundle, int seconds) {
        this.cluster = cluster;
        this.bundle = bundle;
        this.seconds = seconds;
    }

    void start() {
        lanes.add(threads.submit(() -> lane("wide", 2, false)));
        lanes.add(threads.submit(() -> lane("narrow", 1, false)));
        lanes.add(threads.submit(() -> lane("files", 2, true)));
    }

    /** Fails as soon as one of them has failed. */
    void check() throws Exception {
        for (Future<?> lane : lanes) {
            if (lane.isDone()) {
                lane.get();
                throw new AssertionError("a row of real jobs has ended early");
            }
        }
    }

    /** Waits for the last ones and returns how many there were. */
    int finish() throws Exception {
        enough = true;
        for (Future<?> lane : lanes) {
            lane.get(seconds * 3L + 60, TimeUnit.SECONDS);
        }
        return ended.get();
    }

    private Object lane(String name, int parallelism, boolean toFiles) throws Exception {
        for (int number = 1; !enough; number++) {
            long records = RATE * parallelism * seconds;
            String job = "real-" + name + "-" + number;
            Path output = Cluster.scratch(job);
            String description = toFiles
                    ? Jobs.sequenceToFiles(job, bundle, records, RATE, parallelism, parallelism, output)
                    : Jobs.sequence(job, bundle, records, RATE, parallelism, parallelism);
            JobId id = cluster.submit(description + PROFILE);
            JobDetails details = cluster.finished(id, Duration.ofSeconds(seconds * 3L + 60));
            assertEquals(Cluster.text(details), 0, details.restarts() + details.rescales());
            assertEquals(
                    Cluster.text(details),
                    0,
                    details.history().stream()
                            .filter(transition -> transition.status() == JobStatus.RESTARTING)
                            .count());
            if (toFiles) {
                assertEquals(job, records, distinctNumbers(output, records));
            } else {
                assertEquals(job, records, (long) details.counters().get("tally.tally.records"));
                assertEquals(job, records * (records - 1) / 2, (long)
                        details.counters().get("tally.tally.sum"));
            }
            ended.incrementAndGet();
        }
        return null;
    }

    /** Each number from 0 to the last one, once. */
    private static long distinctNumbers(Path output, long records) throws IOException {
        BitSet seen = new BitSet();
        for (String file : Cluster.files(output)) {
            for (String line : Files.readAllLines(output.resolve(file))) {
                int number = Integer.parseInt(line);
                if (seen.get(number) || number >= records) {
                    throw new AssertionError("number " + number + " occurs twice, or is too large, in " + output);
                }
                seen.set(number);
            }
        }
        return seen.cardinality();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
