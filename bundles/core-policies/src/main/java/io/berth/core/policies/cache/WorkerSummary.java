package io.berth.core.policies.cache;

import io.berth.spi.ResourceProfile;

/** Sums over the workers of a pool as a decision saw them. */
public record WorkerSummary(
        long stateNumber,
        int workers,
        int pending,
        long freeCpuMillis,
        long freeHeapBytes,
        long totalCpuMillis,
        long totalHeapBytes) {

    @Override
    public String toString() {
        return "state " + stateNumber + ": " + workers + " workers, " + pending + " of them pending, free "
                + ResourceProfile.of(Math.max(0, freeCpuMillis), Math.max(0, freeHeapBytes)) + " of "
                + ResourceProfile.of(totalCpuMillis, totalHeapBytes);
    }
}
