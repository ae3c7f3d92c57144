package io.berth.simulator.replay.cluster;

import io.berth.core.api.FencingToken;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMasterGateway.LeavingWorker;
import io.berth.core.api.gateway.JobMasterGateway.NotEnoughResources;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.ResourceManagerGateway.JobMasterRegistration;
import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.simulator.traces.TraceJob;
import io.berth.simulator.traces.TraceJob.Demand;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The JobMaster of a job of a trace: one unit, which is a gang (minimum = desired), with a group for each slot size.
 */
public final class ReplayedJob {

    /** A slot of the job, and its worker. */
    public record Taken(ReplayedWorker worker, ReplayedWorker.Held slot) {}

    public enum State {
        TO_COME,
        WAITING,
        RUNNING,
        /** Returned slots and stands still until it has others. */
        MOVING,
        ENDED
    }

    /** Learns what the ResourceManager says. */
    public interface Listener {

        /** A worker is lost that has slots of the job. */
        void workerLost(ReplayedJob job);

        /** The job is asked for slots. @return those that it returns */
        default List<AllocationId> wantedBack(ReplayedJob job, List<AllocationId> slots) {
            return List.of();
        }
    }

    public final int index;
    public final JobId id;
    public final TraceJob trace;
    private final Listener listener;
    private final Map<AllocationId, Taken> taken = new LinkedHashMap<>();
    private final int[] have;
    private int lacking;
    private State state = State.TO_COME;
    private long sequence;
    private int attempt;
    private long startedMillis;
    private int runs;

    /** @param index in the order of arrivals */
    public ReplayedJob(int index, TraceJob trace, Listener listener) {
        this.index = index;
        this.id = new JobId("j" + index);
        this.trace = trace;
        this.listener = listener;
        this.have = new int[trace.demands().size()];
    }

    private JobMasterId jobMaster() {
        return new JobMasterId(new FencingToken(1, new UUID(0, index)));
    }

    public JobMasterId master() {
        return jobMaster();
    }

    public JobMasterRegistration registration() {
        return new JobMasterRegistration(
                id,
                jobMaster(),
                new EndpointRef(
                        ReplayedWorker.ADDRESS,
                        EndpointName.jobMaster(id),
                        jobMaster().token()),
                index,
                List.of(),
                "");
    }

    public State state() {
        return state;
    }

    /** How often it was put into the queue. */
    public int attempt() {
        return attempt;
    }

    /** How often it started to run. */
    public int runs() {
        return runs;
    }

    /** When it last started to run. */
    public long startedMillis() {
        return startedMillis;
    }

    /** Puts the job into the queue. @return what it requires */
    public RequirementsDeclaration wait(int attempts) {
        state = State.WAITING;
        attempt = attempts;
        lacking = trace.slots();
        Arrays.fill(have, 0);
        return declaration(List.of(new UnitRequirement("all", groups(true))));
    }

    /** What it requires while it runs, when its slots may move: at least half of each group, rounded down. */
    public RequirementsDeclaration movable() {
        return declaration(List.of(new UnitRequirement("all", groups(false))));
    }

    private List<GroupRequirement> groups(boolean gang) {
        List<GroupRequirement> groups = new ArrayList<>();
        for (int group = 0; group < have.length; group++) {
            Demand demand = trace.demands().get(group);
            groups.add(new GroupRequirement(
                    Integer.toString(group), demand.profile(), gang ? demand.count() : minimum(group), demand.count()));
        }
        return groups;
    }

    private int minimum(int group) {
        return trace.demands().get(group).count() / 2;
    }

    /** Returns slots, and stands still until it has as many others. @return the slots that it had */
    public List<Taken> move(List<AllocationId> slots) {
        state = State.MOVING;
        List<Taken> returned = new ArrayList<>();
        for (AllocationId slot : slots) {
            Taken had = taken.remove(slot);
            if (had != null) {
                int group = Integer.parseInt(had.slot().group());
                if (--have[group] < minimum(group)) {
                    throw new Invariants.Violation(
                            "job " + trace.name() + " is asked for a slot of its minimum of " + minimum(group));
                }
                lacking++;
                returned.add(had);
            }
        }
        return returned;
    }

    /** A declaration that requires nothing. */
    public RequirementsDeclaration nothing() {
        return declaration(List.of());
    }

    private RequirementsDeclaration declaration(List<UnitRequirement> units) {
        SchedulingAttributes attributes = new SchedulingAttributes(
                SchedulingAttributes.DEFAULT.pool(),
                trace.queue(),
                trace.user(),
                0,
                trace.expectedMillis().orElse(0),
                0,
                Collections.emptySortedMap());
        return new RequirementsDeclaration(id, jobMaster(), ++sequence, index, attributes, units);
    }

    /**
     * A worker has a slot for the job.
     *
     * @return whether the job now has all its slots
     */
    public boolean take(ReplayedWorker worker, ReplayedWorker.Held slot) {
        int group = Integer.parseInt(slot.group());
        if (state != State.WAITING && state != State.MOVING) {
            throw new Invariants.Violation(
                    "job " + trace.name() + " is granted slot " + slot.allocation() + " while it is " + state);
        }
        if (!slot.profile().equals(trace.demands().get(group).profile())) {
            throw new Invariants.Violation("job " + trace.name() + " asked for "
                    + trace.demands().get(group).profile() + " and is granted " + slot.profile());
        }
        if (++have[group] > trace.demands().get(group).count()) {
            throw new Invariants.Violation("job " + trace.name() + " asked for "
                    + trace.demands().get(group).count() + " slots of group " + group + " and is granted "
                    + have[group]);
        }
        taken.put(slot.allocation(), new Taken(worker, slot));
        return --lacking == 0;
    }

    public void run(long nowMillis) {
        state = State.RUNNING;
        startedMillis = nowMillis;
        runs++;
    }

    public void end() {
        state = State.ENDED;
    }

    public int slotCount() {
        return taken.size();
    }

    /** Removes all its slots. @return the removed slots */
    public List<Taken> releaseAll() {
        List<Taken> had = List.copyOf(taken.values());
        taken.clear();
        return had;
    }

    boolean has(WorkerId worker) {
        return taken.values().stream().anyMatch(slot -> slot.worker().id().equals(worker));
    }

    public CompletionStage<Acknowledge> disconnectWorker(
            ResourceManagerId resourceManager, WorkerId worker, WorkerSessionId session, String cause) {
        if (has(worker)) {
            listener.workerLost(this);
        }
        return CompletableFuture.completedFuture(Acknowledge.ACKNOWLEDGE);
    }

    public CompletionStage<List<AllocationId>> requestSlotReturn(
            ResourceManagerId resourceManager, List<AllocationId> slots, boolean aboveMinimum, String cause) {
        return CompletableFuture.completedFuture(listener.wantedBack(this, slots));
    }

    public CompletionStage<Acknowledge> notEnoughResources(NotEnoughResources notice) {
        return CompletableFuture.completedFuture(Acknowledge.ACKNOWLEDGE);
    }

    public CompletionStage<Acknowledge> blockWorkers(
            ResourceManagerId resourceManager, long number, List<WorkerId> workers, List<LeavingWorker> leaving) {
        return CompletableFuture.completedFuture(Acknowledge.ACKNOWLEDGE);
    }

    JobMasterGateway gateway() {
        return PartialGateway.of(JobMasterGateway.class, this, this::unexpected);
    }

    private Invariants.Violation unexpected(String what) {
        return new Invariants.Violation("job " + trace.name() + " receives " + what + ", without a reason");
    }
}
