package io.berth.simulator.replay.cluster;

import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.gateway.TaskExecutorGateway.JobMasterChange;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswers;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.simulator.traces.Node;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The worker on a node. It grants each requested slot at once and gives it to the job. */
public final class ReplayedWorker {

    public static final RpcAddress ADDRESS = new RpcAddress("127.0.0.1", 7000);

    /** A slot that it has given out. */
    public record Held(AllocationId allocation, JobId job, String group, ResourceProfile profile) {}

    /** Observes the worker. */
    public interface Listener {

        /** From now on, the slot belongs to its job. */
        void granted(ReplayedWorker worker, Held slot);

        /** The ResourceManager wants the worker, which has no slots, to end. @return whether it will */
        default boolean wantedToEnd(ReplayedWorker worker) {
            throw worker.unexpected("that it is to end");
        }
    }

    public final int index;
    public final long[] total;
    private final Node node;
    private final Listener listener;
    private final SortedMap<AllocationId, Held> slots = new TreeMap<>();
    private InstanceId instance = new InstanceId(0);
    private long lives;
    private WorkerId id;
    private boolean up;

    public ReplayedWorker(int index, Node node, long[] total, Listener listener) {
        this.index = index;
        this.id = standing(index);
        this.node = node;
        this.total = total.clone();
        this.listener = listener;
    }

    private static WorkerId standing(int index) {
        return new WorkerId("w" + index);
    }

    /** The id of its process, or of the last one. */
    public WorkerId id() {
        return id;
    }

    public String name() {
        return node.name();
    }

    ResourceProfile profile() {
        return node.total();
    }

    public boolean isUp() {
        return up;
    }

    public InstanceId instance() {
        return instance;
    }

    /** What it has given out, by allocation. */
    /** How many slots of this size it holds when it is empty. */
    public long room(long[] needed) {
        long room = Long.MAX_VALUE;
        for (int dimension = 0; dimension < needed.length; dimension++) {
            if (needed[dimension] > 0) {
                room = Math.min(room, total[dimension] / needed[dimension]);
            }
        }
        return room;
    }

    public Iterable<Held> slots() {
        return slots.values();
    }

    public int slotCount() {
        return slots.size();
    }

    /** Starts its process, which no backend started. @return its registration */
    public WorkerRegistration begin() {
        return begin(standing(index), "standalone", "");
    }

    /** Starts its process on behalf of a backend. @return its registration */
    public WorkerRegistration begin(WorkerId as, String backend, String spec) {
        id = as;
        up = true;
        lives++;
        return new WorkerRegistration(
                id,
                new WorkerSessionId(token()),
                new EndpointRef(ADDRESS, EndpointName.worker(id), token()),
                "127.0.0.1:7001",
                node.total(),
                1,
                backend,
                spec,
                WorkerLabels.NONE,
                SlotReport.empty());
    }

    private FencingToken token() {
        return new FencingToken(lives, new UUID(0, index));
    }

    public void registered(InstanceId as) {
        instance = as;
    }

    /** Ends its process. @return its slots, which are lost */
    public List<Held> end() {
        up = false;
        List<Held> lost = List.copyOf(slots.values());
        slots.clear();
        return lost;
    }

    /** Whether the slot still exists; false when its worker left meanwhile. */
    public boolean holds(Held slot) {
        return slots.containsKey(slot.allocation());
    }

    /** The job returns the slot. */
    public Held free(AllocationId allocation) {
        Held held = slots.remove(allocation);
        if (held == null) {
            throw new Invariants.Violation(
                    "slot " + allocation + " is returned to " + name() + ", which does not have it");
        }
        return held;
    }

    public CompletionStage<SlotRequestAnswers> requestSlots(SlotRequests requests) {
        List<SlotRequestAnswer> answers = new ArrayList<>(requests.requests().size());
        for (SlotRequest request : requests.requests()) {
            Held held = new Held(request.allocation(), request.job(), request.group(), request.profile());
            if (slots.put(request.allocation(), held) == null) {
                listener.granted(this, held);
            }
            answers.add(new SlotRequestAnswer(request.allocation(), ""));
        }
        return CompletableFuture.completedFuture(new SlotRequestAnswers(answers));
    }

    public CompletionStage<Acknowledge> jobMasterChanged(JobMasterChange change) {
        return acknowledged();
    }

    public CompletionStage<Boolean> exit(ResourceManagerId resourceManager, boolean force, String cause) {
        return CompletableFuture.completedFuture(slots.isEmpty() && listener.wantedToEnd(this));
    }

    private static CompletionStage<Acknowledge> acknowledged() {
        return CompletableFuture.completedFuture(Acknowledge.ACKNOWLEDGE);
    }

    TaskExecutorGateway gateway() {
        return PartialGateway.of(TaskExecutorGateway.class, this, this::unexpected);
    }

    private Invariants.Violation unexpected(String what) {
        return new Invariants.Violation("worker " + name() + " receives " + what + ", without a reason");
    }
}
