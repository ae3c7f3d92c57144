package io.berth.core.resources.workers;

import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.planning.RefusedGrants;
import io.berth.core.resources.state.Allocations;
import io.berth.core.resources.state.GrantRound;
import io.berth.core.resources.state.JobEntry;
import io.berth.core.resources.state.RequirementLedger;
import io.berth.core.resources.state.SlotEntry;
import io.berth.core.resources.state.SlotGrant;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.spi.AllocationId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges slot reports. A worker is the authority on its slots (FLIP-6). Confined to the main thread.
 */
public final class SlotReports {

    private static final Logger LOG = LoggerFactory.getLogger(SlotReports.class);

    private final MainThread mainThread;
    private final Clock clock;
    private final RequirementLedger ledger;
    private final Allocations allocations;
    private final RefusedGrants refused;

    public SlotReports(
            MainThread mainThread,
            Clock clock,
            RequirementLedger ledger,
            Allocations allocations,
            RefusedGrants refused) {
        this.mainThread = mainThread;
        this.clock = clock;
        this.ledger = ledger;
        this.allocations = allocations;
        this.refused = refused;
    }

    /** The worker reports that a slot is free. */
    public void freed(WorkerEntry worker, AllocationId allocation) {
        mainThread.assertCurrent();
        worker.slot(allocation).ifPresent(slot -> {
            remove(slot);
        });
    }

    /** Removes the worker with its slots. */
    void gone(WorkerEntry worker) {
        mainThread.assertCurrent();
        allocations.remove(worker);
        worker.slots().forEach(refused::gone);
    }

    private void remove(SlotEntry slot) {
        allocations.remove(slot);
        refused.freed(slot);
    }

    /**
     * Adopts the slots of a registration. Slots that are missing in it are kept: a registration may arrive late or
     * twice, and the answer to the next heartbeat shows which slots are gone.
     */
    public void registered(WorkerEntry worker, SlotReport report) {
        mainThread.assertCurrent();
        worker.results(report.results());
        adopt(worker, report, worker.heartbeat());
    }

    /**
     * Merges the answer to a heartbeat. A requested slot that is not reported is kept, because the request may be
     * outstanding. A slot that was acknowledged after the heartbeat was sent is kept as well.
     *
     * @param heartbeat number of the heartbeat
     */
    public void merge(WorkerEntry worker, SlotReport report, long heartbeat) {
        mainThread.assertCurrent();
        worker.results(report.results());
        adopt(worker, report, heartbeat);
        for (SlotEntry slot : missing(worker, report)) {
            if (slot.mustBeReportedBy(heartbeat)) {
                LOG.info("{}: slot {} of job {} is gone", worker, slot.allocation, slot.job().id);
                remove(slot);
            }
        }
    }

    /** The slots that the report does not list. Usually none, which takes one pass. */
    private static List<SlotEntry> missing(WorkerEntry worker, SlotReport report) {
        List<SlotEntry> known = worker.slots();
        int at = 0;
        for (SlotReport.Slot slot : report.slots()) {
            if (at < known.size() && known.get(at).allocation.equals(slot.allocation())) {
                at++;
            }
        }
        if (at == known.size()) {
            return List.of();
        }
        SortedSet<AllocationId> reported = new TreeSet<>();
        report.slots().forEach(slot -> reported.add(slot.allocation()));
        return known.stream()
                .filter(slot -> !reported.contains(slot.allocation))
                .toList();
    }

    /** Adopts unknown slots: consecutive ones of one job and one kind in one step. */
    private void adopt(WorkerEntry worker, SlotReport report, long heartbeat) {
        long now = clock.millis();
        List<SlotEntry> run = new ArrayList<>(0);
        for (SlotReport.Slot slot : report.slots()) {
            Optional<SlotEntry> known = worker.slot(slot.allocation());
            if (known.isPresent()) {
                allocations.acknowledge(known.get(), heartbeat, now);
                taken(slot, known.get());
            } else if (!worker.freedSinceHeartbeat(slot.allocation())) {
                if (!run.isEmpty() && !continues(run.get(run.size() - 1), slot)) {
                    adopt(run);
                }
                if (isNew(worker, slot)) {
                    SlotEntry adopted = new SlotEntry(slot.allocation(), worker, grant(run, slot));
                    adopted.allocated(heartbeat);
                    run.add(adopted);
                    taken(slot, adopted);
                }
            }
        }
        if (!run.isEmpty()) {
            adopt(run);
        }
    }

    /** Whether the slot has the same job and kind, and a higher allocation. */
    private static boolean continues(SlotEntry last, SlotReport.Slot slot) {
        return last.allocation.compareTo(slot.allocation()) < 0
                && last.job().id.equals(slot.job())
                && last.kind().is(slot.unit(), slot.group(), slot.profile());
    }

    private void adopt(List<SlotEntry> run) {
        allocations.adopt(run);
        run.get(0).worker.idleSince(-1);
        run.clear();
    }

    private boolean isNew(WorkerEntry worker, SlotReport.Slot reported) {
        Optional<WorkerEntry> holder = allocations.holderOf(reported.allocation());
        if (holder.isPresent() || reported.profile().isUnknown()) {
            LOG.error(
                    "{}: reports slot {} of job {} {}: ignored",
                    worker,
                    reported.allocation(),
                    reported.job(),
                    holder.map(other -> "that " + other + " has").orElse("without a profile"));
            return false;
        }
        return true;
    }

    /** @param run of the job and kind of the slot */
    private SlotGrant grant(List<SlotEntry> run, SlotReport.Slot reported) {
        if (!run.isEmpty() && run.get(run.size() - 1).decision() == reported.decision()) {
            return run.get(run.size() - 1).grant();
        }
        JobEntry job = ledger.job(reported.job());
        return new SlotGrant(
                job,
                job.kind(reported.unit(), reported.group(), reported.profile()),
                reported.decision(),
                GrantRound.NONE,
                clock.millis());
    }

    private void taken(SlotReport.Slot reported, SlotEntry slot) {
        if (reported.active() && !slot.isTaken()) {
            slot.taken();
            refused.taken(slot);
        }
    }
}
