package io.berth.core.scheduler;

import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.time.Clock;
import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The slots of one job (FLIP-138, DeclarativeSlotPool). Each slot serves one group: the one it was allocated for while
 * that group is short of slots, else what the matching strategy of the pool says. A slot that nothing needs is refused,
 * or given back after it has been idle for a while. For the main thread of the job.
 */
final class SlotPool {

    private static final Logger LOG = LoggerFactory.getLogger(SlotPool.class);

    /** Told what happened, on the main thread, when the pool shows it already. */
    interface Listener {

        void slotsAdded();

        /** Slots are gone without the job's doing. */
        void slotsLost(List<PoolSlot> slots, String cause);
    }

    private final JobIdentity job;
    private final JobThread thread;
    private final Clock clock;
    private final PolicyHost policies;
    private final MatchingRule rule;
    private final long idleTimeoutMillis;
    private final SortedMap<AllocationId, Entry> slots = new TreeMap<>();
    private SortedMap<String, GroupRequirement> requirements = new TreeMap<>();
    private long stateNumber;
    private boolean closed;

    private static final class Entry {
        private PoolSlot slot;
        private boolean reserved;
        private long idleSinceMillis;
    }

    SlotPool(
            JobIdentity job,
            JobThread thread,
            Clock clock,
            PolicyHost policies,
            SchedulerConfiguration configuration) {
        this.job = job;
        this.thread = thread;
        this.clock = clock;
        this.policies = policies;
        this.rule = configuration.matchingRule();
        this.idleTimeoutMillis = configuration.slotIdleTimeoutMillis();
    }

    /** What is required from now on; absolute. */
    void require(List<GroupRequirement> groups) {
        SortedMap<String, GroupRequirement> next = new TreeMap<>();
        groups.forEach(group -> next.put(group.group(), group));
        requirements = next;
        stateNumber++;
    }

    /**
     * Slots on offer by a worker that is registered.
     *
     * @param stillThere whether the registration that made the offer is still the current one
     * @return the allocations that are taken; known ones are taken again
     */
    CompletionStage<List<AllocationId>> offer(
            WorkerId worker, List<SlotOffer> offers, Predicate<WorkerId> stillThere, Listener listener) {
        List<AllocationId> accepted = new ArrayList<>();
        List<SlotOffer> unmatched = new ArrayList<>();
        int added = 0;
        for (SlotOffer offer : offers) {
            Entry known = slots.get(offer.allocation());
            if (known != null) {
                if (known.slot.worker().equals(worker)) {
                    accepted.add(offer.allocation());
                }
            } else if (fitsWhatItWasMadeFor(offer)) {
                add(worker, offer, offer.group());
                accepted.add(offer.allocation());
                added++;
            } else {
                unmatched.add(offer);
            }
        }
        if (added > 0) {
            listener.slotsAdded();
        }
        if (unmatched.isEmpty() || closed || !isAnyGroupOpen()) {
            return CompletableFuture.completedFuture(accepted);
        }
        return rematch(worker, unmatched, stillThere, listener).thenApply(more -> {
            List<AllocationId> all = new ArrayList<>(accepted);
            all.addAll(more);
            return all;
        });
    }

    private boolean fitsWhatItWasMadeFor(SlotOffer offer) {
        GroupRequirement requirement = requirements.get(offer.group());
        return !closed
                && requirement != null
                && offer.unit().equals(Requirements.UNIT)
                && isOpen(requirement)
                && (requirement.profile().isUnknown() || fits(requirement.profile(), offer.profile()));
    }

    private boolean fits(ResourceProfile required, ResourceProfile profile) {
        return rule == MatchingRule.EXACT ? profile.equals(required) : profile.covers(required);
    }

    private boolean isOpen(GroupRequirement requirement) {
        return count(requirement.group()) < requirement.desired();
    }

    private boolean isAnyGroupOpen() {
        return requirements.values().stream().anyMatch(this::isOpen);
    }

    private void add(WorkerId worker, SlotOffer offer, String group) {
        GroupRequirement madeFor = requirements.get(offer.group());
        boolean defaultSlot = madeFor != null && madeFor.profile().isUnknown();
        Entry entry = new Entry();
        entry.slot = new PoolSlot(offer.allocation(), worker, group, offer.profile(), defaultSlot, offer.decision());
        entry.idleSinceMillis = clock.millis();
        slots.put(offer.allocation(), entry);
        stateNumber++;
    }

