package io.berth.core.resources;

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
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcException;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** A JobMaster that records what it received. */
public final class FakeJobMaster {

    public final JobId job;
    public final JobMasterId id;
    final long submissionIndex;
    /** On which it says that the job has slots. */
    final List<WorkerId> workers = new ArrayList<>();

    public final List<String> notices = new ArrayList<>();
    public final List<Reason> reasons = new ArrayList<>();
    public final List<Long> numbers = new ArrayList<>();
    public final List<WorkerId> lostWorkers = new ArrayList<>();
    public final List<List<WorkerId>> blocked = new ArrayList<>();
    public final List<List<LeavingWorker>> leaving = new ArrayList<>();
    public final List<Long> blockNumbers = new ArrayList<>();
    public final List<String> told = new ArrayList<>();
    /** The slots that it was asked to return, and why. */
    public final List<AllocationId> wantedBack = new ArrayList<>();

    /** The slots that a policy proposed to return. */
    public final List<AllocationId> proposedBack = new ArrayList<>();

    /** Which of the slots that it is asked for it returns, by its answer. */
    public Predicate<AllocationId> returns = slot -> false;

    public final List<String> causes = new ArrayList<>();
    /** The declarations that heartbeats named. */
    public final List<Long> followed = new ArrayList<>();
    /** What the last heartbeat said. */
    public List<GroupRoom> room = List.of();

    public String pool = "default";
    /** What it declares about its last rescale. */
    public Optional<Long> lastRescaleMillis = Optional.empty();

    public boolean dead;
    public boolean mute;
    /** How many of the next notices do not arrive. */
    public int noticesLost;
    /** The next notice does not arrive, and its call ends as this one does. */
    public Optional<CompletableFuture<Acknowledge>> noticeOnItsWay = Optional.empty();

    private long sequence;

    public FakeJobMaster(String job, long epoch, long submissionIndex) {
        this.job = new JobId(job);
        this.submissionIndex = submissionIndex;
        id = new JobMasterId(new FencingToken(epoch, new UUID(epoch, job.hashCode())));
    }

    /** It says that it has slots on the worker. */
    public void holds(WorkerId worker) {
        workers.add(worker);
    }

    public EndpointRef endpoint() {
        return new EndpointRef(new RpcAddress("127.0.0.1", 7001), EndpointName.jobMaster(job), id.token());
    }

    JobMasterRegistration registration() {
        return new JobMasterRegistration(job, id, endpoint(), submissionIndex, workers, pool);
    }

    /** The next declaration: one unit with one group. */
    public RequirementsDeclaration requires(int minimum, int desired, ResourceProfile profile) {
        return declaration(
                ++sequence,
                List.of(new UnitRequirement(
                        "all", List.of(new GroupRequirement("default", profile, minimum, desired)))));
    }

    /** The next declaration: one unit with these groups. */
    RequirementsDeclaration requires(GroupRequirement... groups) {
        return declaration(++sequence, List.of(new UnitRequirement("all", List.of(groups))));
    }

    /** The next declaration: of a job that runs with less than its minimum. */
    public RequirementsDeclaration requiresWhileItRuns(int minimum, ResourceProfile profile) {
        return declaration(
                ++sequence,
                List.of(new UnitRequirement(
                        "all", List.of(new GroupRequirement("default", profile, minimum, minimum)), true)));
    }

    public RequirementsDeclaration declaration(long number, List<UnitRequirement> units) {
        return new RequirementsDeclaration(job, id, number, submissionIndex, attributes(), units, lastRescaleMillis);
    }

    private SchedulingAttributes attributes() {
        SchedulingAttributes normal = SchedulingAttributes.DEFAULT;
        return new SchedulingAttributes(
                pool,
                normal.queue(),
                normal.submitter(),
                normal.priority(),
                normal.expectedRuntimeMillis(),
                normal.runtimeLearnedFrom(),
                normal.labels());
    }

    private <T> CompletionStage<T> answer(T value) {
        if (dead) {
            return CompletableFuture.failedFuture(new RpcException(RpcException.Kind.UNREACHABLE, "job is dead"));
        }
        return mute ? new CompletableFuture<>() : CompletableFuture.completedFuture(value);
    }

    public CompletionStage<Acknowledge> heartbeatFromResourceManager(
            ResourceManagerId resourceManager, long declaration, List<GroupRoom> known) {
        followed.add(declaration);
        room = known;
        return answer(Acknowledge.ACKNOWLEDGE);
    }

    public CompletionStage<Acknowledge> notEnoughResources(NotEnoughResources notice) {
        if (noticeOnItsWay.isPresent()) {
            CompletableFuture<Acknowledge> call = noticeOnItsWay.get();
            noticeOnItsWay = Optional.empty();
            return call;
        }
        if (noticesLost > 0) {
            noticesLost--;
            return CompletableFuture.failedFuture(new RpcException(RpcException.Kind.DEADLINE, "no answer"));
        }
        numbers.add(notice.number());
        reasons.add(notice.why());
        notices.add(notice.why().line());
        return answer(Acknowledge.ACKNOWLEDGE);
    }

    public CompletionStage<Acknowledge> disconnectWorker(
            ResourceManagerId resourceManager, WorkerId worker, WorkerSessionId session, String cause) {
        lostWorkers.add(worker);
        return answer(Acknowledge.ACKNOWLEDGE);
    }

    public CompletionStage<Acknowledge> blockWorkers(
            ResourceManagerId resourceManager, long number, List<WorkerId> workers, List<LeavingWorker> leaves) {
        blocked.add(workers);
        leaving.add(leaves);
        blockNumbers.add(number);
        return answer(Acknowledge.ACKNOWLEDGE);
    }

    public CompletionStage<Acknowledge> disconnectResourceManager(ResourceManagerId resourceManager, String cause) {
        told.add("disconnect");
        return answer(Acknowledge.ACKNOWLEDGE);
    }

    public CompletionStage<List<AllocationId>> requestSlotReturn(
            ResourceManagerId resourceManager, List<AllocationId> allocations, boolean aboveMinimum, String cause) {
        (aboveMinimum ? proposedBack : wantedBack).addAll(allocations);
        causes.add(cause);
        return answer(allocations.stream().filter(returns).toList());
    }
}
