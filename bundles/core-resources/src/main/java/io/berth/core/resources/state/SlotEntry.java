package io.berth.core.resources.state;

import io.berth.core.api.policy.LedgerHash;
import io.berth.core.resources.state.RequirementMapping.Kind;
import io.berth.spi.AllocationId;

/**
 * One allocated slot as the ResourceManager sees it (FLIP-6). There may be millions: slots of one grant share it, and
 * four flags take less memory than a state. Confined to the main thread.
 */
public final class SlotEntry {

    public enum State {
        /** Requested from the worker, not acknowledged yet. */
        PENDING,
        ALLOCATED,
        /** Freed, refused, withdrawn or lost. */
        ENDED
    }

    public final AllocationId allocation;
    public final WorkerEntry worker;
    private final SlotGrant grant;
    private boolean allocated;
    private boolean ended;
    private boolean taken;
    private boolean moving;
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

    /** What it adds to the hash of the ledger, and what is subtracted when it ends. */
    public long ledgerHash() {
        return LedgerHash.of(ledgerRun(), allocation);
    }

    /** The part of the hash that slots of one job, one size and one worker share. */
    long ledgerRun() {
        return LedgerHash.ofRun(worker.ledgerPart(), job().ledgerPart(), kind().ledgerPart());
    }

    /** The round that granted it; {@link GrantRound#NONE} if a worker reported it first. */
    public GrantRound round() {
        return grant.round();
    }

    /** Whether a report ever listed it as active for the job. */
    public boolean isTaken() {
        return taken;
    }

    public void taken() {
        taken = true;
    }

    /** Whether the job knows that the worker leaves: then the slot fulfills no requirement. */
    public boolean isMoving() {
        return moving;
    }

    void moving(boolean now) {
        moving = now;
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
     * @param heartbeat number of the last heartbeat that was sent to the worker before
     */
    public void allocated(long heartbeat) {
        if (state() == State.PENDING) {
            allocated = true;
            allocatedAfterHeartbeat = heartbeat;
        }
    }

    void ended() {
        ended = true;
    }

    /**
     * Whether the answer to a heartbeat must list the slot, because the heartbeat was sent after the slot was
     * allocated.
     */
    public boolean mustBeReportedBy(long heartbeat) {
        return state() == State.ALLOCATED && allocatedAfterHeartbeat < heartbeat;
    }

    /** Its index in {@link JobSlots}. */
    int place() {
        return place;
    }

    void place(int at) {
        place = at;
    }
}
