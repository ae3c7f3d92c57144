package io.berth.core.policies.sequence;

import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.core.policies.Bench;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The state of the owner of a planner: workers with free slots, and units that want slots. */
final class SequenceDemand {

    private static final int MAX_WORKERS = 5;
    private static final int MAX_UNITS = 5;

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
     */
    record Shown(SortedMap<Integer, Integer> free, SortedMap<Integer, List<Wanted>> units) {}

    private final SortedMap<Integer, Integer> free = new TreeMap<>();
    private final SortedMap<Integer, List<Wanted>> units = new TreeMap<>();
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
            }
            unitsChanged.add(unit);
        }
    }

    Shown shown() {
        return new Shown(new TreeMap<>(free), new TreeMap<>(units));
    }

    /** The changes since the last input. */
    PlanningInput input(long state) {
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
        return new PlanningInput(state, workers, changed, List.of());
    }

    private static UnitDemand demand(int unit, List<Wanted> groups) {
        List<GroupDemand> demands = new ArrayList<>();
        for (int group = 0; group < groups.size(); group++) {
            Wanted wanted = groups.get(group);
            demands.add(
                    new GroupDemand("g" + group, Bench.SLOT, wanted.minimum(), wanted.desired(), wanted.allocated()));
        }
        return new UnitDemand(new JobId("j" + unit), "all", unit, SchedulingAttributes.DEFAULT, demands);
    }
}
