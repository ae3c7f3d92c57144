package io.berth.core.resources.state;

import io.berth.core.api.time.Clock;
import io.berth.core.resources.state.Changes.Change;
import io.berth.spi.AllocationId;
import java.util.List;
import java.util.Optional;

/**
 * Which slot belongs to which job. Each slot is added and removed here only: its worker, its job, the table of
 * allocations and the hash of the ledger change together. Confined to the main thread.
 */
public final class Allocations {

    private final WorkerRegistry workers;
    private final RequirementLedger jobs;
    private final Clock clock;
    private final Changes changes;
    private final SlotTable byAllocation = new SlotTable();

    public Allocations(WorkerRegistry workers, RequirementLedger jobs, Clock clock, Changes changes) {
        this.workers = workers;
        this.jobs = jobs;
        this.clock = clock;
        this.changes = changes;
    }

    /** Makes room for the number of slots that will be added. */
    public void expect(int more) {
        byAllocation.expect(more);
    }

    /**
     * Adds slots that a plan gave to a job: those of {@code run} from {@code from} on, of one kind, on one worker that
     * has room for them. They are pending until they are acknowledged.
     */
    public void grant(List<SlotEntry> run, int from) {
        run.get(from).job().pool().slots().granted(run, from);
        add(run, from);
        run.get(from).job().requested(run.size() - from, clock);
    }

    /** Adds slots of one kind and one job that their worker reports, even if it has no room for them. */
    public void adopt(List<SlotEntry> run) {
        run.get(0).job().pool().slots().reported(run);
        add(run, 0);
        changes.mark(Change.CLUSTER);
    }

    private void add(List<SlotEntry> run, int from) {
        workers.add(run, from);
        jobs.add(run, from);
        SlotChangeList changed = run.get(from).job().pool().slotChanges();
        for (int at = from; at < run.size(); at++) {
            byAllocation.put(run.get(at));
            changed.add(run.get(at));
        }
    }

    /** The worker has the slot, as it said at {@code now}; see {@link SlotEntry#allocated}. */
    public void acknowledge(SlotEntry slot, long heartbeat, long now) {
        if (slot.state() == SlotEntry.State.PENDING) {
            slot.job().answered(now);
        }
        slot.allocated(heartbeat);
    }

    /** Removes a slot that was freed, refused or withdrawn. */
    public void remove(SlotEntry slot) {
        workers.remove(slot);
        end(slot);
    }

    /** Removes a worker with all its slots. */
    public void remove(WorkerEntry worker) {
        worker.slots().forEach(this::end);
        workers.remove(worker);
        changes.mark(Change.CLUSTER);
    }

    private void end(SlotEntry slot) {
        if (slot.state() == SlotEntry.State.PENDING) {
            slot.job().answered(clock.millis());
        }
        slot.job().pool().slots().ended(slot);
        byAllocation.take(slot.allocation);
        jobs.remove(slot);
        slot.job().pool().slotChanges().add(slot);
        changes.mark(Change.CLUSTER);
    }

    public Optional<WorkerEntry> holderOf(AllocationId allocation) {
        return find(allocation).map(slot -> slot.worker);
    }

    public Optional<SlotEntry> find(AllocationId allocation) {
        return byAllocation.find(allocation);
    }

    /** Makes all changes of all pools up to now visible to other threads. */
    public void publish() {
        jobs.publish();
    }
}
