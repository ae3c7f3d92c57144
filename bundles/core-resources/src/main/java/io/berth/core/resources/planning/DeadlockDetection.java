package io.berth.core.resources.planning;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.core.resources.backends.WorkerDemand;
import io.berth.core.resources.planning.ReturnSearch.Holder;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.JobEntry;
import io.berth.core.resources.state.PoolJobs;
import io.berth.core.resources.state.SlotEntry;
import io.berth.core.resources.state.UnitEntry;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.AllocationId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends deadlocks between jobs that lost slots: each holds a part of its minimum and waits for what the others hold. The
 * oldest submission of the pool that can run with their slots receives them. The others are asked to return theirs until
 * its minimum fits: first jobs of other pools that still have slots on workers of this one, then those of the pool, and
 * of both the youngest first. One that runs with less than its minimum is not asked, and is served last. A job decides
 * itself: one that runs returns nothing. Slots that are not returned are asked
 * for again. Confined to the main thread.
 */
final class DeadlockDetection {

    private static final Logger LOG = LoggerFactory.getLogger(DeadlockDetection.class);

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

    /** Call after a plan was committed: it may have left units below their minimum. */
    void resolve() {
        cancel();
        List<UnitEntry> others = jobs.holdingWithoutMinimumElsewhere();
        List<UnitEntry> own = jobs.holdingWithoutMinimum();
        if (others.isEmpty() && own.isEmpty()) {
            return;
        }
        List<UnitEntry> waiting = new ArrayList<>(jobs.belowMinimum());
        waiting.removeIf(unit -> !isServable(unit));
        waiting.sort(Comparator.comparing(UnitEntry::runsWithLess));
        if (waiting.isEmpty()) {
            return;
        }
        if (!askFor(waiting, others, own) && (isAnyPending(others) || isAnyPending(own))) {
            // The worker has not acknowledged the slot yet, and when it does, no plan is made.
            later();
        }
    }

    /** Returns whether a job was asked. */
    private boolean askFor(List<UnitEntry> waiting, List<UnitEntry> others, List<UnitEntry> own) {
        List<Holder> holders = new ArrayList<>();
        addYoungestFirst(others, holders);
        addYoungestFirst(own, holders);
        if (holders.isEmpty()) {
            return false;
        }
        List<ReturnSearch> searches = searches(holders);
        for (UnitEntry unit : waiting) {
            for (ReturnSearch search : searches) {
                List<Holder> returns = search.returnsFor(unit);
                if (!returns.isEmpty()) {
                    ask(unit, returns);
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isAnyPending(List<UnitEntry> units) {
        return units.stream()
                .anyMatch(
                        unit -> usable(unit, SlotEntry.State.PENDING).findAny().isPresent());
    }

    private void later() {
        scheduled = Optional.of(mainThread.schedule(settings.get().heartbeatIntervalMillis(), resolveAgain));
    }

    /** Adds those that can be asked, and what they have on workers of the pool. */
    private void addYoungestFirst(List<UnitEntry> units, List<Holder> holders) {
        for (int last = units.size() - 1; last >= 0; last--) {
            UnitEntry unit = units.get(last);
            List<SlotEntry> slots = unit.job.master().isPresent()
                    ? usable(unit, SlotEntry.State.ALLOCATED).toList()
                    : List.of();
            if (!slots.isEmpty()) {
                holders.add(new Holder(unit, slots));
            }
        }
    }

    private Stream<SlotEntry> usable(UnitEntry unit, SlotEntry.State state) {
        return unit.job.allSlots().stream()
                .filter(slot ->
                        slot.state() == state && slot.kind().group().unit().equals(unit.name) && isUsable(slot.worker));
    }

    /** One for each way to share the limits among specs, so that all may be started together. */
    private List<ReturnSearch> searches(List<Holder> holders) {
        List<WorkerEntry> usable = workers.all().stream().filter(this::isUsable).toList();
        Set<List<SpecColumn>> shares = new LinkedHashSet<>();
        int favored = 0;
        do {
            shares.add(backends.specsWithinLimits(jobs.name(), favored));
        } while (++favored < backends.specs(jobs.name()).size());
        return shares.stream()
                .map(startable -> new ReturnSearch(usable, startable, holders))
                .toList();
    }

    void cancel() {
        scheduled.ifPresent(Timers.Cancellable::cancel);
        scheduled = Optional.empty();
    }

    /** Not during the pause after a refusal, and not while workers are being started for it. */
    private static boolean isServable(UnitEntry unit) {
        return unit.job.master().isPresent() && unit.attempted() && unit.round().isOpen() && unit.waitingFor.isEmpty();
    }

    private boolean isUsable(WorkerEntry worker) {
        return worker.usable() && worker.pool().name().equals(jobs.name());
    }

    private void ask(UnitEntry served, List<Holder> returns) {
        for (Holder wanted : returns) {
            JobEntry job = wanted.unit().job;
            List<AllocationId> slots =
                    wanted.slots().stream().map(slot -> slot.allocation).toList();
            String which = job.pool() == jobs
                    ? " cannot run with its slots"
                    : " of " + job.pool() + " cannot run with its slots on workers of " + jobs;
            String cause = "job " + served.job.id + " reaches its minimum with them, and job " + job.id + which;
            LOG.info("job {}: asked to return {} slots: {}", job.id, slots.size(), cause);
            mainThread.whenComplete(
                    job.master().orElseThrow().gateway().requestSlotReturn(id, slots, false, cause),
                    (returned, failure) -> LOG.debug(
                            "job {}: returns {}", job.id, failure == null ? returned : "unknown slots: " + failure));
        }
        later();
    }
}
