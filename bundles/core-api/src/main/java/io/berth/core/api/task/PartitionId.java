package io.berth.core.api.task;

/**
 * Identifies the output of one task for one edge.
 *
 * @param producer the producing attempt
 * @param edge number of the edge within the job, in the order of its description
 */
public record PartitionId(AttemptId producer, int edge) implements Comparable<PartitionId> {

    @Override
    public int compareTo(PartitionId other) {
        int result = producer.compareTo(other.producer);
        return result == 0 ? Integer.compare(edge, other.edge) : result;
    }

    @Override
    public String toString() {
        return producer + ":" + edge;
    }
}
