package io.berth.core.policies.sequence;

import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.SlotChange;
import io.berth.core.api.policy.PlanningInput.SlotChanges;
import io.berth.core.api.policy.PlanningInput.SlotColumn;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.core.policies.Bench;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The state of the owner of a planner: workers with free slots, and units that want slots. */
final class SequenceDemand {

    private static final int MAX_WORKERS = 5;
    private static final int MAX_UNITS = 5;
    /** The number of a slot says for what it is: unit, group, and which one of them, from 1. */
    private static final int SLOTS_OF_UNIT = 100;

    private static final int SLOTS_OF_GROUP = 10;

    /** The demand of one group. */
    record Wanted(int minimum, int desired, int allocated) {

        int missing() {
            return Math.max(minimum, desired) - allocated;
        }
    }

    /**
     * A state of the owner.
     *
     * @param free slots by worker
     * @param units groups by unit
     * @param busy units whose jobs may not be asked to return slots now
     */
    record Shown(SortedMap<Integer, Integer> free, SortedMap<Integer, List<Wanted>> units, SortedSet<Integer> busy) {

        /** Whether the job may be asked to return the slot. */
        boolean returnable(AllocationId slot) {
            int unit = (int) slot.number() / SLOTS_OF_UNIT;
            return isReturnable(unit)
                    && (int) slot.number() % SLOTS_OF_UNIT / SLOTS_OF_GROUP
                            < units.get(unit).size();
        }

        /** Whether the job may be asked to return slots of the unit. */
        boolean isReturnable(int unit) {
            return units.containsKey(unit) && !busy.contains(unit);
        }
    }

    private final SortedMap<Integer, Integer> free = new TreeMap<>();
    private final SortedMap<Integer, List<Wanted>> units = new TreeMap<>();
    private final SortedSet<Integer> busy = new TreeSet<>();
    private final SortedSet<Integer> workersChanged = new TreeSet<>();
    private final SortedSet<Integer> unitsChanged = new TreeSet<>();

    void change(Random random) {
        for (int changes = free.isEmpty() ? 4 : random.nextInt(3); changes > 0; changes--) {
            int worker = random.nextInt(MAX_WORKERS);
            if (random.nextInt(4) == 0) {
                free.remove(worker);
            } else {
                free.put(worker, random.nextInt(5));
            }
            workersChanged.add(worker);
        }
        for (int changes = units.isEmpty() ? 3 : random.nextInt(3); changes > 0; changes--) {
            int unit = random.nextInt(MAX_UNITS);
            if (random.nextInt(4) == 0) {
                units.remove(unit);
            } else {
                List<Wanted> groups = new ArrayList<>();
                for (int group = random.nextInt(3); group >= 0; group -= 2) {
                    groups.add(new Wanted(random.nextInt(4), random.nextInt(7), random.nextInt(3)));
                }
                units.put(unit, groups);
                busy.remove(unit);
                if (random.nextInt(4) == 0) {
                    busy.add(unit);
                }
            }
            unitsChanged.add(unit);
        }
    }

    Shown shown() {
        return new Shown(new TreeMap<>(free), new TreeMap<>(units), new TreeSet<>(busy));
    }

    /**
     * The changes since the last input.
     *
     * @param listsSlots whether the planner uses the slots that jobs have
     */
    PlanningInput input(long state, boolean listsSlots) {
        List<WorkerChange> workers = new ArrayList<>();
        for (int worker : workersChanged) {
            workers.add(new WorkerChange(
                    worker,
                    Optional.ofNullable(free.get(worker))
                            .map(slots -> new WorkerColumn(
                                    new WorkerId("w" + worker),
                                    false,
                                    Bench.SIZE,
                                    ResourceProfile.of(slots * 1_000L, slots * 1_000L),
                                    Bench.SLOT,
                                    Origin.of("test"),
                                    WorkerLabels.NONE))));
        }
        List<UnitChange> changed = new ArrayList<>();
        for (int unit : unitsChanged) {
            changed.add(
                    new UnitChange(unit, Optional.ofNullable(units.get(unit)).map(groups -> demand(unit, groups))));
        }
        workersChanged.clear();
        unitsChanged.clear();
        return new PlanningInput(
                state,
                workers,
                changed,
                List.of(),
                listsSlots ? new SlotChanges(SlotChanges.Listing.ALL, slots()) : SlotChanges.NONE);
    }

    /** All slots. Each unit that went has left one, which its job does not require. */
    private List<SlotChange> slots() {
        List<SlotChange> slots = new ArrayList<>();
        for (int unit = 0; unit < MAX_UNITS; unit++) {
            List<Wanted> groups = units.getOrDefault(unit, List.of(new Wanted(0, 0, 1)));
            for (int group = 0; group < groups.size(); group++) {
                for (int nth = 1; nth <= groups.get(group).allocated(); nth++) {
                    slots.add(new SlotChange(
                            new AllocationId(1, (long) unit * SLOTS_OF_UNIT + group * SLOTS_OF_GROUP + nth),
                            Optional.of(new SlotColumn(
                                    new JobId("j" + unit), "all", "g" + group, nth % MAX_WORKERS, Bench.SLOT, 0))));
                }
            }
        }
        return slots;
    }

    private UnitDemand demand(int unit, List<Wanted> groups) {
        List<GroupDemand> demands = new ArrayList<>();
        for (int group = 0; group < groups.size(); group++) {
            Wanted wanted = groups.get(group);
            demands.add(
                    new GroupDemand("g" + group, Bench.SLOT, wanted.minimum(), wanted.desired(), wanted.allocated()));
        }
        return new UnitDemand(
                new JobId("j" + unit),
                "all",
                unit,
                SchedulingAttributes.DEFAULT,
                demands,
                !busy.contains(unit),
                OptionalLong.empty());
    }
}
