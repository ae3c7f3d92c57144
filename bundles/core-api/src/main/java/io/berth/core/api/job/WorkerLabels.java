package io.berth.core.api.job;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is known about a worker beside its size. Immutable.
 *
 * @param labels pairs that constraints refer to; their meaning is the operator's
 * @param taints pairs that keep slots away whose group does not tolerate them
 */
public record WorkerLabels(SortedMap<String, String> labels, SortedMap<String, String> taints) {

    public static final WorkerLabels NONE =
            new WorkerLabels(Collections.emptySortedMap(), Collections.emptySortedMap());

    public WorkerLabels {
        labels = copy(labels);
        taints = copy(taints);
    }

    /** Without taints. */
    public static WorkerLabels of(SortedMap<String, String> labels) {
        return labels.isEmpty() ? NONE : new WorkerLabels(labels, Collections.emptySortedMap());
    }

    private static SortedMap<String, String> copy(SortedMap<String, String> pairs) {
        return pairs.isEmpty() ? Collections.emptySortedMap() : Collections.unmodifiableSortedMap(new TreeMap<>(pairs));
    }
}
