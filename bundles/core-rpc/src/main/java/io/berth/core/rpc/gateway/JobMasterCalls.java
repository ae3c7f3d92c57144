package io.berth.core.rpc.gateway;

import com.google.protobuf.MessageLite;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.SplitPart;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import io.berth.core.rpc.proto.CommonProto;
import io.berth.core.rpc.proto.JobMasterProto;
import io.berth.core.rpc.proto.JobProto;
import io.berth.core.rpc.wire.CommonWire;
import io.berth.core.rpc.wire.JobMasterWire;
import io.berth.core.rpc.wire.JobWire;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A JobMaster's gateway: its methods, and its stub. */
public final class JobMasterCalls {

    private static final RpcMethod<JobMasterGateway, RegistrationResponse> REGISTER_WORKER = method(
            "RegisterWorker",
            bytes -> {
                JobMasterGateway.WorkerAtJob worker = JobMasterWire.from(JobMasterProto.WorkerAtJob.parseFrom(bytes));
                return gateway -> gateway.registerWorker(worker);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.RegistrationResponse.parseFrom(bytes)));

    private static final RpcMethod<JobMasterGateway, JobMasterGateway.AcceptedSlots> OFFER_SLOTS = method(
            "OfferSlots",
            bytes -> {
                JobMasterGateway.SlotOffers offers = JobMasterWire.from(JobMasterProto.SlotOffers.parseFrom(bytes));
                return gateway -> gateway.offerSlots(offers);
            },
            answer -> CommonWire.allocations(answer.accepted()),
            bytes -> new JobMasterGateway.AcceptedSlots(CommonWire.from(CommonProto.AllocationIds.parseFrom(bytes))));

    private static final RpcMethod<JobMasterGateway, Acknowledge> FAIL_SLOT = method(
            "FailSlot",
            bytes -> {
                JobMasterProto.FailedSlot message = JobMasterProto.FailedSlot.parseFrom(bytes);
                WorkerId worker = new WorkerId(message.getWorker());
                WorkerSessionId session = CommonWire.workerSessionId(message.getSession());
                AllocationId allocation = CommonWire.from(message.getAllocation());
                String cause = message.getCause();
                return gateway -> gateway.failSlot(worker, session, allocation, cause);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.Acknowledge.parseFrom(bytes)));

    private static final RpcMethod<JobMasterGateway, Acknowledge> UPDATE_TASK = method(
            "UpdateTask",
            bytes -> {
                JobMasterGateway.TaskUpdate update = JobMasterWire.from(JobMasterProto.TaskUpdate.parseFrom(bytes));
                return gateway -> gateway.updateTask(update);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.Acknowledge.parseFrom(bytes)));

    private static final RpcMethod<JobMasterGateway, Acknowledge> REPORT_SPLITS = method(
            "ReportSplits",
            bytes -> {
                JobMasterProto.Splits message = JobMasterProto.Splits.parseFrom(bytes);
                AttemptId attempt = CommonWire.from(message.getAttempt());
                String vertex = message.getVertex();
                SplitPart part = JobMasterWire.splits(message);
                return gateway -> gateway.reportSplits(attempt, vertex, part);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.Acknowledge.parseFrom(bytes)));

    private static final RpcMethod<JobMasterGateway, SplitAnswer> NEXT_SPLIT = method(
            "NextSplit",
            bytes -> {
                JobMasterProto.SplitRequest message = JobMasterProto.SplitRequest.parseFrom(bytes);
                AttemptId attempt = CommonWire.from(message.getAttempt());
                String vertex = message.getVertex();
                long number = message.getNumber();
                return gateway -> gateway.nextSplit(attempt, vertex, number);
            },
            JobMasterWire::to,
            bytes -> JobMasterWire.from(JobMasterProto.SplitAnswer.parseFrom(bytes)));

    private static final RpcMethod<JobMasterGateway, Acknowledge> HEARTBEAT_FROM_RESOURCE_MANAGER = method(
            "HeartbeatFromResourceManager",
            bytes -> {
                CommonProto.ResourceManagerHeartbeat message = CommonProto.ResourceManagerHeartbeat.parseFrom(bytes);
                ResourceManagerId sender = CommonWire.resourceManagerId(message.getResourceManager());
                return gateway -> gateway.heartbeatFromResourceManager(sender);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.Acknowledge.parseFrom(bytes)));

    private static final RpcMethod<JobMasterGateway, Acknowledge> NOT_ENOUGH_RESOURCES = method(
            "NotEnoughResources",
            bytes -> {
                JobMasterGateway.NotEnoughResources notice =
                        JobMasterWire.from(JobMasterProto.MissingResources.parseFrom(bytes));
                return gateway -> gateway.notEnoughResources(notice);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.Acknowledge.parseFrom(bytes)));

