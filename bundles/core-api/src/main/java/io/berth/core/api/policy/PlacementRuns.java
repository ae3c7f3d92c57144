package io.berth.core.api.policy;

import io.berth.core.api.policy.PlanOutcome.Placement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/** The slots that a plan allocates, as runs of slots of one group on one worker, in columns. Immutable. */
public final class PlacementRuns {

    /** No slots. */
    public static final PlacementRuns NONE = new Builder().build();

    private final int[] unit;
    private final int[] group;
    private final int[] worker;
    private final int[] count;
    private final BitSet minimum;
    private final int size;
    private final long slots;

    private PlacementRuns(Builder from) {
        unit = from.unit;
        group = from.group;
        worker = from.worker;
        count = from.count;
        minimum = from.minimum;
        size = from.size;
        slots = from.slots;
    }

    /** How many runs there are. */
    public int size() {
        return size;
    }

    /** How many slots all runs have. */
    public long slots() {
        return slots;
    }

    /** Index of the unit. */
    public int unit(int run) {
        return unit[Objects.checkIndex(run, size)];
    }

    /** Index of the group within its unit. */
    public int group(int run) {
        return group[Objects.checkIndex(run, size)];
    }

    /** Index of the worker, or of a new one: see {@link PlanOutcome.Planned}. */
    public int worker(int run) {
        return worker[Objects.checkIndex(run, size)];
    }

    /** How many slots, at least 1. */
    public int count(int run) {
        return count[Objects.checkIndex(run, size)];
    }

    /** Whether the run is part of the unit's minimum, to be committed whole. */
    public boolean minimum(int run) {
        return minimum.get(Objects.checkIndex(run, size));
    }

    /** The runs one by one, for people and tests. */
    public List<Placement> list() {
        List<Placement> runs = new ArrayList<>(size);
        for (int run = 0; run < size; run++) {
            runs.add(new Placement(unit[run], group[run], worker[run], count[run], minimum.get(run)));
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

    /** Takes runs one after the other, and is used up by {@link #build}. */
    public static final class Builder {

        private int[] unit = {};
        private int[] group = {};
        private int[] worker = {};
        private int[] count = {};
        private final BitSet minimum = new BitSet();
        private int size;
        private long slots;

        /** So many more runs are to come. */
        public Builder expect(int more) {
            if (more > unit.length - size) {
                int room = Math.max(size + more, size * 2);
                unit = Arrays.copyOf(unit, room);
                group = Arrays.copyOf(group, room);
                worker = Arrays.copyOf(worker, room);
                count = Arrays.copyOf(count, room);
            }
            return this;
        }

        /** Adds a run of at least one slot. */
        public Builder add(int ofUnit, int ofGroup, int onWorker, int slotCount, boolean ofMinimum) {
            if (size == unit.length) {
                expect(Math.max(8, size));
            }
            unit[size] = ofUnit;
            group[size] = ofGroup;
            worker[size] = onWorker;
            count[size] = slotCount;
            if (ofMinimum) {
                minimum.set(size);
            }
            size++;
            slots += slotCount;
            return this;
        }

        public PlacementRuns build() {
            return new PlacementRuns(this);
        }
    }
}
