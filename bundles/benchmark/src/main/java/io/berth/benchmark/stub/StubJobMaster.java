package io.berth.benchmark.stub;

import io.berth.benchmark.workload.Workload;
import io.berth.core.api.FencingToken;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.JobMasterGateway.LeavingWorker;
import io.berth.core.api.gateway.JobMasterGateway.NotEnoughResources;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.ResourceManagerGateway.JobMasterRegistration;
import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.core.api.job.GroupRoom;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A JobMaster that declares the requirements of its job of a workload, and acknowledges what it receives. */
final class StubJobMaster {

    private final JobId job;
    private final JobMasterId id;
    private final long submissionIndex;
    private final List<UnitRequirement> units;

    /** @param counts slots of each profile that the job requests; no minimum */
    StubJobMaster(int number, Workload workload, int[] counts) {
        this.job = new JobId("job-" + number);
        this.id = new JobMasterId(new FencingToken(1, new UUID(2, number)));
        this.submissionIndex = number;
        List<GroupRequirement> groups = new ArrayList<>();
        for (int profile = 0; profile < counts.length; profile++) {
            if (counts[profile] > 0) {
                groups.add(new GroupRequirement("group-" + profile, workload.profile(profile), 0, counts[profile]));
            }
        }
        units = groups.isEmpty() ? List.of() : List.of(new UnitRequirement("all", groups));
    }

    FencingToken token() {
        return id.token();
    }

    JobId job() {
        return job;
    }

    JobMasterRegistration registration() {
        return new JobMasterRegistration(
                job,
                id,
                new EndpointRef(StubRpc.ADDRESS, EndpointName.jobMaster(job), id.token()),
                submissionIndex,
                List.of(),
                "");
    }

    /** @param sequence a declaration with a lower number than the last one has no effect */
    RequirementsDeclaration declaration(long sequence) {
        return new RequirementsDeclaration(job, id, sequence, submissionIndex, SchedulingAttributes.DEFAULT, units);
    }

    private static CompletionStage<Acknowledge> acknowledge() {
        return CompletableFuture.completedFuture(Acknowledge.ACKNOWLEDGE);
    }

    public CompletionStage<Acknowledge> heartbeatFromResourceManager(
            ResourceManagerId resourceManager, long declaration, List<GroupRoom> room) {
        return acknowledge();
    }

    public CompletionStage<Acknowledge> notEnoughResources(NotEnoughResources notice) {
        return acknowledge();
    }

    public CompletionStage<Acknowledge> disconnectWorker(
            ResourceManagerId resourceManager, WorkerId worker, WorkerSessionId session, String cause) {
        return acknowledge();
    }

    public CompletionStage<Acknowledge> blockWorkers(
            ResourceManagerId resourceManager, long number, List<WorkerId> workers, List<LeavingWorker> leaving) {
        return acknowledge();
    }

    public CompletionStage<Acknowledge> disconnectResourceManager(ResourceManagerId resourceManager, String cause) {
        return acknowledge();
    }

    public CompletionStage<List<AllocationId>> requestSlotReturn(
            ResourceManagerId resourceManager, List<AllocationId> allocations, boolean aboveMinimum, String cause) {
        return CompletableFuture.completedFuture(List.of());
    }
}
