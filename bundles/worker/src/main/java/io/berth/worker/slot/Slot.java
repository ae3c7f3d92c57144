package io.berth.worker.slot;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** One slot of the {@link SlotTable}, which changes its state. Confined to the main thread of the TaskExecutor. */
public final class Slot {

    public enum State {
        ALLOCATED,
        ACTIVE,
        RELEASING
    }

    private static final int MAX_DEPLOYED = 1_000;

    private final SlotRequest origin;
    private final ResourceProfile profile;
    private final MainThread mainThread;
    private final SortedSet<AttemptId> tasks = new TreeSet<>();
    private final LinkedHashSet<AttemptId> deployed = new LinkedHashSet<>();
    private EndpointRef jobMaster;
    private State state = State.ALLOCATED;
    private boolean kept;
    private long ticket;
    private Optional<Timers.Cancellable> timer = Optional.empty();
    private long unlistedSinceMillis = -1;

    /**
     * @param profile its size, known
     */
    Slot(SlotRequest origin, ResourceProfile profile, MainThread mainThread) {
        this.origin = origin;
        this.profile = profile;
        this.mainThread = mainThread;
        this.jobMaster = origin.jobMaster();
    }

    public AllocationId allocation() {
        return origin.allocation();
    }

    public JobId job() {
        return origin.job();
    }

    public ResourceProfile profile() {
        return profile;
    }

    JobMasterId jobMaster() {
        return new JobMasterId(jobMaster.token());
    }

    public State state() {
        return state;
    }

    /**
     * Whether it must be offered: the allocation is stored, the JobMaster has not accepted it, and no task of an
     * earlier JobMaster runs in it.
     */
    public boolean waits() {
        return kept && state == State.ALLOCATED && tasks.isEmpty();
    }

    /** The allocation is stored. */
    public void kept() {
        kept = true;
    }

    public boolean isKept() {
        return kept;
    }

    void setOwner(EndpointRef next) {
        if (!next.token().equals(jobMaster.token())) {
            deployed.clear();
        }
        jobMaster = next;
    }

    void become(State next) {
        ticket++;
        timer.ifPresent(Timers.Cancellable::cancel);
        timer = Optional.empty();
        unlistedSinceMillis = -1;
        state = next;
    }

    void startTimer(long millis, Runnable action) {
        long current = ++ticket;
        timer.ifPresent(Timers.Cancellable::cancel);
        timer = Optional.of(mainThread.schedule(millis, () -> {
            if (ticket == current) {
                action.run();
            }
        }));
    }

    int tasks() {
        return tasks.size();
    }

    /** Whether that attempt was deployed here, even when it has ended. */
    public boolean wasDeployed(AttemptId attempt) {
        return deployed.contains(attempt);
    }

    public void deployed(AttemptId attempt) {
        tasks.add(attempt);
        deployed.add(attempt);
        if (deployed.size() > MAX_DEPLOYED) {
            deployed.remove(deployed.iterator().next());
        }
    }

    void ended(AttemptId attempt) {
        tasks.remove(attempt);
    }

    /**
     * Records whether a heartbeat of the JobMaster lists the slot.
     *
     * @return for how long it has not been listed, in milliseconds; 0 when it is, or when this is the first such
     *     heartbeat
     */
    public long unlisted(boolean listed, long nowMillis) {
        if (listed) {
            unlistedSinceMillis = -1;
            return 0;
        }
        if (unlistedSinceMillis < 0) {
            unlistedSinceMillis = nowMillis;
        }
        return nowMillis - unlistedSinceMillis;
    }

    public SlotOffer offer() {
        return new SlotOffer(origin.allocation(), origin.unit(), origin.group(), profile, origin.decision());
    }

    /** The request that restores the slot in another process. */
    SlotRequest request() {
        return new SlotRequest(
                origin.allocation(),
                origin.job(),
                jobMaster,
                origin.unit(),
                origin.group(),
                profile,
                origin.decision());
    }

    SlotReport.Slot report() {
        return new SlotReport.Slot(
                origin.allocation(),
                origin.job(),
                jobMaster(),
                origin.unit(),
                origin.group(),
                profile,
                state != State.ALLOCATED,
                tasks.size(),
                origin.decision());
    }

    @Override
    public String toString() {
        return "slot " + origin.allocation() + " of job " + origin.job() + " (" + state + ")";
    }
}
