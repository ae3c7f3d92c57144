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
 * @param expectedRuntimeMillis how long it is expected to run, once it has slots; 0: not known
 * @param runtimeLearnedFrom from how many earlier runs the Dispatcher learned that; 0: its submitter stated it, or it
 *     is not known
 * @param labels pairs for policies and people; their meaning is the user's
 */
public record SchedulingAttributes(
        String pool,
        String queue,
        String submitter,
        int priority,
        long expectedRuntimeMillis,
        int runtimeLearnedFrom,
        SortedMap<String, String> labels) {

    /** The default pool and queue, and nothing else. */
    public static final SchedulingAttributes DEFAULT =
            new SchedulingAttributes("default", "default", "", 0, 0, 0, Collections.emptySortedMap());

    public SchedulingAttributes {
        labels = labels.isEmpty()
                ? Collections.emptySortedMap()
                : Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    public SchedulingAttributes withQueue(String other) {
        return new SchedulingAttributes(
                pool, other, submitter, priority, expectedRuntimeMillis, runtimeLearnedFrom, labels);
    }

    /** The same with a run time that was learned from a number of runs. */
    public SchedulingAttributes withLearnedRuntime(long millis, int runs) {
        return new SchedulingAttributes(pool, queue, submitter, priority, millis, runs, labels);
    }
}
