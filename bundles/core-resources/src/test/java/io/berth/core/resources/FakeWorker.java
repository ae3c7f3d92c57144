package io.berth.core.resources;

import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway.JobMasterChange;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswers;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotsToFree;
import io.berth.core.api.gateway.WorkerLeaves;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogList;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** A worker that grants what is requested, unless a test sets otherwise. */
public final class FakeWorker {

    public final WorkerId id;
    public final WorkerSessionId session;
    public final SortedMap<AllocationId, SlotReport.Slot> slots = new TreeMap<>();
    public final List<SlotRequest> requested = new ArrayList<>();
    public final List<String> told = new ArrayList<>();
    public int calls;
    public boolean dead;
    public WorkerLabels attributes = WorkerLabels.NONE;
    /** What it states itself. */
    public double costPerHour;

    public long ageMillis;
    /** As the last call said. */
    public WorkerLeaves leaving = WorkerLeaves.NONE;

    public LogList logs = LogList.NONE;
    public LogPart part = LogPart.NONE;
    public boolean mute;
    public boolean holdAnswers;
    public boolean losesAnswers;
    /** Calls for slots fail, but not before {@link #answer}. */
    public boolean failsLate;

    public Predicate<SlotRequest> refuses = request -> false;
    int capacity = Integer.MAX_VALUE;
    /** Stored results that it reports. */
    public int results;

    public InstanceId instance = new InstanceId(0);
    private final List<Runnable> answers = new ArrayList<>();

    public FakeWorker(String id, long epoch) {
        this.id = new WorkerId(id);
        session = new WorkerSessionId(new FencingToken(epoch, new UUID(epoch, id.hashCode())));
    }

    public EndpointRef endpoint() {
        return new EndpointRef(new RpcAddress("127.0.0.1", 7000), EndpointName.worker(id), session.token());
    }

    public WorkerRegistration registration(ResourceProfile total, int slotCount, String backend, String spec) {
        return new WorkerRegistration(
                id,
                session,
                endpoint(),
                "127.0.0.1:1",
                total,
                slotCount,
                backend,
                spec,
                attributes,
                costPerHour,
                ageMillis,
                report(),
                leaving);
    }

    SlotReport report() {
        return new SlotReport(List.copyOf(slots.values()), results);
    }

    /** Jobs take all slots, which the next report says. */
    public void take() {
        slots.replaceAll((allocation, slot) -> new SlotReport.Slot(
                allocation,
                slot.job(),
                slot.jobMaster(),
                slot.unit(),
                slot.group(),
                slot.profile(),
                true,
                1,
                slot.decision()));
    }

    /** Lets the worker answer what it was asked while its answers were held back. */
    public void answer() {
        holdAnswers = false;
        List.copyOf(answers).forEach(Runnable::run);
        answers.clear();
    }

    private <T> CompletionStage<T> later(T value) {
        if (dead) {
            return CompletableFuture.failedFuture(new RpcException(RpcException.Kind.UNREACHABLE, "worker is dead"));
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (holdAnswers) {
            answers.add(() -> answer.complete(value));
        } else if (!mute) {
            answer.complete(value);
        }
        return answer;
    }

    public CompletionStage<Acknowledge> relabel(ResourceManagerId from, long number, WorkerLabels changed) {
        if (!dead) {
            attributes = changed;
        }
        return losesAnswers
                ? CompletableFuture.failedFuture(new RpcException(RpcException.Kind.DEADLINE, "no answer in time"))
                : later(Acknowledge.ACKNOWLEDGE);
    }

    public CompletionStage<Acknowledge> leave(ResourceManagerId from, long number, WorkerLeaves leave) {
        if (!dead) {
            leaving = leave;
        }
        return later(Acknowledge.ACKNOWLEDGE);
    }

    public CompletionStage<SlotRequestAnswers> requestSlots(SlotRequests requests) {
        calls++;
        List<SlotRequestAnswer> result = new ArrayList<>();
        for (SlotRequest request : requests.requests()) {
            requested.add(request);
            boolean refused = dead || slots.size() >= capacity || refuses.test(request);
            if (!refused) {
                slots.put(
                        request.allocation(),
                        new SlotReport.Slot(
                                request.allocation(),
                                request.job(),
                                new JobMasterId(request.jobMaster().token()),
                                request.unit(),
                                request.group(),
                                request.profile(),
                                false,
                                0,
                                request.decision()));
            }
            result.add(new SlotRequestAnswer(request.allocation(), refused ? "no room" : ""));
        }
        if (failsLate) {
            CompletableFuture<SlotRequestAnswers> late = new CompletableFuture<>();
            answers.add(() ->
                    late.completeExceptionally(new RpcException(RpcException.Kind.DEADLINE, "no answer in time")));
            return late;
        }
        return losesAnswers
                ? CompletableFuture.failedFuture(new RpcException(RpcException.Kind.DEADLINE, "no answer in time"))
                : later(new SlotRequestAnswers(result));
    }

    public CompletionStage<LogList> listLogs(LogFilter filter) {
        return later(logs);
    }

    public CompletionStage<LogPart> readLog(LogRequest request) {
        return later(part);
    }

    public CompletionStage<SlotReport> heartbeatFromResourceManager(ResourceManagerId resourceManager) {
        return later(report());
    }

    public CompletionStage<Acknowledge> disconnectResourceManager(ResourceManagerId resourceManager, String cause) {
        told.add("disconnect: " + cause);
        return later(Acknowledge.ACKNOWLEDGE);
    }

    public CompletionStage<Acknowledge> jobMasterChanged(JobMasterChange change) {
        told.add("job master of " + change.job() + (change.lost() ? " lost" : " changed"));
        return later(Acknowledge.ACKNOWLEDGE);
    }

    public CompletionStage<Boolean> exit(ResourceManagerId resourceManager, boolean force, String cause) {
        told.add("exit" + (force ? " force" : ""));
        return later(force || slots.isEmpty());
    }

    public CompletionStage<Acknowledge> freeSlots(SlotsToFree toFree) {
        told.add("free " + toFree.allocations().size() + " of " + toFree.job() + " " + toFree.jobMaster());
        return later(Acknowledge.ACKNOWLEDGE);
    }

    public CompletionStage<Acknowledge> disconnectJobMaster(
            JobId job, JobMasterId jobMaster, InstanceId registration, boolean terminal, String cause) {
        told.add("lost " + job + " " + jobMaster + (terminal ? " for good" : ""));
        return later(Acknowledge.ACKNOWLEDGE);
    }
}
