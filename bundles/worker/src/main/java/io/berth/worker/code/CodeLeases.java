package io.berth.worker.code;

import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.spi.JobId;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Keeps the code of a job in the process for a while after its last slot was freed, because the job may come back.
 * Confined to the main thread of the TaskExecutor.
 */
public final class CodeLeases {

    private final UserCode userCode;
    private final MainThread mainThread;
    private final long cacheMillis;
    private final Predicate<JobId> inUse;
    private final SortedMap<JobId, Timers.Cancellable> timers = new TreeMap<>();

    /**
     * @param cacheMillis how long the code of a job without slots is kept
     * @param inUse whether a job has slots or tasks
     */
    public CodeLeases(UserCode userCode, MainThread mainThread, long cacheMillis, Predicate<JobId> inUse) {
        this.userCode = userCode;
        this.mainThread = mainThread;
        this.cacheMillis = cacheMillis;
        this.inUse = inUse;
    }

    /** The job has a slot. */
    public void keep(JobId job) {
        Optional.ofNullable(timers.remove(job)).ifPresent(Timers.Cancellable::cancel);
    }

    /** The job may have lost its last slot, but continues. */
    public void releaseLater(JobId job) {
        if (inUse.test(job)) {
            return;
        }
        keep(job);
        timers.put(job, mainThread.schedule(cacheMillis, () -> {
            timers.remove(job);
            release(job);
        }));
    }

    /** The job has ended: its code is released as soon as nothing of it runs. */
    public void release(JobId job) {
        if (!inUse.test(job)) {
            keep(job);
            userCode.release(job);
        }
    }
}
