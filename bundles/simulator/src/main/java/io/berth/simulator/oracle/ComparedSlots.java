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
 * How one process of a worker handles the slots that JobMasters list in their heartbeats (FLIP-6): it reports a listed
 * slot that it does not have at once, and it frees a slot that is not listed for some time.
 */
final class ComparedSlots {

    /** More than two heartbeats, at the longest interval that exists in a world, on a clock that runs fast. */
    private static final long MAX_UNLISTED_NANOS = 12 * VirtualTime.SECOND;

    private static final int MIN_UNLISTED = 4;

    private record Unlisted(long sinceNanos, int heartbeats) {}

    private final Incarnation process;
    private final Ledger ledger;
    private final SortedMap<JobMasterId, Long> latest = new TreeMap<>();
    private final SortedMap<AllocationId, Unlisted> unlisted = new TreeMap<>();
    private final SortedSet<AllocationId> reported = new TreeSet<>();

    ComparedSlots(Incarnation process, Ledger ledger) {
        this.process = process;
        this.ledger = ledger;
    }

    /**
     * A heartbeat of a JobMaster arrives.
     *
     * @return whether its list counts: neither a later one nor this one has arrived before
     */
    boolean begins(AllocatedSlots listed) {
        reported.clear();
        Long before = latest.get(listed.jobMaster());
        if (before != null && listed.number() <= before) {
            return false;
        }
        latest.put(listed.jobMaster(), listed.number());
        return true;
    }

    /** The worker reports to a JobMaster that it does not have a slot. */
    void reports(AllocationId allocation) {
        reported.add(allocation);
    }

    /** The worker offers slots: they are not active, or become active again. */
    void offers(SlotOffers offers) {
        offers.offers().forEach(offer -> unlisted.remove(offer.allocation()));
    }

    /**
     * Compares a list that counts.
     *
     * @param after what the worker has after it answered the heartbeat
     */
    void with(AllocatedSlots listed, SlotReport after) {
        for (AllocationId allocation : listed.allocations()) {
            if (!reported.contains(allocation)
                    && after.slots().stream()
                            .noneMatch(slot -> slot.allocation().equals(allocation))) {
                ledger.broken(
                        "E: " + process + " does not have slot " + allocation + ", and does not report it to JobMaster "
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
        // A slot in which tasks run may be about to end.
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
