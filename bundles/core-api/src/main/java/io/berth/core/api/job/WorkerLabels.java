package io.berth.core.api.job;

import io.berth.policy.rules.labels.LabelRules;
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

    /** Label with the name of the worker's backend. */
    public static final String BACKEND = "berth.backend";
    /** Label with the name of the worker's spec. */
    public static final String SPEC = "berth.spec";
    /** Label of a worker that its cluster manager may take away at any time; its value is {@code true}. */
    public static final String PREEMPTIBLE = "berth.preemptible";
    /** Begins the keys of labels and taints that only Berth itself gives. */
    public static final String RESERVED = LabelRules.RESERVED;

    /** What a key may be, for people. */
    public static final String KEY_ALLOWED = LabelRules.KEY_ALLOWED;

    public static final WorkerLabels NONE =
            new WorkerLabels(Collections.emptySortedMap(), Collections.emptySortedMap());

    public WorkerLabels {
        labels = copy(labels);
        taints = copy(taints);
    }

    /** Whether a label or taint may have the key; {@link #KEY_ALLOWED} says it in words. */
    public static boolean isKey(String text) {
        return LabelRules.isKey(text);
    }

    /** Without taints. */
    public static WorkerLabels of(SortedMap<String, String> labels) {
        return labels.isEmpty() ? NONE : new WorkerLabels(labels, Collections.emptySortedMap());
    }

    /** Those of a worker that its cluster manager does not take away. */
    public WorkerLabels from(String backend, String spec) {
        return from(backend, spec, false);
    }

    /** These, and the labels that say where the worker comes from. */
    public WorkerLabels from(String backend, String spec, boolean preemptible) {
        SortedMap<String, String> all = new TreeMap<>(given(labels));
        all.put(BACKEND, backend);
        if (!spec.isEmpty()) {
            all.put(SPEC, spec);
        }
        if (preemptible) {
            all.put(PREEMPTIBLE, "true");
        }
        return new WorkerLabels(all, taints);
    }

    /** Without those that Berth itself gives. */
    public WorkerLabels given() {
        return new WorkerLabels(given(labels), given(taints));
    }

    private static SortedMap<String, String> given(SortedMap<String, String> pairs) {
        SortedMap<String, String> given = new TreeMap<>(pairs);
        given.keySet().removeIf(key -> key.startsWith(RESERVED));
        return given;
    }

    private static SortedMap<String, String> copy(SortedMap<String, String> pairs) {
        return pairs.isEmpty() ? Collections.emptySortedMap() : Collections.unmodifiableSortedMap(new TreeMap<>(pairs));
    }
}
