package io.berth.core.resources.settings;

import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.resources.state.ClusterSums;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The minimum and maximum size of the cluster, registered and pending workers together, and how much of it is kept
 * free. Cpu in thousandths of a core, memory of all kinds in bytes.
 *
 * @param leastCpuMillis workers are started and kept up to it even if nothing needs them; 0: none
 * @param mostCpuMillis no worker is started or registered beyond it; 0: unlimited
 * @param redundantWorkers how many workers of the largest spec stay free as a reserve for losses
 */
public record ClusterLimits(
        long leastCpuMillis, long leastMemoryBytes, long mostCpuMillis, long mostMemoryBytes, int redundantWorkers) {

    /** No limits. */
    public static final ClusterLimits NONE = new ClusterLimits(0, 0, 0, 0, 0);

    private static final Logger LOG = LoggerFactory.getLogger(ClusterLimits.class);
    private static final long MEBIBYTE = 1 << 20;

    public ClusterLimits {
        require("cluster.min.cpu.millicores", leastCpuMillis, 1);
        require("cluster.min.memory.mib", leastMemoryBytes, MEBIBYTE);
        require("cluster.max.cpu.millicores", mostCpuMillis, 1);
        require("cluster.max.memory.mib", mostMemoryBytes, MEBIBYTE);
        require("cluster.redundant.workers", redundantWorkers, 1);
        requireOrder("cluster.min.cpu.millicores", leastCpuMillis, "cluster.max.cpu.millicores", mostCpuMillis, 1);
        requireOrder("cluster.min.memory.mib", leastMemoryBytes, "cluster.max.memory.mib", mostMemoryBytes, MEBIBYTE);
    }

    /** The limits of a pool. */
    public static ClusterLimits of(PoolDefinition.Limits limits) {
        return limits.equals(PoolDefinition.Limits.NONE)
                ? NONE
                : new ClusterLimits(
                        limits.minCpuMillis(),
                        limits.minMemoryBytes(),
                        limits.maxCpuMillis(),
                        limits.maxMemoryBytes(),
                        0);
    }

    static ClusterLimits of(ResourcesConfiguration configuration) {
        return new ClusterLimits(
                value(
                        "min.cpu.millicores",
                        configuration.cluster_min_cpu_millicores(),
                        "least.cpu.millicores",
                        configuration.cluster_least_cpu_millicores()),
                bytes(
                        "cluster.min.memory.mib",
                        value(
                                "min.memory.mib",
                                configuration.cluster_min_memory_mib(),
                                "least.memory.mib",
                                configuration.cluster_least_memory_mib())),
                value(
                        "max.cpu.millicores",
                        configuration.cluster_max_cpu_millicores(),
                        "most.cpu.millicores",
                        configuration.cluster_most_cpu_millicores()),
                bytes(
                        "cluster.max.memory.mib",
                        value(
                                "max.memory.mib",
                                configuration.cluster_max_memory_mib(),
                                "most.memory.mib",
                                configuration.cluster_most_memory_mib())),
                configuration.cluster_redundant_workers());
    }

    /** The value of the key, or the one under its name in 0.1. */
    private static long value(String key, long value, String before, long valueBefore) {
        if (valueBefore == 0) {
            return value;
        }
        LOG.warn(
                "io.berth.core.resources: cluster.{} was renamed to cluster.{}; the old name works until 0.4",
                before,
                key);
        return value == 0 ? valueBefore : value;
    }

    private static long bytes(String key, long mebibytes) {
        if (mebibytes > Long.MAX_VALUE / MEBIBYTE) {
            throw new IllegalArgumentException(
                    key + " is " + mebibytes + ": at most " + Long.MAX_VALUE / MEBIBYTE + " is allowed");
        }
        return mebibytes * MEBIBYTE;
    }

    private static void require(String key, long value, long unit) {
        if (value < 0) {
            throw new IllegalArgumentException(key + " is " + value / unit + ": at least 0 is allowed");
        }
    }

    private static void requireOrder(String leastKey, long least, String mostKey, long most, long unit) {
        if (most > 0 && least > most) {
            throw new IllegalArgumentException(leastKey + " is " + least / unit + ": at most " + mostKey + ", which is "
                    + most / unit + ", is allowed");
        }
    }

    /** How many more workers of a size the limits allow. */
    public int room(ClusterSums sums, ResourceProfile worker) {
        return room(sums.all().cpuMillis(), sums.all().memoryBytes(), worker);
    }

    /** Whether there is more than the maximum. */
    public boolean isExceeded(ClusterSums sums) {
        return mostCpuMillis > 0 && sums.all().cpuMillis() > mostCpuMillis
                || mostMemoryBytes > 0 && sums.all().memoryBytes() > mostMemoryBytes;
    }

    private int room(long cpuMillis, long memoryBytes, ResourceProfile worker) {
        long byCpu = room(mostCpuMillis, cpuMillis, worker.cpuMillis());
        long byMemory = room(mostMemoryBytes, memoryBytes, ClusterSums.memory(worker));
        return (int) Math.min(Integer.MAX_VALUE, Math.min(byCpu, byMemory));
    }

    /**
     * Shares the remaining limit among sizes, in their order: a size leaves what it cannot use to the next.
     *
     * @param most how many workers of each size are allowed at most
     * @return how many workers of each size may be started if all are started
     */
    public List<Integer> share(ClusterSums sums, List<ResourceProfile> sizes, List<Integer> most) {
        long cpuMillis = sums.all().cpuMillis();
        long memoryBytes = sums.all().memoryBytes();
        List<Integer> shares = new ArrayList<>();
        for (int size = 0; size < sizes.size(); size++) {
            ResourceProfile worker = sizes.get(size);
            int share = Math.min(most.get(size), room(cpuMillis, memoryBytes, worker));
            shares.add(share);
            // Without a limit the sum could overflow.
            cpuMillis += mostCpuMillis > 0 ? share * worker.cpuMillis() : 0;
            memoryBytes += mostMemoryBytes > 0 ? share * ClusterSums.memory(worker) : 0;
        }
        return shares;
    }

    private static long room(long most, long there, long each) {
        return most == 0 || each == 0 ? Integer.MAX_VALUE : Math.max(0, most - there) / each;
    }

    /** Whether the cluster without {@code gone} is smaller than its minimum. */
    public boolean tooSmall(ClusterSums sums, ResourceProfile gone) {
        return sums.staying().cpuMillis() - gone.cpuMillis() < leastCpuMillis
                || sums.staying().memoryBytes() - ClusterSums.memory(gone) < leastMemoryBytes;
    }

    /**
     * Whether less than the reserve is free without {@code gone}.
     *
     * @param largest the largest worker that can be started
     */
    public boolean tooFull(ClusterSums sums, ResourceProfile gone, ResourceProfile largest) {
        return sums.spare().cpuMillis() - gone.cpuMillis() < redundantWorkers * largest.cpuMillis()
                || sums.spare().memoryBytes() - ClusterSums.memory(gone)
                        < redundantWorkers * ClusterSums.memory(largest);
    }

    /** The maximum for error texts. */
    public String most() {
        return (mostCpuMillis > 0 ? "cluster.max.cpu.millicores is " + mostCpuMillis : "")
                + (mostCpuMillis > 0 && mostMemoryBytes > 0 ? ", " : "")
                + (mostMemoryBytes > 0 ? "cluster.max.memory.mib is " + mostMemoryBytes / MEBIBYTE : "");
    }
}
