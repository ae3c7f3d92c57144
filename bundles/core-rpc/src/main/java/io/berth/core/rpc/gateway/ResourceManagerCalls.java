package io.berth.core.rpc.gateway;

import com.google.protobuf.MessageLite;
import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerBlock;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.rpc.proto.CommonProto;
import io.berth.core.rpc.proto.ResourceManagerProto;
import io.berth.core.rpc.wire.CommonWire;
import io.berth.core.rpc.wire.ResourceManagerWire;
import io.berth.spi.JobId;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The ResourceManager's gateway: its methods, and its stub. */
public final class ResourceManagerCalls {

    private static final RpcMethod<ResourceManagerGateway, RegistrationResponse> REGISTER_WORKER = method(
            "RegisterWorker",
            bytes -> {
                ResourceManagerGateway.WorkerRegistration registration =
                        ResourceManagerWire.from(ResourceManagerProto.WorkerRegistration.parseFrom(bytes));
                return gateway -> gateway.registerWorker(registration);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.RegistrationResponse.parseFrom(bytes)));

    private static final RpcMethod<ResourceManagerGateway, Acknowledge> SLOT_FREED = method(
            "SlotFreed",
            bytes -> {
                ResourceManagerGateway.SlotFreed notice =
                        ResourceManagerWire.from(ResourceManagerProto.FreedSlot.parseFrom(bytes));
                return gateway -> gateway.slotFreed(notice);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.Acknowledge.parseFrom(bytes)));

    private static final RpcMethod<ResourceManagerGateway, Acknowledge> DISCONNECT_WORKER = method(
            "DisconnectWorker",
            bytes -> {
                ResourceManagerProto.WorkerGone message = ResourceManagerProto.WorkerGone.parseFrom(bytes);
                InstanceId instance = new InstanceId(message.getInstance());
                String cause = message.getCause();
                return gateway -> gateway.disconnectWorker(instance, cause);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.Acknowledge.parseFrom(bytes)));

    private static final RpcMethod<ResourceManagerGateway, RegistrationResponse> REGISTER_JOB_MASTER = method(
            "RegisterJobMaster",
            bytes -> {
                ResourceManagerGateway.JobMasterRegistration registration =
                        ResourceManagerWire.from(ResourceManagerProto.JobMasterRegistration.parseFrom(bytes));
                return gateway -> gateway.registerJobMaster(registration);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.RegistrationResponse.parseFrom(bytes)));

    private static final RpcMethod<ResourceManagerGateway, Acknowledge> DECLARE_REQUIREMENTS = method(
            "DeclareRequirements",
            bytes -> {
                ResourceManagerGateway.RequirementsDeclaration declaration =
                        ResourceManagerWire.from(ResourceManagerProto.RequirementsDeclaration.parseFrom(bytes));
                return gateway -> gateway.declareRequirements(declaration);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.Acknowledge.parseFrom(bytes)));

    private static final RpcMethod<ResourceManagerGateway, Acknowledge> DISCONNECT_JOB_MASTER = method(
            "DisconnectJobMaster",
            bytes -> {
                ResourceManagerProto.JobMasterGone message = ResourceManagerProto.JobMasterGone.parseFrom(bytes);
                JobId job = new JobId(message.getJob());
                JobMasterId jobMaster = CommonWire.jobMasterId(message.getJobMaster());
                String cause = message.getCause();
                return gateway -> gateway.disconnectJobMaster(job, jobMaster, cause);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.Acknowledge.parseFrom(bytes)));

    private static final RpcMethod<ResourceManagerGateway, ClusterDetails> CLUSTER_DETAILS = method(
            "ClusterDetails",
            bytes -> {
                ClusterQuery query = ResourceManagerWire.from(ResourceManagerProto.ClusterQuery.parseFrom(bytes));
                return gateway -> gateway.clusterDetails(query);
            },
            ResourceManagerWire::to,
            bytes -> ResourceManagerWire.from(ResourceManagerProto.ClusterView.parseFrom(bytes)));

    private static final RpcMethod<ResourceManagerGateway, List<WorkerBlock>> BLOCK_WORKERS = method(
            "BlockWorkers",
            bytes -> {
                ResourceManagerProto.WorkersToBlock message = ResourceManagerProto.WorkersToBlock.parseFrom(bytes);
                String target = message.getTarget();
                long millis = message.getMillis();
                String reason = message.getReason();
                return gateway -> gateway.blockWorkers(target, millis, reason);
            },
            ResourceManagerWire::blocks,
            bytes -> ResourceManagerWire.from(ResourceManagerProto.WorkerBlocks.parseFrom(bytes)));

