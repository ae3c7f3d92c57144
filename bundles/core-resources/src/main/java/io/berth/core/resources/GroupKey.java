package io.berth.core.resources;

import java.util.Comparator;

/** A slot sharing group of a unit of some job. */
record GroupKey(String unit, String group) implements Comparable<GroupKey> {

    private static final Comparator<GroupKey> ORDER =
            Comparator.comparing(GroupKey::unit).thenComparing(GroupKey::group);

    @Override
    public int compareTo(GroupKey other) {
        return ORDER.compare(this, other);
    }
}
