package io.berth.itests;

import io.berth.core.api.job.JobDetails;
import io.berth.spi.JobId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Short jobs that arrive one after another, while something else happens. */
final class Arrivals implements AutoCloseable {

    private static final int RECORDS = 5_000;
    private static final Duration LIMIT = Duration.ofSeconds(120);

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final List<JobId> jobs = new ArrayList<>();
    private final Cluster cluster;
    private final String bundle;

    Arrivals(Cluster cluster, String bundle) {
        this.cluster = cluster;
        this.bundle = bundle;
    }

    /** A change of the cluster. */
    interface Change {
        void run() throws Exception;
    }

    /**
     * Makes the change while jobs arrive: at least one ends before it and one after it. Waits for the end of all jobs.
     */
    void during(Change change) throws Exception {
        boolean[] more = {true};
        int before = jobs.size();
        Future<?> arriving = thread.submit(() -> {
            while (isOn(more) || jobs.size() - before < 3) {
                JobId job = cluster.submit(Jobs.sequence("arrival", bundle, RECORDS, 0, 1, 1));
                jobs.add(job);
                JobDetails ended = cluster.finished(job, LIMIT);
                check(ended);
            }
            return null;
        });
        try {
            change.run();
        } finally {
            synchronized (more) {
                more[0] = false;
            }
            arriving.get(LIMIT.toSeconds() * 4, TimeUnit.SECONDS);
        }
        Await.until(
                "slots of the jobs that arrived are free",
                LIMIT,
                () -> cluster.state().slots().stream()
                        .noneMatch(slot ->
                                jobs.stream().anyMatch(job -> job.value().equals(slot.job()))));
    }

    private static boolean isOn(boolean[] flag) {
        synchronized (flag) {
            return flag[0];
        }
    }

    private static void check(JobDetails ended) {
        long records = ended.counters().getOrDefault("tally.tally.records", 0L);
        if (records != RECORDS || ended.restarts() + ended.rescales() != 0) {
            throw new AssertionError("a job that arrived counted " + records + " records: " + Cluster.text(ended));
        }
    }

    int count() {
        return jobs.size();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
