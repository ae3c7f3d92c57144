package io.berth.simulator.oracle;

import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterDetails.SlotDetails;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.ResourceManagerGateway.JobMasterRegistration;
import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.simulator.gateway.ObservedResourceManager;
import io.berth.simulator.gateway.WatchedJobMaster;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Counts how often a ResourceManager asks a unit for slots because a policy proposed it, and checks these requests
 * (invariant P2): a unit that can run keeps the minimum of each group, and no unit is asked again before its pause is
 * over. What users and jobs that wait for each other ask for is not counted.
 */
final class RequestedReturns implements WatchedJobMaster.Watcher, ObservedResourceManager.Listener {

    /** A clock that becomes slower after a timer was set makes the pause shorter than it is by that clock. */
    private static final double DRIFT = 0.8;

    private final Incarnation process;
    private final Ledger ledger;
    private final WatchedResourceManager watched;
    private final long pauseNanos;
    /** When each unit was asked last, by the clock of the process. */
    private final SortedMap<JobId, SortedMap<String, Long>> asked = new TreeMap<>();

    /** @param pauseMillis how long a unit that was asked is not asked again */
    RequestedReturns(Incarnation process, Ledger ledger, WatchedResourceManager watched, long pauseMillis) {
        this.process = process;
        this.ledger = ledger;
        this.watched = watched;
        this.pauseNanos = (long) (DRIFT * pauseMillis * VirtualTime.MILLI);
    }

    /** Its units are new ones if it was given up before. */
    @Override
    public void registers(JobMasterRegistration registration) {
        asked.remove(registration.job());
    }

    @Override
    public void declared(RequirementsDeclaration declaration) {
        SortedMap<String, Long> units = asked.get(declaration.job());
        if (units != null) {
            units.keySet()
                    .retainAll(declaration.units().stream()
                            .map(UnitRequirement::unit)
                            .toList());
        }
    }

    @Override
    public Consumer<List<AllocationId>> wantsSlotsBack(List<AllocationId> slots, boolean aboveMinimum) {
        // Otherwise a job is asked that cannot run with its slots, for another one that waits.
        if (aboveMinimum) {
            ledger.requestsReturn();
            SortedSet<String> wanted = new TreeSet<>();
            slots.forEach(slot -> wanted.add(slot.toString()));
            long now = process.nanos();
            long before = watched.effects();
            ledger.afterThis(() -> {
                // What arrived later in the same turn does not make the request wrong.
                if (watched.effects() == before && !process.lags()) {
                    watched.details().ifPresent(details -> check(wanted, details, now));
                }
            });
        }
        return returned -> {};
    }

    private void check(SortedSet<String> wanted, ClusterDetails details, long now) {
        List<SlotDetails> slots = details.slots().stream()
                .filter(slot -> wanted.contains(slot.allocation()))
                .toList();
        if (slots.size() < wanted.size()) {
            return;
        }
        JobId job = new JobId(slots.get(0).job());
        String unit = slots.get(0).unit();
        Long before = asked.computeIfAbsent(job, units -> new TreeMap<>()).put(unit, now);
        if (before != null && now - before < pauseNanos) {
            ledger.broken("P2: the ResourceManager on " + process + " asks unit " + unit + " of job " + job
                    + " for slots " + wanted + ", " + (now - before) / VirtualTime.MILLI
                    + " ms after it asked for others");
        }
        watched.declared(job)
                .filter(declaration -> !watched.isLoose(declaration))
                .ifPresent(declaration -> declaration.units().stream()
                        .filter(declared -> declared.unit().equals(unit))
                        .forEach(declared -> keepsMinimum(job, declared, slots, details)));
    }

    private void keepsMinimum(JobId job, UnitRequirement unit, List<SlotDetails> wanted, ClusterDetails details) {
        boolean runs =
                unit.groups().stream().allMatch(group -> count(job, unit, group, details.slots()) >= group.minimum());
        if (!runs) {
            return;
        }
        for (GroupRequirement group : unit.groups()) {
            long less = count(job, unit, group, wanted);
            long left = count(job, unit, group, details.slots()) - less;
            if (less > 0 && left < group.minimum()) {
                ledger.broken("P2: the ResourceManager on " + process + " asks for " + wanted + ", and group "
                        + group.group() + " of job " + job + " has " + left + " slots then; its minimum is "
                        + group.minimum());
            }
        }
    }

    private static long count(JobId job, UnitRequirement unit, GroupRequirement group, List<SlotDetails> slots) {
        return slots.stream()
                .filter(slot -> slot.job().equals(job.value())
                        && slot.unit().equals(unit.unit())
                        && slot.group().equals(group.group())
                        && slot.profile().equals(group.profile().toString()))
                .count();
    }
}
