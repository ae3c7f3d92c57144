package io.berth.worker.task;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskRuntime;
import io.berth.core.api.time.MainThread;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stored results of tasks that have finished. The worker keeps them for the JobMaster that deployed the tasks, until
 * it releases them, the job ends, or another JobMaster leads the job, which starts it again. Without its JobMaster they
 * are kept as long as the slots of the job. The runtime deletes the files, and is not called on the main thread. Confined
 * to the main thread of the TaskExecutor.
 */
public final class KeptResults {

    private static final Logger LOG = LoggerFactory.getLogger(KeptResults.class);

    private final WorkerId worker;
    private final Tasks.Runtimes runtimes;
    private final MainThread mainThread;
    private final Executor starter;
    private final long timeoutMillis;
    private final SortedMap<JobId, SortedMap<PartitionId, JobMasterId>> byJob = new TreeMap<>();
    /** How often the JobMaster of a job was lost, while the worker waits for it. */
    private final SortedMap<JobId, Long> waiting = new TreeMap<>();

    private long waits;
    private int size;

    /**
     * @param starter calls the runtimes
     * @param timeoutMillis how long results are kept without their JobMaster
     */
    public KeptResults(
            WorkerId worker, Tasks.Runtimes runtimes, MainThread mainThread, Executor starter, long timeoutMillis) {
        this.worker = worker;
        this.runtimes = runtimes;
        this.mainThread = mainThread;
        this.starter = starter;
        this.timeoutMillis = timeoutMillis;
    }

    /** A task has ended. Its results are kept, unless its JobMaster is gone. */
    public void taskEnded(TaskRun run) {
        mainThread.assertCurrent();
        List<PartitionId> results = run.results();
        if (results.isEmpty()) {
            return;
        }
        if (run.isOrphaned()) {
            inRuntimes(runtime -> runtime.releaseResults(run.job(), results));
            return;
        }
        SortedMap<PartitionId, JobMasterId> ofJob = byJob.computeIfAbsent(run.job(), any -> new TreeMap<>());
        results.forEach(result -> size += ofJob.put(result, run.jobMaster()) == null ? 1 : 0);
    }

    /** Deletes results that this JobMaster has here; others are ignored. */
    public void release(JobId job, JobMasterId jobMaster, Collection<PartitionId> partitions) {
        mainThread.assertCurrent();
        SortedMap<PartitionId, JobMasterId> ofJob = byJob.getOrDefault(job, new TreeMap<>());
        List<PartitionId> own = new ArrayList<>();
        for (PartitionId partition : partitions) {
            if (ofJob.remove(partition, jobMaster)) {
                own.add(partition);
            }
        }
        size -= own.size();
        if (ofJob.isEmpty()) {
            byJob.remove(job);
        }
        if (!own.isEmpty()) {
            inRuntimes(runtime -> runtime.releaseResults(job, own));
        }
    }

    /** Deletes all results of a job. */
    public void releaseAll(JobId job, String cause) {
        mainThread.assertCurrent();
        waiting.remove(job);
        SortedMap<PartitionId, JobMasterId> ofJob = byJob.remove(job);
        if (ofJob != null) {
            size -= ofJob.size();
            LOG.info("worker {}: releasing {} results of job {}: {}", worker, ofJob.size(), job, cause);
            inRuntimes(runtime -> runtime.releaseAllResults(job));
        }
    }

    /** The JobMaster of the job is lost, and may come back. */
    public void await(JobId job) {
        mainThread.assertCurrent();
        if (!byJob.containsKey(job)) {
            return;
        }
        long wait = ++waits;
        waiting.put(job, wait);
        mainThread.schedule(timeoutMillis, () -> {
            if (waiting.getOrDefault(job, 0L) == wait) {
                releaseAll(job, "its JobMaster did not come back within " + timeoutMillis + " ms");
            }
        });
    }

    /** The JobMaster has come back. */
    public void found(JobId job) {
        waiting.remove(job);
    }

    public boolean holds(JobId job) {
        return byJob.containsKey(job);
    }

    /** The number of results of a job that are kept for this JobMaster. */
    public int size(JobId job, JobMasterId jobMaster) {
        return (int) byJob.getOrDefault(job, Collections.emptySortedMap()).values().stream()
                .filter(jobMaster::equals)
                .count();
    }

    /** The number of results. */
    public int size() {
        return size;
    }

    private void inRuntimes(Consumer<TaskRuntime> call) {
        starter.execute(() -> runtimes.names().stream()
                .map(runtimes::named)
                .flatMap(Optional::stream)
                .forEach(call));
    }
}
