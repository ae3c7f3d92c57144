package io.berth.core.resources;

import io.berth.core.api.policy.LedgerHash;
import io.berth.core.resources.RequirementMapping.Kind;
import io.berth.spi.AllocationId;

/**
 * One allocated slot as the ResourceManager sees it (FLIP-6). There are millions of them: what slots of one run share
 * stands elsewhere. Confined to the main thread.
 */
final class SlotEntry {

    enum State {
        /** Requested from the worker, not acknowledged yet. */
        PENDING,
        ALLOCATED,
        /** Freed, refused, withdrawn or lost: it stands nowhere any more. */
        ENDED
    }

    final AllocationId allocation;
    final JobEntry job;
    final Kind kind;
    final WorkerEntry worker;
    final long decision;
    /** In which it was granted; the one that is none when a worker brought it. */
    private final GrantRound round;
    private State state = State.PENDING;
    private boolean taken;
    private long allocatedAfterHeartbeat;
    private int place;

    /** @param round in which it is granted; {@link GrantRound#NONE} when the worker brought it */
    SlotEntry(
            AllocationId allocation,
            JobEntry job,
            Kind kind,
            WorkerEntry worker,
            long decision,
            GrantRound round) {
        this.allocation = allocation;
        this.job = job;
        this.kind = kind;
        this.worker = worker;
        this.decision = decision;
        this.round = round;
    }

    /** What it adds to the hash of the ledger, and what is to be taken off when it ends. */
    long ledgerHash() {
        return LedgerHash.of(ledgerRun(), allocation);
    }

    /** The part of it that slots of one job, one size and one worker share. */
    long ledgerRun() {
        return LedgerHash.ofRun(worker.ledgerPart(), job.ledgerPart(), kind.ledgerPart());
    }

    /** In which it was granted; {@link GrantRound#NONE} when a worker brought it. */
    GrantRound round() {
        return round;
    }

    /** Whether a report named it as taken by the job, ever. */
    boolean isTaken() {
        return taken;
    }

    void taken() {
        taken = true;
    }

    State state() {
        return state;
    }

    /**
     * The worker has the slot.
     *
     * @param heartbeat number of the last heartbeat that was sent to the worker before this was known
     */
    void allocated(long heartbeat) {
        if (state == State.PENDING) {
            state = State.ALLOCATED;
            allocatedAfterHeartbeat = heartbeat;
        }
    }

    /** It stands nowhere any more. */
    void ended() {
        state = State.ENDED;
    }

    /** Whether the answer to a heartbeat must name the slot: it was sent after the slot was known to be there. */
    boolean mustBeReportedBy(long heartbeat) {
        return state == State.ALLOCATED && allocatedAfterHeartbeat < heartbeat;
    }

    /** Where it stands among the slots of its job; theirs alone. */
    int place() {
        return place;
    }

    void place(int at) {
        place = at;
    }
}
