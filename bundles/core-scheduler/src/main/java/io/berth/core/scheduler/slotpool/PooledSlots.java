package io.berth.core.scheduler.slotpool;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
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

/**
 * The slots of a pool with their use, and the requirements of each group. Each change has a number, so that an answer
 * about an older state is recognized. Confined to the main thread of the job.
 */
final class PooledSlots {

    /**
     * A slot and its use.
     *
     * @param reserved whether an execution uses it
     * @param leaving whether it is returned when the execution ends; it counts for no group until then
     * @param freeSinceMillis since when it is free; without meaning while it is reserved
     */
    record Use(PoolSlot slot, boolean reserved, boolean leaving, long freeSinceMillis) {

        Use(PoolSlot slot, boolean reserved, long freeSinceMillis) {
            this(slot, reserved, false, freeSinceMillis);
        }

        Use serving(String group) {
            return new Use(slot.serving(group), reserved, leaving, freeSinceMillis);
        }

        Use reserve() {
            return new Use(slot, true, leaving, freeSinceMillis);
        }

        Use free(long nowMillis) {
            return new Use(slot, false, leaving, nowMillis);
        }

        Use leave() {
            return new Use(slot, reserved, true, freeSinceMillis);
        }
    }

    private final SortedMap<AllocationId, Use> slots = new TreeMap<>();
    /** Without workers that have none. */
    private final SortedMap<WorkerId, SortedSet<AllocationId>> onWorker = new TreeMap<>();

    private final SortedMap<String, Integer> counts = new TreeMap<>();
    private Map<String, GroupRequirement> requirements = new LinkedHashMap<>();
    /** Workers that leave: slots on them count for no group. */
    private SortedSet<WorkerId> left = Collections.emptySortedSet();

    private long number;

    /** Number of the last change. */
    long number() {
        return number;
    }

    /** Sets the requirements; absolute. */
    void require(List<GroupRequirement> groups) {
        Map<String, GroupRequirement> next = new LinkedHashMap<>();
        groups.forEach(group -> next.put(group.group(), group));
        if (!next.equals(requirements)) {
            requirements = next;
            number++;
        }
    }

    /** These workers leave, and no others. */
    void leave(SortedSet<WorkerId> workers) {
        if (!workers.equals(left)) {
            left = workers;
            number++;
            counts.clear();
            slots.values().stream().filter(this::stays).forEach(this::count);
        }
    }

    private void count(Use use) {
        counts.merge(use.slot().group(), 1, Integer::sum);
    }

    /** Whether the worker leaves. */
    boolean isLeft(WorkerId worker) {
        return left.contains(worker);
    }

    private boolean stays(Use use) {
        return !use.leaving() && (left.isEmpty() || !isLeft(use.slot().worker()));
    }

    /** Workers that leave and have slots that an execution uses. */
    SortedSet<WorkerId> moving() {
        SortedSet<WorkerId> workers = new TreeSet<>();
        if (!left.isEmpty()) {
            slots.values().stream()
                    .filter(use -> use.reserved() && isLeft(use.slot().worker()))
                    .forEach(use -> workers.add(use.slot().worker()));
        }
        return workers;
    }

    /** How many slots serve a group, with those that an execution uses on workers that leave. */
    int has(String group) {
        int moving = left.isEmpty()
                ? 0
                : (int) slots.values().stream()
                        .filter(use -> use.reserved()
                                && !use.leaving()
                                && isLeft(use.slot().worker())
                                && use.slot().group().equals(group))
                        .count();
        return count(group) + moving;
    }

    Collection<GroupRequirement> requirements() {
        return Collections.unmodifiableCollection(requirements.values());
    }

    Optional<GroupRequirement> requirement(String group) {
        return Optional.ofNullable(requirements.get(group));
    }

    Optional<Use> find(AllocationId allocation) {
        return Optional.ofNullable(slots.get(allocation));
    }

    /** A copy, in the order of allocations. */
    List<Use> all() {
        return List.copyOf(slots.values());
    }

    /** Those that do not leave, by themselves or with their workers, in the order of allocations. */
    List<Use> staying() {
        return slots.values().stream().filter(this::stays).toList();
    }

    int size() {
        return slots.size();
    }

    boolean isKnown(WorkerId worker) {
        return onWorker.containsKey(worker);
    }

