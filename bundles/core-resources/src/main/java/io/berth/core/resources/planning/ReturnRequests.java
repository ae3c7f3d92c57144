package io.berth.core.resources.planning;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.policy.PlanOutcome.GiveBack;
import io.berth.core.api.policy.PlanOutcome.Planned;
import io.berth.core.api.policy.PlanOutcome.Reclaim;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.Allocations;
import io.berth.core.resources.state.PoolJobs;
import io.berth.core.resources.state.RequirementLedger;
import io.berth.core.resources.state.SlotEntry;
import io.berth.core.resources.state.UnitEntry;
import io.berth.core.resources.state.UnitGroup;
import io.berth.spi.AllocationId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks jobs to return the slots that policies propose. Each group keeps its minimum. A unit is asked once,
 * and not again before a pause is over, whether its job agreed or not: a job that agrees restarts. Confined to the main
 * thread.
 */
final class ReturnRequests {

    private static final Logger LOG = LoggerFactory.getLogger(ReturnRequests.class);
    private static final int MAX_CAUSE = 500;
    private static final Comparator<SlotEntry> YOUNGEST_FIRST = Comparator.<SlotEntry>comparingLong(
                    slot -> slot.grant().sinceMillis())
            .thenComparing(slot -> slot.allocation)
            .reversed();

    private final ResourceManagerId id;
    private final MainThread mainThread;
    private final Supplier<ResourceSettings> settings;
    private final RequirementLedger ledger;
    private final Allocations allocations;

    ReturnRequests(
            ResourceManagerId id,
            MainThread mainThread,
            Supplier<ResourceSettings> settings,
            RequirementLedger ledger,
            Allocations allocations) {
        this.id = id;
        this.mainThread = mainThread;
        this.settings = settings;
        this.ledger = ledger;
        this.allocations = allocations;
    }

    /** What one unit is asked for. */
    private static final class Request {
        private final Map<AllocationId, SlotEntry> slots = new LinkedHashMap<>();
        private final Set<String> reasons = new LinkedHashSet<>();
        /** How many more slots each group can return. */
        private final Map<String, Integer> left = new HashMap<>();
    }

    /** Asks jobs of the pool for what still can be returned. */
    void ask(PoolJobs jobs, Planned plan) {
        if (plan.returns().isEmpty()) {
            return;
        }
        Map<UnitEntry, Request> requests = new LinkedHashMap<>();
        for (GiveBack proposal : plan.returns().giveBacks()) {
            Optional<SlotEntry> slot = allocations.find(proposal.allocation()).filter(ReturnRequests::isAllocated);
            slot.flatMap(ledger::unitOf)
                    .filter(unit -> unit.job.pool() == jobs)
                    .ifPresent(unit -> add(
                            requests,
                            unit,
                            Stream.of(slot.get()),
                            1,
                            "matching strategy " + plan.matching().name(),
                            proposal.reason()));
        }
        for (Reclaim proposal : plan.returns().reclaims()) {
            jobs.unit(proposal.unit())
                    .filter(unit -> unit.isPublished(plan.stateNumber()))
                    .ifPresent(unit -> unit.group(proposal.group())
                            .ifPresent(group -> add(
                                    requests,
                                    unit,
                                    youngest(unit, group, jobs.name()),
                                    proposal.count(),
                                    "distribution policy " + plan.distribution().name(),
                                    proposal.reason())));
        }
        requests.forEach((unit, request) -> {
            if (!request.slots.isEmpty()) {
                send(unit, request);
            }
        });
    }

    private static boolean isAllocated(SlotEntry slot) {
        return slot.state() == SlotEntry.State.ALLOCATED && !slot.isMoving();
    }

    /**
     * The slots of a group on workers of the pool, which gains nothing from others; those come first that the job has had
     * for the shortest time.
     */
    private static Stream<SlotEntry> youngest(UnitEntry unit, UnitGroup group, String pool) {
        return unit.job.allSlots().stream()
                .filter(slot -> isAllocated(slot)
                        && slot.kind().group().equals(group.key())
                        && slot.worker.pool().name().equals(pool))
                .sorted(YOUNGEST_FIRST);
    }

    /** @param count how many of the slots at most */
    private static void add(
            Map<UnitEntry, Request> requests,
            UnitEntry unit,
            Stream<SlotEntry> slots,
            int count,
            String policy,
            String reason) {
        if (!unit.isReturnable() || unit.job.master().isEmpty()) {
            return;
        }
        Request request = requests.computeIfAbsent(unit, asked -> new Request());
        slots.filter(slot -> !request.slots.containsKey(slot.allocation))
                .limit(count)
                .forEach(slot -> {
                    String name = slot.kind().group().group();
                    int left = request.left.computeIfAbsent(name, group -> aboveMinimum(unit, group));
                    if (left > 0 || unit.lacksMinimum()) {
                        request.left.put(name, left - 1);
                        request.slots.put(slot.allocation, slot);
                        request.reasons.add(policy + (reason.isEmpty() ? "" : ": " + reason));
                    }
                });
    }

    private static int aboveMinimum(UnitEntry unit, String name) {
        for (UnitGroup group : unit.groups()) {
            if (group.key().group().equals(name)) {
                return unit.allocated(group) - group.requirement().minimum();
            }
        }
        return 0;
    }

    private void send(UnitEntry unit, Request request) {
        String text = String.join("; ", request.reasons);
        String cause = text.length() > MAX_CAUSE ? text.substring(0, MAX_CAUSE) : text;
        int count = request.slots.size();
        LOG.info("job {} unit {}: asked to return {} slots: {}", unit.job.id, unit.name, count, cause);
        UnitEntry.Asked asked = new UnitEntry.Asked(request.slots.values());
        pause(unit, asked);
        mainThread.whenComplete(
                unit.job
                        .master()
                        .orElseThrow()
                        .gateway()
                        .requestSlotReturn(id, List.copyOf(request.slots.keySet()), true, cause),
                (returned, failure) -> {
                    LOG.info(
                            "job {} unit {}: {}",
                            unit.job.id,
                            unit.name,
                            failure == null
                                    ? "returns " + returned.size() + " of " + count + " slots"
                                    : "did not say which slots it returns: " + Failures.text(failure));
                    // Without an answer, all of them may still come back.
                    if (failure == null && asked.answered(returned)) {
                        changed(unit);
                    }
                });
    }

    private void pause(UnitEntry unit, UnitEntry.Asked asked) {
        unit.asked(asked);
        ledger.changedLater(unit);
        mainThread.schedule(settings.get().slotReturnPauseMillis(), () -> {
            unit.mayBeAskedAgain();
            changed(unit);
        });
    }

    private void changed(UnitEntry unit) {
        if (ledger.unit(unit.index).filter(there -> there == unit).isPresent()) {
            ledger.changed(unit);
        }
    }
}
