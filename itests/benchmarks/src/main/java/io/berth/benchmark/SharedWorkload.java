package io.berth.benchmark;

import io.berth.benchmark.decision.Policies;
import io.berth.benchmark.workload.Workload;
import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;

/** The workload of {@code berth bench matching}, for benchmarks in the packages that they measure. */
public final class SharedWorkload {

    private final Workload workload;
    private final int[][] counts;

    /** With ten jobs and the default seed and fill. */
    public SharedWorkload(int workers, int requests, int profiles) {
        workload = Workload.of(workers, requests, profiles, Workload.JOBS, Workload.SEED, 0, false);
        counts = workload.counts();
    }

    /** A session of the strategy that {@code --policy} names. */
    public static PlacementSession session(String name, WorkersView workers) {
        return Policies.session(name, workers);
    }

    public int workers() {
        return workload.workers();
    }

    public int jobs() {
        return workload.jobs();
    }

    public int profiles() {
        return workload.profiles();
    }

    public int requests() {
        return workload.requests();
    }

    /** How many slots of a profile a job requests. */
    public int count(int job, int profile) {
        return counts[job][profile];
    }

    public ResourceProfile profile(int profile) {
        return workload.profile(profile);
    }

    /** The size of each worker. */
    public ResourceProfile worker() {
        return workload.worker();
    }

    /** The size of a slot of the unknown profile on a worker. */
    public ResourceProfile defaultSlot() {
        return workload.defaultSlot();
    }
}