    private static final RpcMethod<JobMasterGateway, List<AllocationId>> REQUEST_SLOT_RETURN = method(
            "RequestSlotReturn",
            bytes -> {
                JobMasterProto.SlotReturn message = JobMasterProto.SlotReturn.parseFrom(bytes);
                ResourceManagerId sender = CommonWire.resourceManagerId(message.getResourceManager());
                List<AllocationId> allocations = CommonWire.list(message.getAllocationsList(), CommonWire::from);
                String cause = message.getCause();
                return gateway -> gateway.requestSlotReturn(sender, allocations, cause);
            },
            CommonWire::allocations,
            bytes -> CommonWire.from(CommonProto.AllocationIds.parseFrom(bytes)));

    private static final RpcMethod<JobMasterGateway, Acknowledge> DISCONNECT_WORKER = method(
            "DisconnectWorker",
            bytes -> {
                JobMasterProto.LostWorker message = JobMasterProto.LostWorker.parseFrom(bytes);
                ResourceManagerId sender = CommonWire.resourceManagerId(message.getResourceManager());
                WorkerId worker = new WorkerId(message.getWorker());
                WorkerSessionId session = CommonWire.workerSessionId(message.getSession());
                String cause = message.getCause();
                return gateway -> gateway.disconnectWorker(sender, worker, session, cause);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.Acknowledge.parseFrom(bytes)));

    private static final RpcMethod<JobMasterGateway, Acknowledge> BLOCK_WORKERS = method(
            "BlockWorkers",
            bytes -> {
                JobMasterProto.BlockedWorkers message = JobMasterProto.BlockedWorkers.parseFrom(bytes);
                ResourceManagerId sender = CommonWire.resourceManagerId(message.getResourceManager());
                List<WorkerId> workers = CommonWire.list(message.getWorkersList(), WorkerId::new);
                long number = message.getNumber();
                return gateway -> gateway.blockWorkers(sender, number, workers);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.Acknowledge.parseFrom(bytes)));

    private static final RpcMethod<JobMasterGateway, Acknowledge> DISCONNECT_RESOURCE_MANAGER = method(
            "DisconnectResourceManager",
            bytes -> {
                CommonProto.ResourceManagerGone message = CommonProto.ResourceManagerGone.parseFrom(bytes);
                ResourceManagerId sender = CommonWire.resourceManagerId(message.getResourceManager());
                String cause = message.getCause();
                return gateway -> gateway.disconnectResourceManager(sender, cause);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.Acknowledge.parseFrom(bytes)));

    private static final RpcMethod<JobMasterGateway, JobDetails> DETAILS = method(
            "Details",
            bytes -> {
                CommonProto.Empty unused = CommonProto.Empty.parseFrom(bytes);
                return JobMasterGateway::details;
            },
            JobWire::to,
            bytes -> JobWire.from(JobProto.JobDetails.parseFrom(bytes)));

    private static final RpcMethod<JobMasterGateway, Acknowledge> CANCEL = method(
            "Cancel",
            bytes -> {
                JobMasterProto.Cancellation message = JobMasterProto.Cancellation.parseFrom(bytes);
                String cause = message.getCause();
                return gateway -> gateway.cancel(cause);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.Acknowledge.parseFrom(bytes)));

    public static final List<RpcMethod<JobMasterGateway, ?>> ALL = List.of(
            REGISTER_WORKER,
            OFFER_SLOTS,
            FAIL_SLOT,
            UPDATE_TASK,
            REPORT_SPLITS,
            NEXT_SPLIT,
            HEARTBEAT_FROM_RESOURCE_MANAGER,
            NOT_ENOUGH_RESOURCES,
            REQUEST_SLOT_RETURN,
            DISCONNECT_WORKER,
            BLOCK_WORKERS,
            DISCONNECT_RESOURCE_MANAGER,
            DETAILS,
            CANCEL);

    private JobMasterCalls() {}

    private static <R> RpcMethod<JobMasterGateway, R> method(
            String name,
            RpcMethod.Reader<RpcMethod.Invocation<JobMasterGateway, R>> request,
            Function<R, MessageLite> answer,
            RpcMethod.Reader<R> answerReader) {
        return new RpcMethod<>(
                RpcProtocol.descriptor("JobMaster", name), JobMasterGateway.class, request, answer, answerReader);
    }

    /** The gateway as its callers see it. */
    public record Stub(EndpointRef endpoint, Caller caller) implements JobMasterGateway {

