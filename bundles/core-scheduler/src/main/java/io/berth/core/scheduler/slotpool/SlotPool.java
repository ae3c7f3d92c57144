package io.berth.core.scheduler.slotpool;

import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import io.berth.core.scheduler.job.SchedulerConfiguration.SlotReuse;
import io.berth.core.scheduler.slotpool.PooledSlots.Use;
import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The slots of one job (FLIP-138, DeclarativeSlotPool). Each slot serves one group: the one it was allocated for while
 * that group is short of slots, otherwise the one that the matching strategy selects. A slot that nothing needs is
 * refused, or returned after an idle time. Confined to the main thread of the job.
 */
public final class SlotPool {

    private static final Logger LOG = LoggerFactory.getLogger(SlotPool.class);

    /** Called on the main thread after the pool has changed. */
    public interface Listener {

        /** Slots are new, or serve other groups. */
        void slotsAdded();

        /** Slots are lost, perhaps with their worker. */
        void slotsLost(List<PoolSlot> slots, boolean withWorker, String cause);

        /** Whether a matching that fulfills all requirements may take slots from the running execution. */
        boolean mayCancelReservations();

        /** Such a matching was found: these slots, as they were used, serve other groups now. */
        void reservationsCanceled(List<PoolSlot> taken);
    }

    private final JobIdentity job;
    private final Clock clock;
    private final SlotReuse reuse;
    private final PooledSlots slots = new PooledSlots();
    /** Slots that were given back and whose workers have not answered yet. */
    private final SortedSet<AllocationId> returning = new TreeSet<>();

    private final SharedSlots shared;
    private final IdleSlots idle;
    private final Rematching rematching;
    private final SortedSet<WorkerId> blocked = new TreeSet<>();

    @SuppressWarnings("NullAway.Init")
    private Listener listener;

    /** Until the ResourceManager has named one. */
    private MatchingRule rule = MatchingRule.EXACT;

    private boolean closed;

    public SlotPool(
            JobIdentity job,
            MainThread thread,
            Clock clock,
            PolicyHost policies,
            SchedulerConfiguration configuration) {
        this.job = job;
        this.clock = clock;
        this.reuse = configuration.slotReuse();
        this.shared = new SharedSlots(job.graph());
        this.idle = new IdleSlots(slots, configuration.slotIdleTimeoutMillis());
        this.rematching = new Rematching(job, thread, policies, () -> rule, slots, new Matched());
    }

    /** Must be called before anything is offered. */
    public void listen(Listener owner) {
        listener = owner;
    }

    private final class Matched implements Rematching.Context {

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public boolean mayCancelReservations() {
            return listener.mayCancelReservations();
        }

        @Override
        public void add(WorkerId worker, SlotOffer offer, String group) {
            SlotPool.this.add(worker, offer, group);
        }

        @Override
        public void rematched(List<PoolSlot> taken) {
            if (taken.isEmpty()) {
                listener.slotsAdded();
            } else {
                LOG.info("job {}: a better matching takes {} slots from the execution", job.id(), taken.size());
                listener.reservationsCanceled(taken);
            }
        }
    }

    /** Sets the matching rule: slots that serve no group may serve one under the new rule. */
    public void follow(MatchingRule next) {
        if (next != rule) {
            LOG.info("job {}: slots are matched by the rule {}", job.id(), next);
            rule = next;
            rematching.ruleChanged();
            rematchWhenUseful();
        }
    }

    /** Sets the requirements; absolute. */
    public void require(List<GroupRequirement> groups) {
        slots.require(groups);
        rematchWhenUseful();
    }

    /** The requirements to declare; see {@link PooledSlots#declared}. */
    public List<GroupRequirement> declared() {
        return slots.declared();
    }

    /**
     * Whether the job recovers: then all offered slots are taken, and none is idle. A job recovers while it restarts,
     * and while a new JobMaster has not decided its requirements for the slots that workers kept.
     */
    public void recovering(boolean now) {
        if (now) {
            idle.recoveryBegins(clock.millis());
        } else {
            idle.recoveryEnds(clock.millis());
        }
    }

