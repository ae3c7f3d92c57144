package io.berth.core.resources.state;

/** A slot sharing group of a unit of a job. */
public record GroupKey(String unit, String group) implements Comparable<GroupKey> {

    @Override
    public int compareTo(GroupKey other) {
        int byUnit = unit.compareTo(other.unit);
        return byUnit != 0 ? byUnit : group.compareTo(other.group);
    }
}
