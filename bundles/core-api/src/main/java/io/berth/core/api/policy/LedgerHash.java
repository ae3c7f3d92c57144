package io.berth.core.api.policy;

import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.Map;

/**
 * What one allocation adds to the hash of a {@link LedgerState}: 64 bits of its id, worker, job and profile, the same in
 * each process and each version. What many allocations share can be taken once and kept. Not meant against somebody who
 * forges allocations.
 */
public final class LedgerHash {

    private static final long PRIME = 0x100000001b3L;
    private static final long BEGIN = 0xcbf29ce484222325L;

    private LedgerHash() {}

    public static long of(AllocationId allocation, WorkerId worker, JobId job, ResourceProfile profile) {
        return of(ofRun(part(worker), part(job), part(profile)), allocation);
    }

    /**
     * The same from the parts, for who keeps them.
     *
     * @param run what {@link #ofRun} says of the worker, the job and the profile
     */
    public static long of(long run, AllocationId allocation) {
        return mixed(mixed(run, allocation.epoch()), allocation.number());
    }

    /** What allocations of one job, of one profile, on one worker have in common. */
    public static long ofRun(long worker, long job, long profile) {
        return mixed(mixed(mixed(BEGIN, worker), job), profile);
    }

    /** Part of a worker. */
    public static long part(WorkerId worker) {
        return mixed(BEGIN, worker.value());
    }

    /** Part of a job. */
    public static long part(JobId job) {
        return mixed(BEGIN, job.value());
    }

    /** Part of a profile. */
    public static long part(ResourceProfile profile) {
        if (profile.isUnknown()) {
            return spread(BEGIN);
        }
        long hash = mixed(BEGIN, profile.cpuMillis());
        hash = mixed(hash, profile.heapBytes());
        hash = mixed(hash, profile.offHeapBytes());
        hash = mixed(hash, profile.managedBytes());
        for (Map.Entry<String, Long> extended : profile.extended().entrySet()) {
            hash = mixed(mixed(hash, extended.getKey()), extended.getValue());
        }
        return hash;
    }

    private static long mixed(long hash, String text) {
        long mixed = hash;
        for (int at = 0; at < text.length(); at++) {
            mixed = (mixed ^ text.charAt(at)) * PRIME;
        }
        // So that no two neighbors can be cut differently.
        return mixed(mixed, text.length());
    }

    private static long mixed(long hash, long number) {
        return spread((hash ^ number) * PRIME);
    }

    /** The finalizer of splitmix64 (Steele, Lea, Flood 2014). */
    private static long spread(long hash) {
        long mixed = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