    /**
     * Slots that a registered worker offers.
     *
     * @param stillThere whether the registration that made the offer is still the current one
     * @return the allocations that are taken; known ones are taken again, and those that the job is {@link #returning} are not
     */
    public CompletionStage<List<AllocationId>> offer(
            WorkerId worker, List<SlotOffer> offers, Predicate<WorkerId> stillThere) {
        List<AllocationId> accepted = new ArrayList<>();
        List<SlotOffer> unmatched = new ArrayList<>();
        int added = 0;
        for (SlotOffer offer : offers) {
            Optional<Use> known = slots.find(offer.allocation());
            if (known.isPresent()) {
                if (known.get().slot().worker().equals(worker)) {
                    accepted.add(offer.allocation());
                }
            } else if (!closed
                    && !blocked.contains(worker)
                    && !slots.isLeft(worker)
                    && !returning.contains(offer.allocation())) {
                boolean fits = fitsWhatItWasMadeFor(offer);
                if (fits || idle.isRecovering()) {
                    add(worker, offer, fits ? offer.group() : PoolSlot.NO_GROUP);
                    accepted.add(offer.allocation());
                    added++;
                } else {
                    unmatched.add(offer);
                }
            }
        }
        if (added > 0) {
            listener.slotsAdded();
            rematchWhenUseful();
        }
        if (unmatched.isEmpty() || closed || slots.isFulfilled()) {
            return CompletableFuture.completedFuture(accepted);
        }
        return rematching.offered(worker, accepted, unmatched, stillThere);
    }

    /** A copy of an earlier offer: takes nothing new, because the worker may have freed the rest. */
    public CompletionStage<List<AllocationId>> offeredBefore(WorkerId worker, List<SlotOffer> offers) {
        return rematching
                .answerTo(worker)
                .orElseGet(() -> CompletableFuture.completedFuture(offers.stream()
                        .map(SlotOffer::allocation)
                        .filter(allocation -> slots.find(allocation)
                                .filter(use -> use.slot().worker().equals(worker))
                                .isPresent())
                        .toList()));
    }

    private boolean fitsWhatItWasMadeFor(SlotOffer offer) {
        return offer.unit().equals(job.unit().name())
                && slots.requirement(offer.group())
                        .filter(slots::isOpen)
                        .filter(requirement ->
                                requirement.profile().isUnknown() || fits(requirement.profile(), offer.profile()))
                        .isPresent();
    }

    private boolean fits(ResourceProfile required, ResourceProfile profile) {
        return rule == MatchingRule.EXACT ? profile.equals(required) : profile.covers(required);
    }

    private void add(WorkerId worker, SlotOffer offer, String group) {
        boolean defaultSlot = slots.requirement(offer.group())
                .filter(madeFor -> madeFor.profile().isUnknown())
                .isPresent();
        PoolSlot slot = new PoolSlot(
                offer.allocation(), worker, group, offer.group(), offer.profile(), defaultSlot, offer.decision());
        slots.put(new Use(slot, false, clock.millis()));
    }

    /** A group lacks slots while other slots serve none or are in excess. */
    private void rematchWhenUseful() {
        if (!closed && !slots.isFulfilled() && slots.hasExcess()) {
            rematching.want();
        }
    }

    /** The number of slots that serve a group. */
    public int count(String group) {
        return slots.count(group);
    }

    /** Whether all desired slots are present. */
    public boolean isFulfilled() {
        return slots.isFulfilled();
    }

    /** Whether the minimum of each group is present, when groups that are alike share their slots. */
    public boolean isMinimumFulfilled() {
        return shared.suffice(slots.counts(), slots.minima());
    }

    /**
     * Reserves slots for an execution, all or none. Some may serve another group from now on, which changes what is
     * declared.
     *
     * @param counts slots of each group
     * @param before for each group the slots of the previous execution, in the order of subtasks, which get them again
     * @return for each group its slots in the order of subtasks; empty when one is short
     */
    public Optional<SortedMap<String, List<PoolSlot>>> reserve(
            SortedMap<String, Integer> counts, SortedMap<String, List<AllocationId>> before) {
        List<Use> free = slots.staying().stream().filter(use -> !use.reserved()).toList();
        Optional<SortedMap<String, List<PoolSlot>>> chosen = new SlotChoice(free, before, shared).of(counts);
        chosen.ifPresent(groups -> groups.forEach((group, taken) -> taken.forEach(slot -> slots.put(
                slots.find(slot.allocation()).orElseThrow().serving(group).reserve()))));
        return chosen;
    }

    /** What {@link #reserve} would choose now if no execution used any slot. */
    public SlotChoice choice(SortedMap<String, List<AllocationId>> before) {
        return new SlotChoice(slots.staying(), before, shared);
    }

    /** Whether there are slots that no execution uses. */
    public boolean hasUnused() {
        return slots.all().stream().anyMatch(use -> !use.reserved());
    }

