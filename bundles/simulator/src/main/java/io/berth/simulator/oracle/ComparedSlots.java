package io.berth.simulator.oracle;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffers;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway.AllocatedSlots;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.spi.AllocationId;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What one process of a worker makes of the slots that JobMasters list in their heartbeats (FLIP-6): one that it does not
 * have it tells at once, and one that is not listed for a while goes.
 */
final class ComparedSlots {

    /** More than two heartbeats, of the longest interval there is in a world, on a clock that runs fast. */
    private static final long MAX_UNLISTED_NANOS = 12 * VirtualTime.SECOND;

    private static final int MIN_UNLISTED = 4;

    private record Unlisted(long sinceNanos, int heartbeats) {}

    private final Incarnation process;
    private final Ledger ledger;
    private final SortedMap<JobMasterId, Long> latest = new TreeMap<>();
    private final SortedMap<AllocationId, Unlisted> unlisted = new TreeMap<>();
    private final SortedSet<AllocationId> told = new TreeSet<>();

    ComparedSlots(Incarnation process, Ledger ledger) {
        this.process = process;
        this.ledger = ledger;
    }

    /**
     * A heartbeat of a JobMaster comes.
     *
     * @return whether what it lists counts: no later one has come before, nor this one, whatever became of them
     */
    boolean begins(AllocatedSlots listed) {
        told.clear();
        Long before = latest.get(listed.jobMaster());
        if (before != null && listed.number() <= before) {
            return false;
        }
        latest.put(listed.jobMaster(), listed.number());
        return true;
    }

    /** The worker tells a JobMaster that it does not have a slot. */
    void tells(AllocationId allocation) {
        told.add(allocation);
    }

    /** The worker offers slots: they are not active, or will be anew. */
    void offers(SlotOffers offers) {
        offers.offers().forEach(offer -> unlisted.remove(offer.allocation()));
    }

    /** @param after what the worker has when it has answered the heartbeat */
    void with(AllocatedSlots listed, SlotReport after) {
        for (AllocationId allocation : listed.allocations()) {
            if (!told.contains(allocation)
                    && after.slots().stream()
                            .noneMatch(slot -> slot.allocation().equals(allocation))) {
                ledger.broken(
                        "E: " + process + " does not have slot " + allocation + ", and does not tell it to JobMaster "
                                + listed.jobMaster() + " of " + listed.job() + ", which lists it");
            }
        }
        for (SlotReport.Slot slot : after.slots()) {
            if (slot.jobMaster().equals(listed.jobMaster()) && slot.job().equals(listed.job())) {
                look(slot, listed);
            }
        }
    }

    private void look(SlotReport.Slot slot, AllocatedSlots listed) {
        // One in which tasks run may be about to go.
        if (!slot.active() || slot.tasks() > 0 || listed.allocations().contains(slot.allocation())) {
            unlisted.remove(slot.allocation());
            return;
        }
        Unlisted before = unlisted.getOrDefault(slot.allocation(), new Unlisted(process.nanos(), 0));
        unlisted.put(slot.allocation(), new Unlisted(before.sinceNanos(), before.heartbeats() + 1));
        long nanos = process.nanos() - before.sinceNanos();
        if (nanos > MAX_UNLISTED_NANOS && before.heartbeats() >= MIN_UNLISTED) {
            ledger.broken("E: " + process + " keeps " + slot + ", which its JobMaster has not listed for "
                    + nanos / VirtualTime.MILLI + " ms");
        }
    }
}
