package io.berth.core.resources;

import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.Optional;

/** One allocated slot as the ResourceManager sees it (FLIP-6). Confined to the main thread. */
final class SlotEntry {

    enum State {
        /** Requested from the worker, not acknowledged yet. */
        PENDING,
        ALLOCATED
    }

    final AllocationId allocation;
    final JobId job;
    final GroupKey group;
    final ResourceProfile profile;
    final long decision;
    private State state = State.PENDING;
    private long allocatedAfterHeartbeat;
    private long ledgerHash;
    private Optional<GrantRound> round = Optional.empty();
    private boolean taken;

    SlotEntry(AllocationId allocation, JobId job, GroupKey group, ResourceProfile profile, long decision) {
        this.allocation = allocation;
        this.job = job;
        this.group = group;
        this.profile = profile;
        this.decision = decision;
    }

    /** What it added to the hash of the ledger, to be taken off when it ends. */
    long ledgerHash() {
        return ledgerHash;
    }

    void ledgerHash(long hash) {
        ledgerHash = hash;
    }

    /** In which it was granted; empty when a worker brought it. */
    Optional<GrantRound> round() {
        return round;
    }

    void granted(GrantRound in) {
        round = Optional.of(in);
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

    /** Whether the answer to a heartbeat must name the slot: it was sent after the slot was known to be there. */
    boolean mustBeReportedBy(long heartbeat) {
        return state == State.ALLOCATED && allocatedAfterHeartbeat < heartbeat;
    }
}