    /**
     * Ends all reservations.
     *
     * @return slots that left the pool and must be returned: those that were leaving, those on blocked and leaving workers, and
     *     when
     *     slots are not reused, those that do not match the requirements exactly
     */
    public List<PoolSlot> releaseAll() {
        List<AllocationId> leaving = new ArrayList<>();
        List<AllocationId> released = new ArrayList<>();
        for (Use use : slots.all()) {
            if (use.leaving() || slots.isLeft(use.slot().worker())) {
                leaving.add(use.slot().allocation());
            } else if (use.reserved()) {
                slots.put(use.free(clock.millis()));
                released.add(use.slot().allocation());
            }
        }
        SortedMap<String, Integer> kept = new TreeMap<>();
        for (AllocationId allocation : released) {
            PoolSlot slot = slots.find(allocation).orElseThrow().slot();
            if (blocked.contains(slot.worker()) || reuse == SlotReuse.RETURN && !isProper(slot, kept)) {
                leaving.add(allocation);
            }
        }
        List<PoolSlot> back = remove(leaving);
        if (back.isEmpty()) {
            rematchWhenUseful();
        }
        return back;
    }

    /** Whether the slot has the required size and its group is not in excess. */
    private boolean isProper(PoolSlot slot, SortedMap<String, Integer> kept) {
        return slots.requirement(slot.group())
                .filter(group -> group.profile().isUnknown()
                        ? slot.defaultSlot()
                        : slot.profile().equals(group.profile()))
                .filter(group -> kept.merge(group.group(), 1, Integer::sum) <= group.desired())
                .isPresent();
    }

    /**
     * Blocks these workers and unblocks all others. Waiting offers of blocked workers are refused.
     *
     * @return the free slots on them, which left the pool
     */
    public List<PoolSlot> block(Collection<WorkerId> workers) {
        blocked.clear();
        blocked.addAll(workers);
        List<PoolSlot> free = remove(slots.all().stream()
                .filter(use -> !use.reserved() && blocked.contains(use.slot().worker()))
                .map(use -> use.slot().allocation())
                .toList());
        rematching.refuse(blocked);
        return free;
    }

    /**
     * These workers leave, and no others: slots on them count for no group, and are returned when the execution ends.
     * Waiting offers of them are refused.
     *
     * @return the free slots on them, which left the pool
     */
    public List<PoolSlot> leave(SortedSet<WorkerId> workers) {
        slots.leave(workers);
        List<PoolSlot> free = remove(slots.all().stream()
                .filter(use -> !use.reserved() && slots.isLeft(use.slot().worker()))
                .map(use -> use.slot().allocation())
                .toList());
        rematching.refuse(workers);
        rematchWhenUseful();
        return free;
    }

    /** Workers that leave and have slots that the execution uses. */
    public SortedSet<WorkerId> moving() {
        return slots.moving();
    }

    /**
     * Whether there are enough slots on workers that stay.
     *
     * @param used slots of each group that the execution uses
     */
    public boolean isReplaced(SortedMap<String, List<AllocationId>> used) {
        return slots.isMinimumFulfilled()
                && used.entrySet().stream().allMatch(group -> {
                    int desired = slots.requirement(group.getKey())
                            .map(GroupRequirement::desired)
                            .orElse(0);
                    return slots.count(group.getKey())
                            >= Math.min(desired, group.getValue().size());
                });
    }

    /** How many slots serve a group, with those that the execution uses on workers that leave. */
    public int has(String group) {
        return slots.has(group);
    }

    /** All slots of a worker are lost. */
    public void workerLost(WorkerId worker, String cause) {
        lose(slots.on(worker), true, cause);
    }

    /**
     * One slot of a worker is lost.
     *
     * @return whether the job had it
     */
    public boolean slotFailed(WorkerId worker, AllocationId allocation, String cause) {
        return lose(
                slots.find(allocation)
                        .filter(use -> use.slot().worker().equals(worker))
                        .map(use -> List.of(allocation))
                        .orElse(List.of()),
                false,
                cause);
    }

    private boolean lose(List<AllocationId> gone, boolean withWorker, String cause) {
        List<PoolSlot> lost = gone.stream()
                .flatMap(allocation -> slots.remove(allocation).stream())
                .map(Use::slot)
                .toList();
        if (lost.isEmpty()) {
            return false;
        }
        LOG.info("job {}: lost {} slots, {} left: {}", job.id(), lost.size(), slots.size(), cause);
        listener.slotsLost(lost, withWorker, cause);
        rematchWhenUseful();
        return true;
    }

