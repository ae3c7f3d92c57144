package io.berth.core.api.policy;

import io.berth.core.api.policy.PlanOutcome.Placement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/**
 * The slots that a plan allocates, as runs, stored in columns. A run is a number of slots of one group on one worker.
 * Unit and group, which many runs share, are stored once in an entry. Immutable.
 */
public final class PlacementRuns {

    /** No slots. */
    public static final PlacementRuns NONE = new Builder().build();

    private final int[] unitOf;
    private final int[] groupOf;
    private final BitSet minimumOf;
    private final int[] entry;
    private final int[] worker;
    private final int[] count;
    private final int size;
    private final long slots;

    private PlacementRuns(Builder from) {
        unitOf = from.unitOf;
        groupOf = from.groupOf;
        minimumOf = from.minimumOf;
        entry = from.entry;
        worker = from.worker;
        count = from.count;
        size = from.size;
        slots = from.slots;
    }

    /** Number of runs. */
    public int size() {
        return size;
    }

    /** Number of slots in all runs. */
    public long slots() {
        return slots;
    }

    /** Index of the unit. */
    public int unit(int run) {
        return unitOf[entry[Objects.checkIndex(run, size)]];
    }

    /** Index of the group within its unit. */
    public int group(int run) {
        return groupOf[entry[Objects.checkIndex(run, size)]];
    }

    /** Index of the worker, or of a new worker: see {@link PlanOutcome.Planned}. */
    public int worker(int run) {
        return worker[Objects.checkIndex(run, size)];
    }

    /** Number of slots, at least 1. */
    public int count(int run) {
        return count[Objects.checkIndex(run, size)];
    }

    /** Whether the run is part of the unit's minimum, which must be committed completely. */
    public boolean minimum(int run) {
        return minimumOf.get(entry[Objects.checkIndex(run, size)]);
    }

    /** The runs as objects, for display and tests. */
    public List<Placement> list() {
        List<Placement> runs = new ArrayList<>(size);
        for (int run = 0; run < size; run++) {
            runs.add(new Placement(unit(run), group(run), worker(run), count(run), minimum(run)));
        }
        return List.copyOf(runs);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PlacementRuns runs && list().equals(runs.list());
    }

    @Override
    public int hashCode() {
        return list().hashCode();
    }

    @Override
    public String toString() {
        return list().toString();
    }

    /** Collects runs. It must not be used after {@link #build}. */
    public static final class Builder {

        private int[] unitOf = {};
        private int[] groupOf = {};
        private final BitSet minimumOf = new BitSet();
        private int entries;
        private int[] entry = {};
        private int[] worker = {};
        private int[] count = {};
        private int size;
        private long slots;

        /** Adds a run of at least one slot. */
        public Builder add(int unit, int group, int onWorker, int slotCount, boolean minimum) {
            if (entries == 0
                    || unitOf[entries - 1] != unit
                    || groupOf[entries - 1] != group
                    || minimumOf.get(entries - 1) != minimum) {
                entry(unit, group, minimum);
            }
            ensureCapacity(1);
            entry[size] = entries - 1;
            worker[size] = onWorker;
            count[size++] = slotCount;
            slots += slotCount;
            return this;
        }

        /**
         * Adds an entry for a group of a unit, which runs can refer to.
         *
         * @return its index, for {@link #addAll}
         */
        public int entry(int unit, int group, boolean minimum) {
            if (entries == unitOf.length) {
                unitOf = Arrays.copyOf(unitOf, Math.max(8, entries * 2));
                groupOf = Arrays.copyOf(groupOf, unitOf.length);
            }
            unitOf[entries] = unit;
            groupOf[entries] = group;
            minimumOf.set(entries, minimum);
            return entries++;
        }

        /**
         * Adds runs from columns. The arrays may be kept without a copy, so they must not change.
         *
         * @param firstEntry number to add to each entry index in {@code ofEntry}
         * @param more number of runs in the columns
         * @param moreSlots number of slots of these runs
         */
        public Builder addAll(
                int firstEntry, int[] ofEntry, int[] onWorker, int[] slotCount, int more, long moreSlots) {
            if (size == 0 && firstEntry == 0) {
                entry = ofEntry;
                worker = onWorker;
                count = slotCount;
            } else {
                ensureCapacity(more);
                for (int run = 0; run < more; run++) {
                    entry[size + run] = firstEntry + ofEntry[run];
                }
                System.arraycopy(onWorker, 0, worker, size, more);
                System.arraycopy(slotCount, 0, count, size, more);
            }
            size += more;
            slots += moreSlots;
            return this;
        }

        private void ensureCapacity(int more) {
            if (more > entry.length - size) {
                int room = Math.max(size + more, Math.max(8, size * 2));
                entry = Arrays.copyOf(entry, room);
                worker = Arrays.copyOf(worker, room);
                count = Arrays.copyOf(count, room);
            }
        }

        public PlacementRuns build() {
            return new PlacementRuns(this);
        }
    }
}
