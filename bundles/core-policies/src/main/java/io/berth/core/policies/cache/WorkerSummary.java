package io.berth.core.policies.cache;

import io.berth.spi.ResourceProfile;

/** The workers of a pool in sum, as a decision saw them. Costs the same however many there are. */
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
