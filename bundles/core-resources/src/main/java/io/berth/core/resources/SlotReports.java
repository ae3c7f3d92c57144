package io.berth.core.resources;

import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.time.MainThread;
import io.berth.spi.AllocationId;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges what workers say of their slots: the worker is the truth of what it has (FLIP-6; reference 1.5). Confined to
 * the main thread.
 */
final class SlotReports {

    private static final Logger LOG = LoggerFactory.getLogger(SlotReports.class);

    private final MainThread mainThread;
    private final WorkerRegistry workers;
    private final RequirementLedger ledger;
    private final SlotManager slots;
    private final RefusedGrants refused;

    SlotReports(
            MainThread mainThread,
            WorkerRegistry workers,
            RequirementLedger ledger,
            SlotManager slots,
            RefusedGrants refused) {
        this.mainThread = mainThread;
        this.workers = workers;
        this.ledger = ledger;
        this.slots = slots;
        this.refused = refused;
    }

    /** The worker says that a slot is free. */
    void freed(WorkerEntry worker, AllocationId allocation) {
        mainThread.assertCurrent();
        worker.slot(allocation).ifPresent(slot -> {
            remove(slot);
            slots.requestCheck();
        });
    }

    /** The worker is gone, and its slots with it. */
    void gone(WorkerEntry worker) {
        mainThread.assertCurrent();
        worker.slots().forEach(slot -> {
            ledger.lost(slot);
            refused.gone(slot);
        });
        workers.remove(worker);
        slots.requestCheck();
    }

    private void remove(SlotEntry slot) {
        workers.removeSlot(slot);
        ledger.lost(slot);
        refused.freed(slot);
    }

    /**
     * Takes over what a worker had when it registered. What is missing in it is not freed: a registration may be late,
     * or there twice, and the answer to the next heartbeat says what is gone.
     */
    void registered(WorkerEntry worker, SlotReport report) {
        mainThread.assertCurrent();
        if (adopt(worker, report, worker.heartbeat())) {
            slots.requestCheck();
        }
    }

    /**
     * Merges the answer to a heartbeat. A slot that is requested and not reported is kept, since the request may be under
     * way; so is one that was acknowledged after the heartbeat had been sent.
     *
     * @param heartbeat number of the heartbeat
     */
    void merge(WorkerEntry worker, SlotReport report, long heartbeat) {
        mainThread.assertCurrent();
        boolean changed = adopt(worker, report, heartbeat);
        SortedSet<AllocationId> reported = new TreeSet<>();
        report.slots().forEach(slot -> reported.add(slot.allocation()));
        for (SlotEntry slot : List.copyOf(worker.slots())) {
            if (!reported.contains(slot.allocation) && slot.mustBeReportedBy(heartbeat)) {
                LOG.info("{}: slot {} of job {} is gone", worker, slot.allocation, slot.job.id);
                remove(slot);
                changed = true;
            }
        }
        if (changed) {
            slots.requestCheck();
        }
    }

    private boolean adopt(WorkerEntry worker, SlotReport report, long heartbeat) {
        boolean changed = false;
        for (SlotReport.Slot slot : report.slots()) {
            Optional<SlotEntry> known = worker.slot(slot.allocation());
            if (known.isPresent()) {
                ledger.acknowledged(known.get(), heartbeat);
                taken(slot, known.get());
            } else if (!worker.freedSinceHeartbeat(slot.allocation())) {
                changed |= adopt(worker, slot, heartbeat);
            }
        }
        if (changed) {
            workers.publishSlots();
        }
        return changed;
    }

    private void taken(SlotReport.Slot reported, SlotEntry slot) {
        if (reported.active() && !slot.isTaken()) {
            slot.taken();
            refused.taken(slot);
        }
    }

    private boolean adopt(WorkerEntry worker, SlotReport.Slot reported, long heartbeat) {
        Optional<WorkerEntry> holder = workers.holderOf(reported.allocation());
        if (holder.isPresent() || reported.profile().isUnknown()) {
            LOG.error(
                    "{}: reports slot {} of job {} {}: ignored",
                    worker,
                    reported.allocation(),
                    reported.job(),
                    holder.map(other -> "that " + other + " has").orElse("without a profile"));
            return false;
        }
        JobEntry job = ledger.job(reported.job());
        SlotEntry slot = new SlotEntry(
                reported.allocation(),
                job,
                job.kind(reported.unit(), reported.group(), reported.profile()),
                worker,
                reported.decision(),
                GrantRound.NONE);
        slot.allocated(heartbeat);
        workers.adoptSlot(slot);
        ledger.acquired(slot);
        worker.idleSince(-1);
        taken(reported, slot);
        return true;
    }
}
