package io.berth.benchmark.churn;

import io.berth.benchmark.workload.Workload;
import io.berth.spi.ResourceProfile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;

/**
 * The worker of each request of a workload, and the free amounts of each worker: the state in which slots are freed
 * and placed. It records which workers and demands changed since the last query.
 */
final class Occupancy {

    static final int DIMENSIONS = 4;
    private static final int NOWHERE = -1;

    private final Workload workload;
    private final long[][] needs;
    /** The dimensions of one worker next to each other, worker after worker. */
    private final long[] free;

    private final int[] workerOf;
    private final int[][] placed;
    private final List<List<Deque<Integer>>> waiting = new ArrayList<>();
    private final IndexSet changedWorkers;
    private final IndexSet changedDemands;
    private int missing;

    /** At first no request has a slot. */
    Occupancy(Workload workload) {
        this.workload = workload;
        needs = new long[workload.profiles()][];
        for (int profile = 0; profile < needs.length; profile++) {
            needs[profile] = amounts(workload.profile(profile));
        }
        free = new long[workload.workers() * DIMENSIONS];
        long[] total = amounts(workload.worker());
        for (int at = 0; at < free.length; at++) {
            free[at] = total[at % DIMENSIONS];
        }
        changedWorkers = new IndexSet(workload.workers());
        changedDemands = new IndexSet(workload.jobs() * workload.profiles());
        changedWorkers.addAll();
        workerOf = new int[workload.requests()];
        Arrays.fill(workerOf, NOWHERE);
        placed = new int[workload.jobs()][workload.profiles()];
        for (int job = 0; job < workload.jobs(); job++) {
            List<Deque<Integer>> ofJob = new ArrayList<>();
            for (int profile = 0; profile < workload.profiles(); profile++) {
                ofJob.add(new ArrayDeque<>());
            }
            waiting.add(ofJob);
        }
        for (int request = 0; request < workerOf.length; request++) {
            await(request);
        }
    }

    private static long[] amounts(ResourceProfile profile) {
        return new long[] {profile.cpuMillis(), profile.heapBytes(), profile.offHeapBytes(), profile.managedBytes()};
    }

    private void await(int request) {
        changedDemands.add(workload.jobOf(request) * workload.profiles() + workload.profileOf(request));
        waiting.get(workload.jobOf(request)).get(workload.profileOf(request)).add(request);
        missing++;
    }

    /** Requests of a job and profile got slots on a worker. */
    void place(int job, int profile, int worker, int count) {
        Deque<Integer> queue = waiting.get(job).get(profile);
        for (int nth = 0; nth < count; nth++) {
            workerOf[queue.remove()] = worker;
        }
        missing -= count;
        placed[job][profile] += count;
        change(job, profile, worker, -count);
    }

    /** Ends the slot of a request. The request then waits for another one. */
    void end(int request) {
        int worker = workerOf[request];
        int job = workload.jobOf(request);
        int profile = workload.profileOf(request);
        workerOf[request] = NOWHERE;
        placed[job][profile]--;
        await(request);
        change(job, profile, worker, 1);
    }

    private void change(int job, int profile, int worker, int freed) {
        for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
            free[worker * DIMENSIONS + dimension] += freed * needs[profile][dimension];
        }
        changedWorkers.add(worker);
        changedDemands.add(job * workload.profiles() + profile);
    }

    boolean hasSlot(int request) {
        return workerOf[request] != NOWHERE;
    }

    /** How many requests have no slot. */
    int missing() {
        return missing;
    }

    /** How many requests of a job and profile wait. */
    int waiting(int job, int profile) {
        return waiting.get(job).get(profile).size();
    }

    /** How many requests of a job and profile have a slot. */
    int placed(int job, int profile) {
        return placed[job][profile];
    }

    long free(int worker, int dimension) {
        return free[worker * DIMENSIONS + dimension];
    }

    ResourceProfile freeOf(int worker) {
        return new ResourceProfile(free(worker, 0), free(worker, 1), free(worker, 2), free(worker, 3), new TreeMap<>());
    }

    long need(int profile, int dimension) {
        return needs[profile][dimension];
    }

    /** Workers whose free amounts changed since the last call, ascending; all workers in the first call. */
    int[] takeChangedWorkers() {
        return changedWorkers.take();
    }

    /** Demands that changed since the last call, as {@code job * profiles + profile}, ascending. */
    int[] takeChangedDemands() {
        return changedDemands.take();
    }
}
