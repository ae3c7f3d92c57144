package io.berth.core.resources.planning;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.core.resources.backends.WorkerDemand;
import io.berth.core.resources.explanation.SlotNeed;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.FreeRoom;
import io.berth.core.resources.state.JobEntry;
import io.berth.core.resources.state.PoolJobs;
import io.berth.core.resources.state.SlotEntry;
import io.berth.core.resources.state.UnitEntry;
import io.berth.core.resources.state.UnitGroup;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends deadlocks between jobs of a pool that lost slots: each holds a part of its minimum and waits for what the others hold. The
 * oldest submission that can run with their slots receives them. The others, the youngest first, are asked to return
 * theirs until its minimum fits. A job decides itself: one that runs returns nothing. Slots that are not returned are
 * asked for again. Confined to the main thread.
 */
final class DeadlockDetection {

    private static final Logger LOG = LoggerFactory.getLogger(DeadlockDetection.class);
    /** Workers of one spec that could be started are considered up to this number. */
    private static final int MAX_STARTED = 1_000;

    private final ResourceManagerId id;
    private final MainThread mainThread;
    private final Supplier<ResourceSettings> settings;
    private final WorkerRegistry workers;
    private final PoolJobs jobs;
    private final WorkerDemand backends;
    private final Runnable resolveAgain;
    private Optional<Timers.Cancellable> scheduled = Optional.empty();

    DeadlockDetection(
            ResourceManagerId id,
            MainThread mainThread,
            Supplier<ResourceSettings> settings,
            WorkerRegistry workers,
            PoolJobs jobs,
            WorkerDemand backends,
            Runnable resolveAgain) {
        this.id = id;
        this.mainThread = mainThread;
        this.settings = settings;
        this.workers = workers;
        this.jobs = jobs;
        this.backends = backends;
        this.resolveAgain = resolveAgain;
    }

    /** Free resources of a worker, or of one that may be started. */
    private record Piece(ResourceProfile free, ResourceProfile defaultSlot, WorkerLabels labels) {

        private Piece plus(ResourceProfile slot) {
            return new Piece(free.plus(slot), defaultSlot, labels);
        }

        private Piece minus(ResourceProfile slots) {
            return new Piece(free.minus(slots), defaultSlot, labels);
        }
    }

    /** What a unit lacks of its minimum, by what one slot needs. */
    private static Map<SlotNeed, Integer> lack(UnitEntry unit) {
        Map<SlotNeed, Integer> lack = new LinkedHashMap<>();
        for (UnitGroup group : unit.groups()) {
            int missing = group.requirement().minimum() - unit.allocated(group);
            if (missing > 0) {
                lack.merge(SlotNeed.of(group.requirement()), missing, Integer::sum);
            }
        }
        return lack;
    }

    /** Slots that one unit is asked to return. */
    private record Return(JobEntry job, List<SlotEntry> slots) {}

    /** Call after a plan was committed: it may have left units below their minimum. */
    void resolve() {
        cancel();
        if (!jobs.anyHoldsWithoutMinimum()) {
            return;
        }
        List<UnitEntry> holders = new ArrayList<>(jobs.holdingWithoutMinimum());
        holders.removeIf(holder -> holder.job.master().isEmpty());
        Collections.reverse(holders);
        Set<Map<SlotNeed, Integer>> unservable = new HashSet<>();
        for (UnitEntry unit : jobs.belowMinimum()) {
            boolean holds = holders.contains(unit);
            if (isServable(unit) && (holds || !unservable.contains(lack(unit)))) {
                List<Return> returns = returnsFor(unit, holders);
                if (!returns.isEmpty()) {
                    ask(unit, returns);
                    return;
                }
                if (!holds) {
                    unservable.add(lack(unit));
                }
            }
        }
    }

    void cancel() {
        scheduled.ifPresent(Timers.Cancellable::cancel);
        scheduled = Optional.empty();
    }

    /** Not during the pause after a refusal, and not while workers are being started for it. */
    private static boolean isServable(UnitEntry unit) {
        return unit.job.master().isPresent() && unit.attempted() && unit.round().isOpen() && unit.waitingFor.isEmpty();
    }

    private static List<SlotEntry> allocated(UnitEntry unit) {
        return unit.job.allSlots().stream()
                .filter(slot -> slot.state() == SlotEntry.State.ALLOCATED
                        && slot.kind().group().unit().equals(unit.name))
                .toList();
    }

    /** What must be returned so that the unit fits, its own spare slots first; empty if nothing helps. */
    private List<Return> returnsFor(UnitEntry unit, List<UnitEntry> youngestFirst) {
        int favored = 0;
        List<Return> returns;
        do {
            returns = returnsFor(unit, youngestFirst, backends.specsWithinLimits(jobs.name(), favored));
        } while (returns.isEmpty() && ++favored < backends.specs(jobs.name()).size());
        return returns;
    }

