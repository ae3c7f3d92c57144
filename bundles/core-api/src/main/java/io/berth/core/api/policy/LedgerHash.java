package io.berth.core.api.policy;

import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.Map;

/**
 * The hash that one allocation adds to a {@link LedgerState}: 64 bits from its id, worker, job and profile, the same
 * in each process and version. Parts that many allocations share can be computed once. The hash does not protect
 * against forged allocations.
 */
public final class LedgerHash {

    private static final long PRIME = 0x100000001b3L;
    private static final long SEED = 0xcbf29ce484222325L;

    private LedgerHash() {}

    public static long of(AllocationId allocation, WorkerId worker, JobId job, ResourceProfile profile) {
        return of(ofRun(part(worker), part(job), part(profile)), allocation);
    }

    /**
     * The hash from its parts, for callers that keep them.
     *
     * @param run the result of {@link #ofRun} for the worker, the job and the profile
     */
    public static long of(long run, AllocationId allocation) {
        return mix(mix(run, allocation.epoch()), allocation.number());
    }

    /** The common part of all allocations of one job and profile on one worker. */
    public static long ofRun(long worker, long job, long profile) {
        return mix(mix(mix(SEED, worker), job), profile);
    }

    /** The part of a worker. */
    public static long part(WorkerId worker) {
        return mix(SEED, worker.value());
    }

    /** The part of a job. */
    public static long part(JobId job) {
        return mix(SEED, job.value());
    }

    /** The part of a profile. */
    public static long part(ResourceProfile profile) {
        if (profile.isUnknown()) {
            return spread(SEED);
        }
        long hash = mix(SEED, profile.cpuMillis());
        hash = mix(hash, profile.heapBytes());
        hash = mix(hash, profile.offHeapBytes());
        hash = mix(hash, profile.managedBytes());
        for (Map.Entry<String, Long> extended : profile.extended().entrySet()) {
            hash = mix(mix(hash, extended.getKey()), extended.getValue());
        }
        return hash;
    }

    private static long mix(long hash, String text) {
        long mixed = hash;
        for (int at = 0; at < text.length(); at++) {
            mixed = (mixed ^ text.charAt(at)) * PRIME;
        }
        // The length distinguishes neighboring texts that are divided differently.
        return mix(mixed, text.length());
    }

    private static long mix(long hash, long number) {
        return spread((hash ^ number) * PRIME);
    }

    /** The finalizer of splitmix64 (Steele, Lea, Flood 2014). */
    private static long spread(long hash) {
        long mixed = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