    private static final RpcMethod<ResourceManagerGateway, List<WorkerBlock>> UNBLOCK_WORKERS = method(
            "UnblockWorkers",
            bytes -> {
                String target =
                        ResourceManagerProto.WorkersToUnblock.parseFrom(bytes).getTarget();
                return gateway -> gateway.unblockWorkers(target);
            },
            ResourceManagerWire::blocks,
            bytes -> ResourceManagerWire.from(ResourceManagerProto.WorkerBlocks.parseFrom(bytes)));

    public static final List<RpcMethod<ResourceManagerGateway, ?>> ALL = List.of(
            REGISTER_WORKER,
            SLOT_FREED,
            DISCONNECT_WORKER,
            REGISTER_JOB_MASTER,
            DECLARE_REQUIREMENTS,
            DISCONNECT_JOB_MASTER,
            CLUSTER_DETAILS,
            BLOCK_WORKERS,
            UNBLOCK_WORKERS);

    private ResourceManagerCalls() {}

    private static <R> RpcMethod<ResourceManagerGateway, R> method(
            String name,
            RpcMethod.Reader<RpcMethod.Invocation<ResourceManagerGateway, R>> request,
            Function<R, MessageLite> answer,
            RpcMethod.Reader<R> answerReader) {
        return new RpcMethod<>(
                RpcProtocol.descriptor("ResourceManager", name),
                ResourceManagerGateway.class,
                request,
                answer,
                answerReader);
    }

    /** The gateway as its callers see it. */
    public record Stub(EndpointRef endpoint, Caller caller) implements ResourceManagerGateway {

        @Override
        public CompletionStage<RegistrationResponse> registerWorker(
                ResourceManagerGateway.WorkerRegistration registration) {
            return caller.call(
                    endpoint,
                    REGISTER_WORKER,
                    gateway -> gateway.registerWorker(registration),
                    () -> ResourceManagerWire.to(registration));
        }

        @Override
        public CompletionStage<Acknowledge> slotFreed(ResourceManagerGateway.SlotFreed notice) {
            return caller.call(
                    endpoint, SLOT_FREED, gateway -> gateway.slotFreed(notice), () -> ResourceManagerWire.to(notice));
        }

        @Override
        public CompletionStage<Acknowledge> disconnectWorker(InstanceId instance, String cause) {
            return caller.call(
                    endpoint,
                    DISCONNECT_WORKER,
                    gateway -> gateway.disconnectWorker(instance, cause),
                    () -> ResourceManagerWire.workerGone(instance, cause));
        }

        @Override
        public CompletionStage<RegistrationResponse> registerJobMaster(
                ResourceManagerGateway.JobMasterRegistration registration) {
            return caller.call(
                    endpoint,
                    REGISTER_JOB_MASTER,
                    gateway -> gateway.registerJobMaster(registration),
                    () -> ResourceManagerWire.to(registration));
        }

        @Override
        public CompletionStage<Acknowledge> declareRequirements(
                ResourceManagerGateway.RequirementsDeclaration declaration) {
            return caller.call(
                    endpoint,
                    DECLARE_REQUIREMENTS,
                    gateway -> gateway.declareRequirements(declaration),
                    () -> ResourceManagerWire.to(declaration));
        }

        @Override
        public CompletionStage<Acknowledge> disconnectJobMaster(JobId job, JobMasterId jobMaster, String cause) {
            return caller.call(
                    endpoint,
                    DISCONNECT_JOB_MASTER,
                    gateway -> gateway.disconnectJobMaster(job, jobMaster, cause),
                    () -> ResourceManagerWire.jobMasterGone(job, jobMaster, cause));
        }

        @Override
        public CompletionStage<ClusterDetails> clusterDetails(ClusterQuery query) {
            return caller.call(
                    endpoint,
                    CLUSTER_DETAILS,
                    gateway -> gateway.clusterDetails(query),
                    () -> ResourceManagerWire.to(query));
        }

        @Override
        public CompletionStage<List<WorkerBlock>> blockWorkers(String target, long millis, String reason) {
            return caller.call(
                    endpoint,
                    BLOCK_WORKERS,
                    gateway -> gateway.blockWorkers(target, millis, reason),
                    () -> ResourceManagerWire.toBlock(target, millis, reason));
        }

        @Override
        public CompletionStage<List<WorkerBlock>> unblockWorkers(String target) {
            return caller.call(
                    endpoint,
                    UNBLOCK_WORKERS,
                    gateway -> gateway.unblockWorkers(target),
                    () -> ResourceManagerProto.WorkersToUnblock.newBuilder()
                            .setTarget(target)
                            .build());
        }
    }
}
