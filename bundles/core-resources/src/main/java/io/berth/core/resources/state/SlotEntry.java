package io.berth.core.resources.state;

import io.berth.core.api.policy.LedgerHash;
import io.berth.core.resources.state.RequirementMapping.Kind;
import io.berth.spi.AllocationId;

/**
 * One allocated slot as the ResourceManager sees it (FLIP-6). There are millions of them: what those of one
 * grant share stands there, and three flags take less than a state. Confined to the main thread.
 */
public final class SlotEntry {

    public enum State {
        /** Requested from the worker, not acknowledged yet. */
        PENDING,
        ALLOCATED,
        /** Freed, refused, withdrawn or lost: it stands nowhere any more. */
        ENDED
    }

    public final AllocationId allocation;
    public final WorkerEntry worker;
    private final SlotGrant grant;
    private boolean allocated;
    private boolean ended;
    private boolean taken;
    private long allocatedAfterHeartbeat;
    private int place;

    public SlotEntry(AllocationId allocation, WorkerEntry worker, SlotGrant grant) {
        this.allocation = allocation;
        this.worker = worker;
        this.grant = grant;
    }

    public SlotGrant grant() {
        return grant;
    }

    public JobEntry job() {
        return grant.job();
    }

    public Kind kind() {
        return grant.kind();
    }

    /** Number of the decision that placed it. */
    public long decision() {
        return grant.decision();
    }

    /** What it adds to the hash of the ledger, and what is to be taken off when it ends. */
    public long ledgerHash() {
        return LedgerHash.of(ledgerRun(), allocation);
    }

    /** The part of it that slots of one job, one size and one worker share. */
    long ledgerRun() {
        return LedgerHash.ofRun(worker.ledgerPart(), job().ledgerPart(), kind().ledgerPart());
    }

    /** In which it was granted; {@link GrantRound#NONE} when a worker brought it. */
    public GrantRound round() {
        return grant.round();
    }

    /** Whether a report named it as taken by the job, ever. */
    public boolean isTaken() {
        return taken;
    }

    public void taken() {
        taken = true;
    }

    public State state() {
        if (ended) {
            return State.ENDED;
        }
        return allocated ? State.ALLOCATED : State.PENDING;
    }

    /**
     * The worker has the slot.
     *
     * @param heartbeat number of the last heartbeat that was sent to the worker before this was known
     */
    public void allocated(long heartbeat) {
        if (state() == State.PENDING) {
            allocated = true;
            allocatedAfterHeartbeat = heartbeat;
        }
    }

    /** It stands nowhere any more. */
    void ended() {
        ended = true;
    }

    /** Whether the answer to a heartbeat must name the slot: it was sent after the slot was known to be there. */
    public boolean mustBeReportedBy(long heartbeat) {
        return state() == State.ALLOCATED && allocatedAfterHeartbeat < heartbeat;
    }

    /** Where it stands among the slots of its job; theirs alone. */
    int place() {
        return place;
    }

    void place(int at) {
        place = at;
    }
}