    /** @param startable how many workers of each spec may be started if all are started */
    private List<Return> returnsFor(UnitEntry unit, List<UnitEntry> youngestFirst, List<SpecColumn> startable) {
        List<Return> returns = new ArrayList<>();
        Map<Integer, Piece> room = room(startable);
        returns.add(new Return(unit.job, aboveMinimum(unit)));
        for (UnitEntry holder : youngestFirst) {
            if (holder != unit) {
                returns.add(new Return(holder.job, allocated(holder)));
            }
        }
        for (int last = 0; last < returns.size(); last++) {
            List<SlotEntry> slots = returns.get(last).slots();
            for (SlotEntry slot : slots) {
                if (isUsable(slot.worker)) {
                    room.merge(
                            slot.worker.index,
                            new Piece(slot.kind().profile(), slot.worker.defaultSlot(), slot.worker.labels()),
                            (piece, returned) -> piece.plus(returned.free()));
                }
            }
            if (!slots.isEmpty() && fits(lack(unit), room)) {
                return returns.subList(0, last + 1).stream()
                        .filter(needed -> !needed.slots().isEmpty())
                        .toList();
            }
        }
        return List.of();
    }

    private boolean isUsable(WorkerEntry worker) {
        return worker.usable() && worker.pool().name().equals(jobs.name());
    }

    /** Its slots above the minimum of some groups, while it lacks others. */
    private static List<SlotEntry> aboveMinimum(UnitEntry unit) {
        Map<String, Integer> left = new HashMap<>();
        unit.groups()
                .forEach(group -> left.put(
                        group.key().group(),
                        unit.allocated(group) - group.requirement().minimum()));
        List<SlotEntry> above = new ArrayList<>();
        for (SlotEntry slot : allocated(unit)) {
            if (left.merge(slot.kind().group().group(), -1, Integer::sum) >= 0) {
                above.add(slot);
            }
        }
        return above;
    }

    /** Free resources by index of the worker; workers that may be started have negative indexes. */
    private Map<Integer, Piece> room(List<SpecColumn> startable) {
        Map<Integer, Piece> room = new LinkedHashMap<>();
        for (WorkerEntry worker : workers.all()) {
            if (isUsable(worker) && !worker.unused().equals(ResourceProfile.ZERO)) {
                room.put(worker.index, new Piece(worker.unused(), worker.defaultSlot(), worker.labels()));
            }
        }
        int next = -1;
        for (SpecColumn spec : startable) {
            for (int more = 0; more < Math.min(spec.left(), MAX_STARTED); more++) {
                room.put(next--, new Piece(spec.total(), spec.defaultSlot(), spec.labels()));
            }
        }
        return room;
    }

    private static boolean fits(Map<SlotNeed, Integer> lack, Map<Integer, Piece> room) {
        List<Piece> pieces = new ArrayList<>(room.values());
        for (Map.Entry<SlotNeed, Integer> need : lack.entrySet()) {
            SlotNeed one = need.getKey();
            int missing = need.getValue();
            for (int index = 0; index < pieces.size() && missing > 0; index++) {
                Piece piece = pieces.get(index);
                if (one.constraints().obstacle(piece.labels()).isPresent()) {
                    continue;
                }
                ResourceProfile slot = one.profile().isUnknown() ? piece.defaultSlot() : one.profile();
                int count = (int) Math.min(missing, FreeRoom.quotient(piece.free(), slot));
                if (count > 0) {
                    pieces.set(index, piece.minus(slot.times(count)));
                    missing -= count;
                }
            }
            if (missing > 0) {
                return false;
            }
        }
        return true;
    }

    private void ask(UnitEntry served, List<Return> returns) {
        for (Return wanted : returns) {
            JobEntry job = wanted.job();
            List<AllocationId> slots =
                    wanted.slots().stream().map(slot -> slot.allocation).toList();
            String cause = "job " + served.job.id + " reaches its minimum with them, and job " + job.id
                    + " cannot run with its slots";
            LOG.info("job {}: asked to return {} slots: {}", job.id, slots.size(), cause);
            mainThread.whenComplete(
                    job.master().orElseThrow().gateway().requestSlotReturn(id, slots, false, cause),
                    (returned, failure) -> LOG.debug(
                            "job {}: returns {}", job.id, failure == null ? returned : "unknown slots: " + failure));
        }
        scheduled = Optional.of(mainThread.schedule(settings.get().heartbeatIntervalMillis(), resolveAgain));
    }
}
