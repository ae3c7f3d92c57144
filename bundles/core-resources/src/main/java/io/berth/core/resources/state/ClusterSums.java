package io.berth.core.resources.state;

import io.berth.spi.ResourceProfile;

/**
 * Cpu and memory of all workers, summed up: told of each change, which costs the same however many there are. Confined
 * to the main thread; kept by the registry.
 */
public final class ClusterSums {

    /** An amount of both. */
    public static final class Amount {

        private long cpuMillis;
        private long memoryBytes;

        private void add(ResourceProfile profile, int sign) {
            cpuMillis += sign * profile.cpuMillis();
            memoryBytes += sign * memory(profile);
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

    void count(WorkerEntry worker, int sign) {
        all.add(worker.total(), sign);
        if (worker.state() != WorkerEntry.State.RELEASING) {
            staying.add(worker.total(), sign);
            if (!worker.blocked()) {
                if (worker.planned() == 0) {
                    spare.add(worker.freeRoom(), sign);
                } else {
                    spare.add(worker.unused(), sign);
                }
            }
        }
    }

    /** What there is, pending workers and those that are about to end included. */
    public Amount all() {
        return all;
    }

    /** Without those that are about to end. */
    public Amount staying() {
        return staying;
    }

    /** What is neither taken nor planned, of workers that take slots. */
    public Amount spare() {
        return spare;
    }

    /** Memory of all kinds. */
    public static long memory(ResourceProfile profile) {
        return profile.heapBytes() + profile.offHeapBytes() + profile.managedBytes();
    }
}
