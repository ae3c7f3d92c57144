package io.berth.itests.stub;

import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMasterGateway.AcceptedSlots;
import io.berth.core.api.gateway.JobMasterGateway.LeavingWorker;
import io.berth.core.api.gateway.JobMasterGateway.NotEnoughResources;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffers;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.ResourceManagerGateway.JobMasterRegistration;
import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotsToFree;
import io.berth.core.api.job.GroupRoom;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.rpc.EndpointName;
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

/** A JobMaster that requests slots and does not use them. Confined to the one thread of {@link StubCluster}. */
final class StubJobMaster {

    private record Held(WorkerId worker, TaskExecutorGateway gateway) {}

    private final StubCluster cluster;
    private final JobId job;
    private final JobMasterId id;
    private final long submission;
    private final ResourceProfile profile;
    private final SortedMap<AllocationId, Held> held = new TreeMap<>();
    private final SortedMap<WorkerId, TaskExecutorGateway> workers = new TreeMap<>();
    private RpcService.Served served;
    private long sequence;
    private int wanted;
    private int underWay;
    private boolean left;
    /** When more was declared of which nothing was requested yet; 0: never. */
    private long declaredNanos;

    StubJobMaster(StubCluster cluster, String name, long submission, long amount) {
        this.cluster = cluster;
        this.job = new JobId(name);
        this.submission = submission;
        this.id = new JobMasterId(new FencingToken(1, new UUID(9, submission)));
        SortedMap<String, Long> extended = new TreeMap<>();
        extended.put(StubCluster.RESOURCE, amount);
        this.profile = new ResourceProfile(0, 0, 0, 0, extended);
    }

    JobId job() {
        return job;
    }

    int wanted() {
        return wanted;
    }

    void start(int slots) {
        wanted = slots;
        served = cluster.rpc()
                .serve(EndpointName.jobMaster(job), id.token(), PartialGateway.of(JobMasterGateway.class, this));
        underWay++;
        cluster.whenComplete(
                cluster.resourceManager()
                        .registerJobMaster(
                                new JobMasterRegistration(job, id, served.endpoint(), submission, List.of(), "")),
                (answer, failure) -> {
                    underWay--;
                    if (left) {
                        // The registration may have arrived after the disconnect message.
                        cluster.resourceManager().disconnectJobMaster(job, id, "it has ended");
                    } else if (answer instanceof RegistrationResponse.Accepted) {
                        declare();
                    } else {
                        cluster.violation("job " + job + " could not register: " + answer + " " + failure);
                    }
                });
    }

    /** Declares first and returns slots then, so that nothing is allocated for returned slots. */
    void want(int slots) {
        wanted = slots;
        declare();
    }

    private void declare() {
        int slots = wanted;
        declaredNanos = slots > held.size() ? System.nanoTime() : 0;
        underWay++;
        RequirementsDeclaration declaration = new RequirementsDeclaration(
                job,
                id,
                ++sequence,
                submission,
                SchedulingAttributes.DEFAULT,
                List.of(new UnitRequirement(
                        "all", List.of(new GroupRequirement("slots", profile, slots == 0 ? 0 : 1, slots)))));
        cluster.whenComplete(cluster.resourceManager().declareRequirements(declaration), (done, failure) -> {
            underWay--;
            if (failure != null && !left) {
                cluster.violation("job " + job + " could not declare: " + failure);
            }
            release();
        });
    }

    private void release() {
        while (!left && held.size() > wanted) {
            AllocationId last = held.lastKey();
            Held slot = held.remove(last);
            slot.gateway().freeSlots(new SlotsToFree(job, id, List.of(last), "not needed"));
        }
    }

    void leave() {
        left = true;
        wanted = 0;
        held.clear();
        underWay++;
        cluster.whenComplete(
                cluster.resourceManager().disconnectJobMaster(job, id, "it has ended"), (done, failure) -> {
                    workers.values()
                            .forEach(worker ->
                                    worker.disconnectJobMaster(job, id, new InstanceId(0), true, "the job has ended"));
                    served.close();
                    underWay--;
                });
    }

    /** Time from the declaration to the request of its first slot. */
    long takeDeclaredNanos() {
        long then = declaredNanos;
        declaredNanos = 0;
        return then;
    }

    /** Empty when it has what it wants. */
    String unsettled() {
        return underWay == 0 && held.size() == wanted
                ? ""
                : job + " has " + held.size() + " of " + wanted + " slots, " + underWay + " calls under way";
    }

    List<String> held() {
        List<String> lines = new ArrayList<>();
        held.forEach((allocation, slot) -> lines.add(slot.worker() + " " + allocation + " " + job));
        return lines;
    }

    public CompletionStage<RegistrationResponse> registerWorker(WorkerAtJob worker) {
        return cluster.call(() -> {
            workers.put(worker.worker(), cluster.rpc().taskExecutor(worker.endpoint()));
            return new RegistrationResponse.Accepted(new InstanceId(0), 2_000, 60_000);
        });
    }

    public CompletionStage<AcceptedSlots> offerSlots(SlotOffers offers) {
        return cluster.call(() -> {
            List<AllocationId> accepted = new ArrayList<>();
            for (SlotOffer offer : offers.offers()) {
                Held before = held.get(offer.allocation());
                if (before != null && !before.worker().equals(offers.worker())) {
                    cluster.violation("allocation " + offer.allocation() + " is on " + before.worker() + " and "
                            + offers.worker());
                } else if (!left && (before != null || held.size() < wanted)) {
                    held.put(offer.allocation(), new Held(offers.worker(), workers.get(offers.worker())));
                    accepted.add(offer.allocation());
                }
            }
            return new AcceptedSlots(accepted);
        });
    }

    public CompletionStage<Acknowledge> failSlot(
            WorkerId worker, WorkerSessionId session, AllocationId allocation, String cause) {
        return cluster.acknowledge(() -> cluster.violation("slot " + allocation + " of " + job + " failed: " + cause));
    }

    public CompletionStage<Acknowledge> heartbeatFromResourceManager(
            ResourceManagerId resourceManager, long declaration, List<GroupRoom> room) {
        return cluster.acknowledge(() -> {});
    }

    public CompletionStage<Acknowledge> notEnoughResources(NotEnoughResources notice) {
        return cluster.acknowledge(() -> {});
    }

    public CompletionStage<List<AllocationId>> requestSlotReturn(
            ResourceManagerId resourceManager, List<AllocationId> allocations, boolean aboveMinimum, String cause) {
        return CompletableFuture.completedStage(List.of());
    }

    public CompletionStage<Acknowledge> disconnectWorker(
            ResourceManagerId resourceManager, WorkerId worker, WorkerSessionId session, String cause) {
        return cluster.acknowledge(() -> {
            if (cluster.isElsewhere(worker)) {
                held.values().removeIf(slot -> slot.worker().equals(worker));
            } else {
                cluster.violation("job " + job + " lost worker " + worker + ": " + cause);
            }
        });
    }

    public CompletionStage<Acknowledge> blockWorkers(
            ResourceManagerId resourceManager, long number, List<WorkerId> workers, List<LeavingWorker> leaving) {
        return cluster.acknowledge(() -> {});
    }

    public CompletionStage<Acknowledge> disconnectResourceManager(ResourceManagerId resourceManager, String cause) {
        return cluster.acknowledge(() -> cluster.violation("job " + job + " was given up: " + cause));
    }

    public CompletionStage<Acknowledge> cancel(String cause) {
        return cluster.acknowledge(() -> {});
    }
}
