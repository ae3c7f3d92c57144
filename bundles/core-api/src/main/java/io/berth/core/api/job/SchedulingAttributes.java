package io.berth.core.api.job;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What policies know of a job beside its requirements.
 *
 * @param pool the pool whose workers it uses
 * @param queue the queue within the pool
 * @param submitter who submitted it; empty: not known
 * @param priority a larger number is more important
 * @param expectedRuntimeMillis how long it is expected to run, by its submitter; 0: not known
 * @param labels pairs for policies and people; their meaning is the user's
 */
public record SchedulingAttributes(
        String pool,
        String queue,
        String submitter,
        int priority,
        long expectedRuntimeMillis,
        SortedMap<String, String> labels) {

    /** The default pool and queue, and nothing else. */
    public static final SchedulingAttributes DEFAULT =
            new SchedulingAttributes("default", "default", "", 0, 0, Collections.emptySortedMap());

    public SchedulingAttributes {
        labels = labels.isEmpty()
                ? Collections.emptySortedMap()
                : Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    public SchedulingAttributes withQueue(String other) {
        return new SchedulingAttributes(pool, other, submitter, priority, expectedRuntimeMillis, labels);
    }
}
