package io.berth.core.api.job;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A change of the labels and taints of a worker.
 *
 * @param labels to add or replace; {@code removedLabels}: keys to remove
 * @param taints to add or replace; {@code removedTaints}: keys to remove
 */
public record LabelChange(
        SortedMap<String, String> labels,
        List<String> removedLabels,
        SortedMap<String, String> taints,
        List<String> removedTaints) {

    public LabelChange {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        removedLabels = List.copyOf(removedLabels);
        taints = Collections.unmodifiableSortedMap(new TreeMap<>(taints));
        removedTaints = List.copyOf(removedTaints);
    }

    public boolean isEmpty() {
        return labels.isEmpty() && removedLabels.isEmpty() && taints.isEmpty() && removedTaints.isEmpty();
    }

    public WorkerLabels applyTo(WorkerLabels before) {
        return new WorkerLabels(
                changed(before.labels(), labels, removedLabels), changed(before.taints(), taints, removedTaints));
    }

    private static SortedMap<String, String> changed(
            SortedMap<String, String> before, SortedMap<String, String> added, List<String> removed) {
        SortedMap<String, String> after = new TreeMap<>(before);
        after.keySet().removeAll(removed);
        after.putAll(added);
        return after;
    }
}
