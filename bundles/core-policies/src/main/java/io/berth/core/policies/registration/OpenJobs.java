package io.berth.core.policies.registration;

import io.berth.spi.JobId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Jobs that have scaling decided, by how often: once for each of their units that runs. Thread-safe. */
public final class OpenJobs {

    private final Map<JobId, Integer> open = new ConcurrentHashMap<>();

    public void add(JobId job) {
        open.merge(job, 1, Integer::sum);
    }

    /** Whether this was the last one. */
    public boolean remove(JobId job) {
        return open.computeIfPresent(job, (same, count) -> count == 1 ? null : Integer.valueOf(count - 1)) == null;
    }
}