    /** The slots on a worker, in the order of allocations. A copy. */
    List<AllocationId> on(WorkerId worker) {
        return List.copyOf(onWorker.getOrDefault(worker, Collections.emptySortedSet()));
    }

    /** Whether slots serve no group, or are beyond those desired. */
    boolean hasExcess() {
        return counts.keySet().stream().anyMatch(group -> excess(group) > 0);
    }

    /** Adds or replaces a slot. */
    void put(Use use) {
        remove(use.slot().allocation());
        slots.put(use.slot().allocation(), use);
        onWorker.computeIfAbsent(use.slot().worker(), worker -> new TreeSet<>())
                .add(use.slot().allocation());
        if (stays(use)) {
            count(use);
        }
        number++;
    }

    /** @return how it was used; empty when there was no such slot */
    Optional<Use> remove(AllocationId allocation) {
        Optional<Use> removed = Optional.ofNullable(slots.remove(allocation));
        removed.ifPresent(use -> {
            onWorker.computeIfPresent(use.slot().worker(), (worker, held) -> {
                held.remove(allocation);
                return held.isEmpty() ? null : held;
            });
            if (stays(use)) {
                counts.merge(use.slot().group(), -1, (count, one) -> count + one == 0 ? null : count + one);
            }
            number++;
        });
        return removed;
    }

    void clear() {
        slots.clear();
        onWorker.clear();
        counts.clear();
        number++;
    }

    /** How many slots serve a group and stay. */
    int count(String group) {
        return counts.getOrDefault(group, 0);
    }

    /** How many slots serve each group and stay. */
    SortedMap<String, Integer> counts() {
        return Collections.unmodifiableSortedMap(counts);
    }

    /** The minimum of each group. */
    SortedMap<String, Integer> minima() {
        SortedMap<String, Integer> minima = new TreeMap<>();
        requirements.values().forEach(group -> minima.put(group.group(), group.minimum()));
        return minima;
    }

    boolean isOpen(GroupRequirement requirement) {
        return count(requirement.group()) < requirement.desired();
    }

    /** Whether all desired slots are present. */
    boolean isFulfilled() {
        return requirements.values().stream().noneMatch(this::isOpen);
    }

    /** Whether the minimum of each group is present. */
    boolean isMinimumFulfilled() {
        return requirements.values().stream().allMatch(group -> count(group.group()) >= group.minimum());
    }

    /** How many slots all groups desire. */
    int desired() {
        return requirements.values().stream()
                .mapToInt(GroupRequirement::desired)
                .sum();
    }

    /** Slots of a group beyond those desired; negative when it lacks some. */
    int excess(String group) {
        GroupRequirement requirement = requirements.get(group);
        return count(group) - (requirement == null ? 0 : requirement.desired());
    }

    /** Slots of a group beyond its minimum; negative when it lacks some. */
    int aboveMinimum(String group) {
        GroupRequirement requirement = requirements.get(group);
        return count(group) - (requirement == null ? 0 : requirement.minimum());
    }

    /**
     * The requirements for the ResourceManager, which counts each slot for the group that it was made for (FLIP-138,
     * "reserve for another profile"): a slot that serves another group is required once more there and once less where
     * it serves.
     */
    List<GroupRequirement> declared() {
        SortedMap<String, Integer> shifts = new TreeMap<>();
        for (Use use : slots.values()) {
            PoolSlot slot = use.slot();
            if (!isLeft(slot.worker())
                    && !slot.group().equals(slot.madeFor())
                    && requirements.containsKey(slot.group())
                    && requirements.containsKey(slot.madeFor())) {
                shifts.merge(slot.madeFor(), 1, Integer::sum);
                shifts.merge(slot.group(), -1, Integer::sum);
            }
        }
        List<GroupRequirement> declared = new ArrayList<>();
        for (GroupRequirement group : requirements.values()) {
            int shift = shifts.getOrDefault(group.group(), 0);
            int desired = Math.max(0, group.desired() + shift);
            if (desired > 0) {
                declared.add(new GroupRequirement(
                        group.group(),
                        group.profile(),
                        Math.max(0, Math.min(desired, group.minimum() + shift)),
                        desired,
                        group.constraints()));
            }
        }
        return declared;
    }
}