        @Override
        public CompletionStage<RegistrationResponse> registerWorker(JobMasterGateway.WorkerAtJob worker) {
            return caller.call(
                    endpoint,
                    REGISTER_WORKER,
                    gateway -> gateway.registerWorker(worker),
                    () -> JobMasterWire.to(worker));
        }

        @Override
        public CompletionStage<JobMasterGateway.AcceptedSlots> offerSlots(JobMasterGateway.SlotOffers offers) {
            return caller.call(
                    endpoint, OFFER_SLOTS, gateway -> gateway.offerSlots(offers), () -> JobMasterWire.to(offers));
        }

        @Override
        public CompletionStage<Acknowledge> failSlot(
                WorkerId worker, WorkerSessionId session, AllocationId allocation, String cause) {
            return caller.call(
                    endpoint,
                    FAIL_SLOT,
                    gateway -> gateway.failSlot(worker, session, allocation, cause),
                    () -> JobMasterWire.failedSlot(worker, session, allocation, cause));
        }

        @Override
        public CompletionStage<Acknowledge> updateTask(JobMasterGateway.TaskUpdate update) {
            return caller.call(
                    endpoint, UPDATE_TASK, gateway -> gateway.updateTask(update), () -> JobMasterWire.to(update));
        }

        @Override
        public CompletionStage<Acknowledge> reportSplits(AttemptId attempt, String vertex, SplitPart part) {
            return caller.call(
                    endpoint,
                    REPORT_SPLITS,
                    gateway -> gateway.reportSplits(attempt, vertex, part),
                    () -> JobMasterWire.splits(attempt, vertex, part));
        }

        @Override
        public CompletionStage<SplitAnswer> nextSplit(AttemptId attempt, String vertex, long number) {
            return caller.call(
                    endpoint,
                    NEXT_SPLIT,
                    gateway -> gateway.nextSplit(attempt, vertex, number),
                    () -> JobMasterWire.splitRequest(attempt, vertex, number));
        }

        @Override
        public CompletionStage<Acknowledge> heartbeatFromResourceManager(ResourceManagerId sender) {
            return caller.call(
                    endpoint,
                    HEARTBEAT_FROM_RESOURCE_MANAGER,
                    gateway -> gateway.heartbeatFromResourceManager(sender),
                    () -> CommonWire.heartbeat(sender));
        }

        @Override
        public CompletionStage<Acknowledge> notEnoughResources(JobMasterGateway.NotEnoughResources notice) {
            return caller.call(
                    endpoint,
                    NOT_ENOUGH_RESOURCES,
                    gateway -> gateway.notEnoughResources(notice),
                    () -> JobMasterWire.to(notice));
        }

        @Override
        public CompletionStage<List<AllocationId>> requestSlotReturn(
                ResourceManagerId sender, List<AllocationId> allocations, String cause) {
            return caller.call(
                    endpoint,
                    REQUEST_SLOT_RETURN,
                    gateway -> gateway.requestSlotReturn(sender, allocations, cause),
                    () -> JobMasterWire.slotReturn(sender, allocations, cause));
        }

        @Override
        public CompletionStage<Acknowledge> disconnectWorker(
                ResourceManagerId sender, WorkerId worker, WorkerSessionId session, String cause) {
            return caller.call(
                    endpoint,
                    DISCONNECT_WORKER,
                    gateway -> gateway.disconnectWorker(sender, worker, session, cause),
                    () -> JobMasterWire.lostWorker(sender, worker, session, cause));
        }

        @Override
        public CompletionStage<Acknowledge> blockWorkers(
                ResourceManagerId sender, long number, List<WorkerId> workers) {
            return caller.call(
                    endpoint,
                    BLOCK_WORKERS,
                    gateway -> gateway.blockWorkers(sender, number, workers),
                    () -> JobMasterWire.blockedWorkers(sender, number, workers));
        }

        @Override
        public CompletionStage<Acknowledge> disconnectResourceManager(ResourceManagerId sender, String cause) {
            return caller.call(
                    endpoint,
                    DISCONNECT_RESOURCE_MANAGER,
                    gateway -> gateway.disconnectResourceManager(sender, cause),
                    () -> CommonWire.gone(sender, cause));
        }

        @Override
        public CompletionStage<JobDetails> details() {
            return caller.call(
                    endpoint, DETAILS, gateway -> gateway.details(), () -> CommonProto.Empty.getDefaultInstance());
        }

        @Override
        public CompletionStage<Acknowledge> cancel(String cause) {
            return caller.call(
                    endpoint, CANCEL, gateway -> gateway.cancel(cause), () -> JobMasterWire.cancellation(cause));
        }
    }
}
