package io.berth.simulator.job;

import io.berth.core.api.task.PartitionId;
import io.berth.simulator.time.Incarnation;
import io.berth.spi.JobId;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The results of blocking edges that the processes of workers store. They are lost with their process. */
public final class StoredResults {

    private final Map<Incarnation, SortedMap<PartitionId, List<Integer>>> byProcess = new LinkedHashMap<>();

    void store(Incarnation process, PartitionId partition, List<Integer> records) {
        byProcess.computeIfAbsent(process, first -> new TreeMap<>()).put(partition, List.copyOf(records));
    }

    /** The records of a partition; empty when the process does not have it. */
    Optional<List<Integer>> read(Incarnation process, PartitionId partition) {
        return Optional.ofNullable(
                byProcess.getOrDefault(process, Collections.emptySortedMap()).get(partition));
    }

    /** The runtime of a worker deletes some. */
    public void release(Incarnation process, Collection<PartitionId> partitions) {
        byProcess.getOrDefault(process, new TreeMap<>()).keySet().removeAll(partitions);
    }

    /** The runtime of a worker deletes those of a job. */
    public void releaseAll(Incarnation process, JobId job) {
        byProcess
                .getOrDefault(process, new TreeMap<>())
                .keySet()
                .removeIf(partition -> partition.producer().job().equals(job));
    }

    void gone(Incarnation process) {
        byProcess.remove(process);
    }

    /** What a process stores. */
    public SortedSet<PartitionId> on(Incarnation process) {
        return new TreeSet<>(
                byProcess.getOrDefault(process, Collections.emptySortedMap()).keySet());
    }

    /** Whether some process stores it. */
    public boolean isThere(PartitionId partition) {
        return byProcess.values().stream().anyMatch(stored -> stored.containsKey(partition));
    }

    /** How many partitions there are. */
    public int size() {
        return byProcess.values().stream().mapToInt(SortedMap::size).sum();
    }
}