    /** Asks the matching strategy about all slots that run nothing, together with those on offer. */
    private CompletionStage<List<AllocationId>> rematch(
            WorkerId worker, List<SlotOffer> offers, Predicate<WorkerId> stillThere, Listener listener) {
        List<GroupRequirement> groups = List.copyOf(requirements.values());
        List<AssignmentQuery.Slot> candidates = new ArrayList<>();
        List<AllocationId> order = new ArrayList<>();
        int[] reserved = new int[groups.size()];
        for (Entry entry : slots.values()) {
            int group = indexOf(groups, entry.slot.group());
            if (entry.reserved) {
                if (group >= 0) {
                    reserved[group]++;
                }
                continue;
            }
            order.add(entry.slot.allocation());
            candidates.add(new AssignmentQuery.Slot(
                    entry.slot.allocation(),
                    entry.slot.worker(),
                    entry.slot.profile(),
                    group,
                    entry.slot.defaultSlot()));
        }
        for (SlotOffer offer : offers) {
            int group = indexOf(groups, offer.group());
            boolean defaultSlot = group >= 0 && groups.get(group).profile().isUnknown();
            order.add(offer.allocation());
            candidates.add(
                    new AssignmentQuery.Slot(offer.allocation(), worker, offer.profile(), group, defaultSlot));
        }
        List<AssignmentQuery.Requirement> wanted = new ArrayList<>();
        for (int index = 0; index < groups.size(); index++) {
            GroupRequirement group = groups.get(index);
            wanted.add(new AssignmentQuery.Requirement(
                    Requirements.UNIT,
                    group.group(),
                    group.profile(),
                    Math.max(0, group.desired() - reserved[index])));
        }
        CompletableFuture<List<AllocationId>> taken = new CompletableFuture<>();
        thread.whenComplete(
                policies.assign(new AssignmentQuery(
                        job.id(), job.graph().pool(), rule, stateNumber, candidates, wanted)),
                (outcome, failure) -> {
                    if (outcome instanceof AssignmentOutcome.Assigned assigned && stillThere.test(worker)) {
                        taken.complete(
                                take(worker, offers, groups, order, assigned.requirementOfSlot(), listener));
                    } else {
                        taken.complete(List.of());
                    }
                });
        return taken;
    }

    /** Applies an assignment as far as it still holds: the pool may have changed since it was asked for. */
    private List<AllocationId> take(
            WorkerId worker,
            List<SlotOffer> offers,
            List<GroupRequirement> groups,
            List<AllocationId> order,
            List<Integer> requirementOfSlot,
            Listener listener) {
        Map<AllocationId, String> served = new LinkedHashMap<>();
        for (int index = 0; index < order.size(); index++) {
            int requirement = requirementOfSlot.get(index);
            if (requirement >= 0) {
                served.put(order.get(index), groups.get(requirement).group());
            }
        }
        slots.values().stream()
                .filter(entry -> !entry.reserved && served.containsKey(entry.slot.allocation()))
                .forEach(entry -> entry.slot = entry.slot.serving(served.get(entry.slot.allocation())));
        List<AllocationId> taken = new ArrayList<>();
        for (SlotOffer offer : offers) {
            String group = served.get(offer.allocation());
            GroupRequirement requirement = group == null ? null : requirements.get(group);
            if (slots.containsKey(offer.allocation())) {
                taken.add(offer.allocation());
            } else if (!closed && requirement != null && isOpen(requirement)) {
                add(worker, offer, group);
                taken.add(offer.allocation());
            }
        }
        if (!taken.isEmpty()) {
            listener.slotsAdded();
        }
        return taken;
    }

    private static int indexOf(List<GroupRequirement> groups, String name) {
        for (int index = 0; index < groups.size(); index++) {
            if (groups.get(index).group().equals(name)) {
                return index;
            }
        }
        return -1;
    }

    /** How many slots serve a group. */
    int count(String group) {
        return (int) slots.values().stream()
                .filter(entry -> entry.slot.group().equals(group))
                .count();
    }

    /** Whether all that is desired is there. */
    boolean isFulfilled() {
        return requirements.values().stream().noneMatch(this::isOpen);
    }

    /** Whether the minimum of each group is there. */
    boolean isMinimumFulfilled() {
        return requirements.values().stream().allMatch(group -> count(group.group()) >= group.minimum());
    }

