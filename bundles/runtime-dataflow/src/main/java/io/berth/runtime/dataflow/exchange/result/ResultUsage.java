package io.berth.runtime.dataflow.exchange.result;

import io.berth.core.api.task.RuntimeSettings;
import io.berth.spi.JobId;
import java.io.IOException;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Bytes on the disk by job, and their limit. Thread-safe. */
final class ResultUsage {

    /** Jobs that an error names. */
    private static final int NAMED = 5;

    private final SortedMap<JobId, Long> byJob = new TreeMap<>();
    private final long maxBytes;
    private long total;

    ResultUsage(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** The limit is reached. The message names it, and what uses it. */
    static final class FullException extends IOException {

        private static final long serialVersionUID = 1L;

        FullException(String message) {
            super(message);
        }
    }

    synchronized void add(JobId job, long bytes) throws FullException {
        if (total + bytes > maxBytes) {
            throw new FullException("it needs " + bytes + " more bytes, and the limit of this worker for results on its"
                    + " disk is reached; " + describe() + ". Raise " + RuntimeSettings.RESULTS_BYTES
                    + " on the workers, or use more workers");
        }
        total += bytes;
        byJob.merge(job, bytes, Long::sum);
    }

    synchronized void remove(JobId job, long bytes) {
        total -= bytes;
        byJob.computeIfPresent(job, (same, present) -> present == bytes ? null : Long.valueOf(present - bytes));
    }

    synchronized long total() {
        return total;
    }

    synchronized String describe() {
        String largest = byJob.entrySet().stream()
                .sorted(Map.Entry.<JobId, Long>comparingByValue(Comparator.reverseOrder()))
                .limit(NAMED)
                .map(job -> "job " + job.getKey() + " " + job.getValue())
                .collect(Collectors.joining(", "));
        return "results use " + total + " of " + maxBytes + " bytes (" + RuntimeSettings.RESULTS_BYTES + ")"
                + (largest.isEmpty() ? "" : ": " + largest)
                + (byJob.size() > NAMED ? " and " + (byJob.size() - NAMED) + " more jobs" : "");
    }
}
