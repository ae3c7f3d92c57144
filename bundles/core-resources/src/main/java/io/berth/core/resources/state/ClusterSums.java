package io.berth.core.resources.state;

import io.berth.spi.ResourceProfile;
import java.util.Collection;

/**
 * Sums of cpu and memory over workers of a pool, or of all. A change costs the same however many workers exist. Confined to the main
 * thread; the registry updates it.
 */
public final class ClusterSums {

    /** An amount of cpu and memory. */
    public static final class Amount {

        private long cpuMillis;
        private long memoryBytes;

        private void add(ResourceProfile profile, int sign) {
            cpuMillis += sign * profile.cpuMillis();
            memoryBytes += sign * memory(profile);
        }

        private void add(Amount other) {
            cpuMillis += other.cpuMillis;
            memoryBytes += other.memoryBytes;
        }

        private void add(FreeRoom room, int sign) {
            cpuMillis += sign * room.cpuMillis();
            memoryBytes += sign * room.memoryBytes();
        }

        public long cpuMillis() {
            return cpuMillis;
        }

        public long memoryBytes() {
            return memoryBytes;
        }
    }

    private final Amount all = new Amount();
    private final Amount staying = new Amount();
    private final Amount spare = new Amount();

    /** The sum of some sums. */
    static ClusterSums of(Collection<ClusterSums> parts) {
        ClusterSums sum = new ClusterSums();
        parts.forEach(part -> {
            sum.all.add(part.all);
            sum.staying.add(part.staying);
            sum.spare.add(part.spare);
        });
        return sum;
    }

    void count(WorkerEntry worker, int sign) {
        all.add(worker.total(), sign);
        if (worker.state() != WorkerEntry.State.RELEASING) {
            staying.add(worker.total(), sign);
            if (worker.usable()) {
                if (worker.planned() == 0) {
                    spare.add(worker.freeRoom(), sign);
                } else {
                    spare.add(worker.unused(), sign);
                }
            }
        }
    }

    /** Of all workers, including pending and releasing ones. */
    public Amount all() {
        return all;
    }

    /** Of all workers but releasing ones. */
    public Amount staying() {
        return staying;
    }

    /** What is neither allocated nor planned on workers that may receive slots. */
    public Amount spare() {
        return spare;
    }

    /** Memory of all kinds. */
    public static long memory(ResourceProfile profile) {
        return profile.heapBytes() + profile.offHeapBytes() + profile.managedBytes();
    }
}
