package io.berth.core.policies.detached;

import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.PlacementConstraints.LabelRule;
import io.berth.core.api.job.PlacementConstraints.Operator;
import io.berth.core.api.job.PlacementConstraints.Preference;
import io.berth.core.api.job.PlacementConstraints.Spread;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanOutcome.Placement;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.SlotChange;
import io.berth.core.api.policy.PlanningInput.SlotChanges;
import io.berth.core.api.policy.PlanningInput.SlotChanges.Listing;
import io.berth.core.api.policy.PlanningInput.SlotColumn;
import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The owner of a planner, with jobs and workers that come and go. It commits plans, so decisions depend on each other. */
public final class RandomCluster {

    private static final ResourceProfile SIZE = ResourceProfile.of(8_000, 8_000);
    private static final ResourceProfile LARGE = extended(16_000, 16_000, "gpu", 2);
    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);
    private static final int MAX_WORKERS = 12;
    private static final int MAX_UNITS = 10;

    private record Slot(AllocationId id, int unit, int group, int worker, ResourceProfile profile, long since) {}

    private final Random random;
    private final SortedMap<Integer, WorkerColumn> workers = new TreeMap<>();
    private final SortedMap<Integer, UnitDemand> units = new TreeMap<>();
    private final SortedMap<Long, Slot> slots = new TreeMap<>();
    private final SortedSet<Integer> workersChanged = new TreeSet<>();
    private final SortedSet<Integer> unitsChanged = new TreeSet<>();
    private final SortedSet<Long> slotsChanged = new TreeSet<>();
    private boolean slotsListed;
    private long state;
    private long allocations;
    private int names;

    public RandomCluster(long seed) {
        random = new Random(seed);
    }

    private static ResourceProfile extended(long cpuMillis, long heapBytes, String name, long amount) {
        SortedMap<String, Long> more = new TreeMap<>();
        more.put(name, amount);
        return new ResourceProfile(cpuMillis, heapBytes, 0, 0, more);
    }

    public void change(long millis) {
        for (int changes = workers.isEmpty() ? 5 : random.nextInt(2); changes > 0; changes--) {
            int index = random.nextInt(MAX_WORKERS);
            if (workers.containsKey(index) && random.nextInt(3) == 0) {
                List.copyOf(slots.values()).stream()
                        .filter(slot -> slot.worker() == index)
                        .forEach(this::end);
                workers.remove(index);
            } else if (!workers.containsKey(index)) {
                ResourceProfile size = random.nextInt(4) == 0 ? LARGE : SIZE;
                workers.put(
                        index,
                        new WorkerColumn(
                                        new WorkerId("w" + names++),
                                        random.nextInt(5) == 0,
                                        size,
                                        size,
                                        SLOT,
                                        new Origin("test", "any", random.nextInt(3)),
                                        labels())
                                .startedAt(millis)
                                .leavingAt(names % 5 == 0 ? millis + 60_000 : 0));
            }
            workersChanged.add(index);
        }
        for (int changes = units.isEmpty() ? 4 : random.nextInt(3); changes > 0; changes--) {
            int index = random.nextInt(MAX_UNITS);
            if (units.containsKey(index)) {
                if (random.nextInt(2) == 0) {
                    List.copyOf(slots.values()).stream()
                            .filter(slot -> slot.unit() == index)
                            .forEach(this::end);
                    units.remove(index);
                } else {
                    List<Slot> held = slots.values().stream()
                            .filter(slot -> slot.unit() == index)
                            .toList();
                    if (!held.isEmpty()) {
                        end(held.get(random.nextInt(held.size())));
                    }
                }
            } else {
                units.put(index, unit(index));
            }
            unitsChanged.add(index);
        }
    }

    private WorkerLabels labels() {
        SortedMap<String, String> labels = new TreeMap<>();
        labels.put("zone", "z" + random.nextInt(3));
        SortedMap<String, String> taints = new TreeMap<>();
        if (random.nextInt(4) == 0) {
            taints.put("gpu", "yes");
        }
        return new WorkerLabels(labels, taints);
    }

    private UnitDemand unit(int index) {
        List<GroupDemand> groups = new ArrayList<>();
        int count = 1 + random.nextInt(2);
        for (int group = 0; group < count; group++) {
            int minimum = random.nextInt(4);
            groups.add(new GroupDemand(
                    "g" + group,
                    profile(),
                    minimum,
                    minimum + random.nextInt(5),
                    0,
                    constraints(),
                    Set.of(),
                    new TreeMap<>(),
                    random.nextInt(3)));
        }
        SortedMap<String, String> labels = new TreeMap<>();
        labels.put("team", "t" + random.nextInt(2));
        return new UnitDemand(
                new JobId("job-" + names++),
                "all",
                names,
                new SchedulingAttributes(
                        "default",
                        "q" + random.nextInt(3),
                        random.nextBoolean() ? "" : "user-" + random.nextInt(3),
                        random.nextInt(3),
                        random.nextInt(1_000),
                        random.nextInt(3),
                        labels),
                groups,
                random.nextInt(3) > 0,
                random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextInt(60_000)));
    }

    private ResourceProfile profile() {
        return switch (random.nextInt(6)) {
            case 0 -> ResourceProfile.UNKNOWN;
            case 1 -> ResourceProfile.of(2_000, 1_000);
            case 2 -> extended(500, 4_000, random.nextBoolean() ? "gpu" : "fpga", 1);
            default -> SLOT;
        };
    }

    private PlacementConstraints constraints() {
        SortedMap<String, String> tolerate = new TreeMap<>();
        return switch (random.nextInt(6)) {
            case 0 -> {
                tolerate.put("gpu", "");
                yield new PlacementConstraints(List.of(), List.of(), tolerate);
            }
            case 1 ->
                new PlacementConstraints(
                        List.of(new LabelRule("zone", Operator.IN, List.of("z0", "z1"))),
                        List.of(new Preference(new LabelRule("zone", Operator.EXISTS, List.of()), 3)),
                        tolerate);
            case 2 -> new PlacementConstraints(List.of(), List.of(), tolerate, Optional.of(new Spread("zone", 1)));
            default -> PlacementConstraints.NONE;
        };
    }

    private void end(Slot slot) {
        slots.remove(slot.id().number());
        slotsChanged.add(slot.id().number());
        count(slot, -1);
    }

    private void count(Slot slot, int sign) {
        WorkerColumn worker = workers.get(slot.worker());
        ResourceProfile amount = slot.profile();
        workers.put(
                slot.worker(),
                worker.withFree(
                        sign > 0 ? worker.free().minus(amount) : worker.free().plus(amount)));
        workersChanged.add(slot.worker());
        UnitDemand unit = units.get(slot.unit());
        List<GroupDemand> groups = new ArrayList<>(unit.groups());
        GroupDemand group = groups.get(slot.group());
        SortedMap<Integer, Integer> on = new TreeMap<>(group.slotsOn());
        if (group.constraints().spread().isPresent()) {
            on.merge(slot.worker(), sign, (before, more) -> before + more == 0 ? null : before + more);
        }
        groups.set(
                slot.group(),
                new GroupDemand(
                        group.group(),
                        group.profile(),
                        group.minimum(),
                        group.desired(),
                        group.allocated() + sign,
                        group.constraints(),
                        Set.of(worker.id()),
                        on,
                        group.returning()));
        units.put(
                slot.unit(),
                new UnitDemand(
                        unit.job(),
                        unit.unit(),
                        unit.submissionIndex(),
                        unit.attributes(),
                        groups,
                        unit.returnable(),
                        unit.lastRescaleMillis()));
        unitsChanged.add(slot.unit());
    }

    /** The changes since the last input. */
    public PlanningInput input(boolean listsSlots) {
        List<WorkerChange> workerChanges = workersChanged.stream()
                .map(index -> new WorkerChange(index, Optional.ofNullable(workers.get(index))))
                .toList();
        List<UnitChange> unitChanges = unitsChanged.stream()
                .map(index -> new UnitChange(index, Optional.ofNullable(units.get(index))))
                .toList();
        List<SpecColumn> specs = random.nextInt(4) == 0
                ? List.of()
                : List.of(new SpecColumn(
                        new Origin("test", "spec", 1.5), SIZE, SLOT, 1 + random.nextInt(2), labels(), 500));
        SlotChanges listed = SlotChanges.NONE;
        if (listsSlots) {
            listed = slotsListed
                    ? new SlotChanges(Listing.CHANGED, changes(slotsChanged))
                    : new SlotChanges(Listing.ALL, changes(slots.keySet()));
        }
        slotsListed = listsSlots;
        slotsChanged.clear();
        workersChanged.clear();
        unitsChanged.clear();
        return new PlanningInput(++state, workerChanges, unitChanges, specs, listed);
    }

    private List<SlotChange> changes(Set<Long> numbers) {
        return numbers.stream()
                .map(number -> new SlotChange(
                        new AllocationId(1, number),
                        Optional.ofNullable(slots.get(number)).map(this::column)))
                .toList();
    }

    private SlotColumn column(Slot slot) {
        UnitDemand unit = units.get(slot.unit());
        return new SlotColumn(
                unit.job(),
                unit.unit(),
                unit.groups().get(slot.group()).group(),
                slot.worker(),
                slot.profile(),
                slot.since());
    }

    /** Slots on workers that are there are granted; new workers do not come. */
    public void commit(PlanOutcome outcome, long millis) {
        if (!(outcome instanceof PlanOutcome.Planned planned)) {
            return;
        }
        for (Placement placement : planned.placements()) {
            if (placement.worker() >= planned.firstNew()) {
                continue;
            }
            for (int nth = 0; nth < placement.count(); nth++) {
                ResourceProfile profile = units.get(placement.unit())
                        .groups()
                        .get(placement.group())
                        .profile();
                AllocationId id = new AllocationId(1, ++allocations);
                Slot slot = new Slot(
                        id,
                        placement.unit(),
                        placement.group(),
                        placement.worker(),
                        profile.isUnknown() ? SLOT : profile,
                        millis);
                slots.put(id.number(), slot);
                slotsChanged.add(id.number());
                count(slot, 1);
            }
        }
        planned.returns().giveBacks().stream()
                .limit(1)
                .map(proposal -> slots.get(proposal.allocation().number()))
                .filter(slot -> slot != null)
                .forEach(this::end);
    }
}