    /**
     * Reserves slots for an execution, all or none.
     *
     * @param counts slots of each group
     * @return for each group its slots in the order of subtasks, taking the workers in turn; empty when one is short
     */
    Optional<SortedMap<String, List<PoolSlot>>> reserve(SortedMap<String, Integer> counts) {
        SortedMap<String, List<PoolSlot>> reserved = new TreeMap<>();
        counts.forEach((group, count) -> {
            List<PoolSlot> spread = spread(group);
            if (spread.size() >= count) {
                reserved.put(group, List.copyOf(spread.subList(0, count)));
            }
        });
        if (reserved.size() < counts.size()) {
            return Optional.empty();
        }
        reserved.values().forEach(group -> group.forEach(slot -> slots.get(slot.allocation()).reserved = true));
        return Optional.of(reserved);
    }

    private List<PoolSlot> spread(String group) {
        SortedMap<WorkerId, Integer> seen = new TreeMap<>();
        record Turn(int turn, PoolSlot slot) {}
        return slots.values().stream()
                .filter(entry -> !entry.reserved && entry.slot.group().equals(group))
                .map(entry -> new Turn(seen.merge(entry.slot.worker(), 1, Integer::sum), entry.slot))
                .sorted(Comparator.comparingInt(Turn::turn)
                        .thenComparing(turn -> turn.slot().worker()))
                .map(Turn::slot)
                .toList();
    }

    /** Whether there are slots that no execution uses. */
    boolean hasUnused() {
        return slots.values().stream().anyMatch(entry -> !entry.reserved);
    }

    /** No execution uses a slot any more. */
    void releaseAll() {
        for (Entry entry : slots.values()) {
            if (entry.reserved) {
                entry.reserved = false;
                entry.idleSinceMillis = clock.millis();
            }
        }
    }

    /** The slots of a worker are gone. */
    void workerLost(WorkerId worker, String cause, Listener listener) {
        lose(slot -> slot.worker().equals(worker), cause, listener);
    }

    /** One slot of a worker is gone. */
    void slotFailed(WorkerId worker, AllocationId allocation, String cause, Listener listener) {
        lose(slot -> slot.worker().equals(worker) && slot.allocation().equals(allocation), cause, listener);
    }

    private void lose(Predicate<PoolSlot> gone, String cause, Listener listener) {
        List<PoolSlot> lost =
                slots.values().stream().map(entry -> entry.slot).filter(gone).toList();
        if (lost.isEmpty()) {
            return;
        }
        lost.forEach(slot -> slots.remove(slot.allocation()));
        stateNumber++;
        LOG.info("job {}: lost {} slots, {} left: {}", job.id(), lost.size(), slots.size(), cause);
        listener.slotsLost(lost, cause);
    }

    /** Takes slots out of the pool, for the job to give them back. */
    List<PoolSlot> remove(Collection<AllocationId> allocations) {
        List<PoolSlot> removed = new ArrayList<>();
        for (AllocationId allocation : allocations) {
            Entry entry = slots.remove(allocation);
            if (entry != null) {
                removed.add(entry.slot);
                stateNumber++;
            }
        }
        return removed;
    }

    /** Takes out of the pool what has been idle too long and is not required any more: never more than the excess. */
    List<PoolSlot> removeIdle() {
        return remove(excess(clock.millis() - idleTimeoutMillis));
    }

    /** Of the slots that are wanted back, those that the job does not require, out of the pool. */
    List<PoolSlot> removeExcessOf(List<AllocationId> wanted) {
        List<AllocationId> excess = new ArrayList<>(excess(Long.MAX_VALUE));
        excess.retainAll(wanted);
        return remove(excess);
    }

    private List<AllocationId> excess(long idleSinceAtMost) {
        SortedMap<String, Integer> left = new TreeMap<>();
        for (Entry entry : slots.values()) {
            left.computeIfAbsent(entry.slot.group(), group -> {
                GroupRequirement requirement = requirements.get(group);
                return count(group) - (requirement == null ? 0 : requirement.desired());
            });
        }
        List<AllocationId> excess = new ArrayList<>();
        for (Entry entry : slots.values()) {
            String group = entry.slot.group();
            if (!entry.reserved && entry.idleSinceMillis <= idleSinceAtMost && left.get(group) > 0) {
                left.merge(group, -1, Integer::sum);
                excess.add(entry.slot.allocation());
            }
        }
        return excess;
    }

    /** The allocations that the job believes to have on a worker. */
    List<AllocationId> allocatedOn(WorkerId worker) {
        return slots.values().stream()
                .map(entry -> entry.slot)
                .filter(slot -> slot.worker().equals(worker))
                .map(PoolSlot::allocation)
                .toList();
    }

    List<PoolSlot> slots() {
        return slots.values().stream().map(entry -> entry.slot).toList();
    }

    /** Takes nothing any more and forgets all. */
    void close() {
        closed = true;
        slots.clear();
    }
}