    /** Removes slots that the job returns. */
    public List<PoolSlot> remove(Collection<AllocationId> allocations) {
        List<PoolSlot> removed = new ArrayList<>();
        allocations.forEach(
                allocation -> slots.remove(allocation).map(Use::slot).ifPresent(removed::add));
        if (!removed.isEmpty()) {
            rematchWhenUseful();
        }
        return removed;
    }

    /** Removes all slots. */
    public List<PoolSlot> removeAll() {
        return remove(slots.all().stream().map(use -> use.slot().allocation()).toList());
    }

    /** These slots left the pool and are given back: an offer of them was sent before the worker knew. */
    public void returning(List<PoolSlot> removed) {
        removed.forEach(slot -> returning.add(slot.allocation()));
        rematching.returning(returning);
    }

    /** The worker of these slots has answered, or could not be told: an offer of them is a new one. */
    public void returned(List<AllocationId> allocations) {
        returning.removeAll(allocations);
    }

    /** Removes slots that are no longer required and were idle for too long, at most the excess. */
    public List<PoolSlot> removeIdle() {
        return isBeingRematched() ? List.of() : remove(idle.due(clock.millis()));
    }

    /**
     * Removes those of the wanted slots that the job can return: slots in excess, and below its minimum all free
     * slots, because it cannot run with them. While it moves from workers that leave, it can return none.
     */
    public List<PoolSlot> removeReturnable(List<AllocationId> wanted) {
        Predicate<Use> isWanted = use -> wanted.contains(use.slot().allocation());
        if (isBeingRematched() || !slots.moving().isEmpty()) {
            return List.of();
        }
        return remove(
                slots.isMinimumFulfilled()
                        ? idle.excess(isWanted)
                        : slots.all().stream()
                                .filter(use -> !use.reserved() && isWanted.test(use))
                                .map(use -> use.slot().allocation())
                                .toList());
    }

    /**
     * Gives up wanted slots that the job requires, as long as each group keeps its minimum; none while it moves from
     * workers that leave.
     *
     * @param usedToo whether slots of the execution may be given up: they leave when it ends
     */
    public GivenUp giveUp(List<AllocationId> wanted, boolean usedToo) {
        List<AllocationId> free = new ArrayList<>();
        List<AllocationId> leaving = new ArrayList<>();
        if (!isBeingRematched() && slots.moving().isEmpty() && slots.isMinimumFulfilled()) {
            SortedMap<String, Integer> left = new TreeMap<>();
            for (AllocationId allocation : wanted) {
                Optional<Use> use = slots.find(allocation);
                if (use.isEmpty() || use.get().reserved() && !usedToo) {
                    continue;
                }
                if (use.get().leaving()) {
                    // Asked again: it is promised, and the job may not have restarted yet.
                    leaving.add(allocation);
                    continue;
                }
                String group = use.get().slot().group();
                if (left.computeIfAbsent(group, slots::aboveMinimum) > 0) {
                    left.merge(group, -1, Integer::sum);
                    (use.get().reserved() ? leaving : free).add(allocation);
                }
            }
        }
        leaving.forEach(
                allocation -> slots.put(slots.find(allocation).orElseThrow().leave()));
        return new GivenUp(remove(free), leaving);
    }

    /**
     * Slots that the job gives up.
     *
     * @param removed left the pool
     * @param leaving are still used, and leave when the execution ends
     */
    public record GivenUp(List<PoolSlot> removed, List<AllocationId> leaving) {}

    /** Whether a group lacks slots that the strategy may find among those in excess. */
    private boolean isBeingRematched() {
        return !slots.isFulfilled() && rematching.isRunning();
    }

    /** The allocations that the job expects on a worker. */
    public List<AllocationId> allocatedOn(WorkerId worker) {
        return slots.on(worker);
    }

    /** Whether the execution still has the slot, and may keep it for a part of it that is restarted. */
    public boolean stays(AllocationId allocation) {
        return slots.find(allocation)
                .filter(use -> use.reserved()
                        && !use.leaving()
                        && !blocked.contains(use.slot().worker())
                        && !slots.isLeft(use.slot().worker()))
                .isPresent();
    }

    /** Whether the job has a slot of the worker, or an offer of one. */
    public boolean isKnown(WorkerId worker) {
        return slots.isKnown(worker) || rematching.isOffering(worker);
    }

    public List<PoolSlot> slots() {
        return slots.all().stream().map(Use::slot).toList();
    }

    /** Accepts nothing from now on and forgets all slots. */
    public void close() {
        closed = true;
        slots.clear();
    }
}
