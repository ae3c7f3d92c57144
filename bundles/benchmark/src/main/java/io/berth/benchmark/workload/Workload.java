package io.berth.benchmark.workload;

import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * Equal idle workers and the slots that jobs request, drawn from a seed, so that any system can be tested with the
 * same workload: request {@code r} belongs to job {@code r mod jobs} and has one of {@code P} profiles.
 * <ul>
 * <li>one profile: 1 core and 1,024 MiB; a worker holds {@code max(8, ceil(R / (0.9 T)))} of them;
 * <li>several: each profile is drawn from 0.1 to 2 cores and 256 to 8,192 MiB, each request draws its profile, and the
 * workers are so large that the requests fill 85 % of them (at least 4 cores and 16 GiB).
 * </ul>
 *
 * <p>Another fill is possible, even above 1. Memory is only heap, or half heap and half managed memory, which adds a
 * dimension. Immutable.
 */
public final class Workload implements Instance {

    public static final long SEED = 20261120;
    public static final int JOBS = 10;
    private static final double FILL = 0.85;
    private static final double FILL_OF_ONE_PROFILE = 0.9;
    private static final long MEBI = 1L << 20;

    private final int workers;
    private final int jobs;
    private final int workerCpu;
    private final int workerMemory;
    private final int slotsOfWorker;
    private final int[] cpu;
    private final int[] memory;
    private final int[] requests;
    private final boolean split;

    private Workload(
            int workers,
            int jobs,
            int workerCpu,
            int workerMemory,
            int slotsOfWorker,
            int[] cpu,
            int[] memory,
            int[] requests,
            boolean split) {
        this.workers = workers;
        this.jobs = jobs;
        this.workerCpu = workerCpu;
        this.workerMemory = workerMemory;
        this.slotsOfWorker = slotsOfWorker;
        this.cpu = cpu;
        this.memory = memory;
        this.requests = requests;
        this.split = split;
    }

    /**
     * One profile or several, by their number.
     *
     * @param fill share of all workers that the requests fill, above 0; 0: the usual one
     */
    public static Workload of(
            int workers, int requests, int profiles, int jobs, long seed, double fill, boolean split) {
        return profiles == 1
                ? equal(workers, requests, jobs, fill == 0 ? FILL_OF_ONE_PROFILE : fill, split)
                : mixed(workers, requests, profiles, jobs, seed, fill == 0 ? FILL : fill, split);
    }

    private static Workload equal(int workers, int requests, int jobs, double fill, boolean split) {
        int slots = Math.max(8, (int) Math.ceil(requests / (fill * workers)));
        return new Workload(
                workers,
                jobs,
                Math.multiplyExact(1_000, slots),
                Math.multiplyExact(1_024, slots),
                slots,
                new int[] {1_000},
                new int[] {1_024},
                new int[requests],
                split);
    }

    private static Workload mixed(
            int workers, int requests, int profiles, int jobs, long seed, double fill, boolean split) {
        SplitMix random = new SplitMix(seed);
        int[] cpu = new int[profiles];
        int[] memory = new int[profiles];
        Set<Long> seen = new HashSet<>();
        int drawn = 0;
        while (drawn < profiles) {
            cpu[drawn] = 100 * (1 + random.next(20));
            memory[drawn] = 256 * (1 + random.next(32));
            if (seen.add((long) cpu[drawn] << 32 | memory[drawn])) {
                drawn++;
            }
        }
        int[] profileOf = new int[requests];
        long cpuSum = 0;
        long memorySum = 0;
        for (int request = 0; request < requests; request++) {
            int profile = random.next(profiles);
            profileOf[request] = profile;
            cpuSum += cpu[profile];
            memorySum += memory[profile];
        }
        return new Workload(
                workers,
                jobs,
                size(cpuSum, workers * fill, 100, 4_000),
                size(memorySum, workers * fill, 256, 16_384),
                8,
                cpu,
                memory,
                profileOf,
                split);
    }

    private static int size(long sum, double filled, int step, int least) {
        return (int) Math.max(least, step * (long) Math.ceil(sum / filled / step));
    }

    @Override
    public int workers() {
        return workers;
    }

    public int jobs() {
        return jobs;
    }

    @Override
    public int requests() {
        return requests.length;
    }

    public int profiles() {
        return cpu.length;
    }

    /** Profile of a request. */
    public int profileOf(int request) {
        return requests[request];
    }

    public int jobOf(int request) {
        return request % jobs;
    }

    /** How many slots of each profile each job requests. */
    public int[][] counts() {
        int[][] counts = new int[jobs][cpu.length];
        for (int request = 0; request < requests.length; request++) {
            counts[jobOf(request)][requests[request]]++;
        }
        return counts;
    }

    public ResourceProfile profile(int profile) {
        return amounts(cpu[profile], memory[profile]);
    }

    /** The size of each worker. */
    public ResourceProfile worker() {
        return amounts(workerCpu, workerMemory);
    }

    @Override
    public ResourceProfile worker(int worker) {
        return worker();
    }

    @Override
    public ResourceProfile defaultSlot(int worker) {
        return defaultSlot();
    }

    @Override
    public List<List<GroupDemand>> demands() {
        List<List<GroupDemand>> demands = new ArrayList<>();
        for (int[] ofJob : counts()) {
            List<GroupDemand> groups = new ArrayList<>();
            for (int profile = 0; profile < ofJob.length; profile++) {
                if (ofJob[profile] > 0) {
                    groups.add(new GroupDemand("group-" + profile, profile(profile), 0, ofJob[profile], 0));
                }
            }
            demands.add(groups);
        }
        return demands;
    }

    /** How many default slots a worker divides into. */
    public int slotsOfWorker() {
        return slotsOfWorker;
    }

    /** The size of a slot of the unknown profile on a worker. */
    public ResourceProfile defaultSlot() {
        return worker().dividedBy(slotsOfWorker);
    }

    private ResourceProfile amounts(int cpuMillis, int mebibytes) {
        if (!split) {
            return ResourceProfile.of(cpuMillis, mebibytes * MEBI);
        }
        long heap = mebibytes / 2 * MEBI;
        return new ResourceProfile(cpuMillis, heap, 0, mebibytes * MEBI - heap, new TreeMap<>());
    }

    @Override
    public int lowerBound() {
        long cpuSum = 0;
        long memorySum = 0;
        for (int profile : requests) {
            cpuSum += cpu[profile];
            memorySum += memory[profile];
        }
        return (int) Math.max((cpuSum + workerCpu - 1) / workerCpu, (memorySum + workerMemory - 1) / workerMemory);
    }
}
