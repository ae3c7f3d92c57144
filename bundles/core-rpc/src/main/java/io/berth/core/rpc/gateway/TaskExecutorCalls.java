package io.berth.core.rpc.gateway;

import com.google.protobuf.MessageLite;
import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.rpc.proto.CommonProto;
import io.berth.core.rpc.proto.TaskExecutorProto;
import io.berth.core.rpc.wire.CommonWire;
import io.berth.core.rpc.wire.TaskExecutorWire;
import io.berth.spi.JobId;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A TaskExecutor's gateway: its methods, and its stub. */
public final class TaskExecutorCalls {

    private static final RpcMethod<TaskExecutorGateway, TaskExecutorGateway.SlotRequestAnswers> REQUEST_SLOTS = method(
            "RequestSlots",
            bytes -> {
                TaskExecutorGateway.SlotRequests requests =
                        TaskExecutorWire.from(TaskExecutorProto.SlotRequests.parseFrom(bytes));
                return gateway -> gateway.requestSlots(requests);
            },
            TaskExecutorWire::to,
            bytes -> TaskExecutorWire.from(TaskExecutorProto.SlotRequestAnswers.parseFrom(bytes)));

    private static final RpcMethod<TaskExecutorGateway, Acknowledge> FREE_SLOTS = method(
            "FreeSlots",
            bytes -> {
                TaskExecutorGateway.SlotsToFree slots =
                        TaskExecutorWire.from(TaskExecutorProto.SlotsToFree.parseFrom(bytes));
                return gateway -> gateway.freeSlots(slots);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.Acknowledge.parseFrom(bytes)));

    private static final RpcMethod<TaskExecutorGateway, TaskExecutorGateway.DeploymentAnswers> DEPLOY_TASKS = method(
            "DeployTasks",
            bytes -> {
                TaskExecutorGateway.Deployments deployments =
                        TaskExecutorWire.from(TaskExecutorProto.Deployments.parseFrom(bytes));
                return gateway -> gateway.deployTasks(deployments);
            },
            TaskExecutorWire::to,
            bytes -> TaskExecutorWire.from(TaskExecutorProto.DeploymentAnswers.parseFrom(bytes)));

    private static final RpcMethod<TaskExecutorGateway, Acknowledge> CANCEL_TASKS = method(
            "CancelTasks",
            bytes -> {
                TaskExecutorProto.TasksToCancel message = TaskExecutorProto.TasksToCancel.parseFrom(bytes);
                JobMasterId jobMaster = CommonWire.jobMasterId(message.getJobMaster());
                List<AttemptId> attempts = CommonWire.list(message.getAttemptsList(), CommonWire::from);
                return gateway -> gateway.cancelTasks(jobMaster, attempts);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.Acknowledge.parseFrom(bytes)));

    private static final RpcMethod<TaskExecutorGateway, Acknowledge> COMMIT_TASK = method(
            "CommitTask",
            bytes -> {
                TaskExecutorProto.Commit message = TaskExecutorProto.Commit.parseFrom(bytes);
                JobMasterId jobMaster = CommonWire.jobMasterId(message.getJobMaster());
                AttemptId attempt = CommonWire.from(message.getAttempt());
                List<Committable> committables = CommonWire.list(message.getCommittablesList(), CommonWire::from);
                return gateway -> gateway.commitTask(jobMaster, attempt, committables);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.Acknowledge.parseFrom(bytes)));

    private static final RpcMethod<TaskExecutorGateway, SlotReport> HEARTBEAT_FROM_RESOURCE_MANAGER = method(
            "HeartbeatFromResourceManager",
            bytes -> {
                CommonProto.ResourceManagerHeartbeat message = CommonProto.ResourceManagerHeartbeat.parseFrom(bytes);
                ResourceManagerId sender = CommonWire.resourceManagerId(message.getResourceManager());
                return gateway -> gateway.heartbeatFromResourceManager(sender);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.SlotReport.parseFrom(bytes)));

    private static final RpcMethod<TaskExecutorGateway, TaskExecutorGateway.TaskReport> HEARTBEAT_FROM_JOB_MASTER =
            method(
                    "HeartbeatFromJobMaster",
                    bytes -> {
                        TaskExecutorGateway.AllocatedSlots allocated =
                                TaskExecutorWire.from(TaskExecutorProto.AllocatedSlots.parseFrom(bytes));
                        return gateway -> gateway.heartbeatFromJobMaster(allocated);
                    },
                    TaskExecutorWire::to,
                    bytes -> TaskExecutorWire.from(TaskExecutorProto.TaskReport.parseFrom(bytes)));

    private static final RpcMethod<TaskExecutorGateway, Acknowledge> DISCONNECT_RESOURCE_MANAGER = method(
            "DisconnectResourceManager",
            bytes -> {
                CommonProto.ResourceManagerGone message = CommonProto.ResourceManagerGone.parseFrom(bytes);
                ResourceManagerId sender = CommonWire.resourceManagerId(message.getResourceManager());
                String cause = message.getCause();
                return gateway -> gateway.disconnectResourceManager(sender, cause);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.Acknowledge.parseFrom(bytes)));

    private static final RpcMethod<TaskExecutorGateway, Acknowledge> DISCONNECT_JOB_MASTER = method(
            "DisconnectJobMaster",
            bytes -> {
                TaskExecutorProto.JobMasterLeaves message = TaskExecutorProto.JobMasterLeaves.parseFrom(bytes);
                JobId job = new JobId(message.getJob());
                JobMasterId jobMaster = CommonWire.jobMasterId(message.getJobMaster());
                boolean terminal = message.getTerminal();
                String cause = message.getCause();
                InstanceId registration = new InstanceId(message.getRegistration());
                return gateway -> gateway.disconnectJobMaster(job, jobMaster, registration, terminal, cause);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.Acknowledge.parseFrom(bytes)));

    private static final RpcMethod<TaskExecutorGateway, Acknowledge> JOB_MASTER_CHANGED = method(
            "JobMasterChanged",
            bytes -> {
                TaskExecutorGateway.JobMasterChange change =
                        TaskExecutorWire.from(TaskExecutorProto.JobMasterChange.parseFrom(bytes));
                return gateway -> gateway.jobMasterChanged(change);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.Acknowledge.parseFrom(bytes)));

    private static final RpcMethod<TaskExecutorGateway, Boolean> EXIT = method(
            "Exit",
            bytes -> {
                TaskExecutorProto.ExitRequest message = TaskExecutorProto.ExitRequest.parseFrom(bytes);
                ResourceManagerId sender = CommonWire.resourceManagerId(message.getResourceManager());
                boolean force = message.getForce();
                String cause = message.getCause();
                return gateway -> gateway.exit(sender, force, cause);
            },
            ends -> TaskExecutorProto.ExitAnswer.newBuilder().setEnds(ends).build(),
            bytes -> TaskExecutorProto.ExitAnswer.parseFrom(bytes).getEnds());

    public static final List<RpcMethod<TaskExecutorGateway, ?>> ALL = List.of(
            REQUEST_SLOTS,
            FREE_SLOTS,
            DEPLOY_TASKS,
            CANCEL_TASKS,
            COMMIT_TASK,
            HEARTBEAT_FROM_RESOURCE_MANAGER,
            HEARTBEAT_FROM_JOB_MASTER,
            DISCONNECT_RESOURCE_MANAGER,
            DISCONNECT_JOB_MASTER,
            JOB_MASTER_CHANGED,
            EXIT);

    private TaskExecutorCalls() {}

    private static <R> RpcMethod<TaskExecutorGateway, R> method(
            String name,
            RpcMethod.Reader<RpcMethod.Invocation<TaskExecutorGateway, R>> request,
            Function<R, MessageLite> answer,
            RpcMethod.Reader<R> answerReader) {
        return new RpcMethod<>(
                RpcProtocol.descriptor("TaskExecutor", name), TaskExecutorGateway.class, request, answer, answerReader);
    }

    /** The gateway as its callers see it. */
    public record Stub(EndpointRef endpoint, Caller caller) implements TaskExecutorGateway {

        @Override
        public CompletionStage<TaskExecutorGateway.SlotRequestAnswers> requestSlots(
                TaskExecutorGateway.SlotRequests requests) {
            return caller.call(
                    endpoint,
                    REQUEST_SLOTS,
                    gateway -> gateway.requestSlots(requests),
                    () -> TaskExecutorWire.to(requests));
        }

        @Override
        public CompletionStage<Acknowledge> freeSlots(TaskExecutorGateway.SlotsToFree slots) {
            return caller.call(
                    endpoint, FREE_SLOTS, gateway -> gateway.freeSlots(slots), () -> TaskExecutorWire.to(slots));
        }

        @Override
        public CompletionStage<TaskExecutorGateway.DeploymentAnswers> deployTasks(
                TaskExecutorGateway.Deployments deployments) {
            return caller.call(
                    endpoint,
                    DEPLOY_TASKS,
                    gateway -> gateway.deployTasks(deployments),
                    () -> TaskExecutorWire.to(deployments));
        }

        @Override
        public CompletionStage<Acknowledge> cancelTasks(JobMasterId jobMaster, List<AttemptId> attempts) {
            return caller.call(
                    endpoint,
                    CANCEL_TASKS,
                    gateway -> gateway.cancelTasks(jobMaster, attempts),
                    () -> TaskExecutorWire.tasksToCancel(jobMaster, attempts));
        }

        @Override
        public CompletionStage<Acknowledge> commitTask(
                JobMasterId jobMaster, AttemptId attempt, List<Committable> committables) {
            return caller.call(
                    endpoint,
                    COMMIT_TASK,
                    gateway -> gateway.commitTask(jobMaster, attempt, committables),
                    () -> TaskExecutorWire.commit(jobMaster, attempt, committables));
        }

        @Override
        public CompletionStage<SlotReport> heartbeatFromResourceManager(ResourceManagerId sender) {
            return caller.call(
                    endpoint,
                    HEARTBEAT_FROM_RESOURCE_MANAGER,
                    gateway -> gateway.heartbeatFromResourceManager(sender),
                    () -> CommonWire.heartbeat(sender));
        }

        @Override
        public CompletionStage<TaskExecutorGateway.TaskReport> heartbeatFromJobMaster(
                TaskExecutorGateway.AllocatedSlots allocated) {
            return caller.call(
                    endpoint,
                    HEARTBEAT_FROM_JOB_MASTER,
                    gateway -> gateway.heartbeatFromJobMaster(allocated),
                    () -> TaskExecutorWire.to(allocated));
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
        public CompletionStage<Acknowledge> disconnectJobMaster(
                JobId job, JobMasterId jobMaster, InstanceId registration, boolean terminal, String cause) {
            return caller.call(
                    endpoint,
                    DISCONNECT_JOB_MASTER,
                    gateway -> gateway.disconnectJobMaster(job, jobMaster, registration, terminal, cause),
                    () -> TaskExecutorWire.jobMasterLeaves(job, jobMaster, registration, terminal, cause));
        }

        @Override
        public CompletionStage<Acknowledge> jobMasterChanged(JobMasterChange change) {
            return caller.call(
                    endpoint,
                    JOB_MASTER_CHANGED,
                    gateway -> gateway.jobMasterChanged(change),
                    () -> TaskExecutorWire.to(change));
        }

        @Override
        public CompletionStage<Boolean> exit(ResourceManagerId sender, boolean force, String cause) {
            return caller.call(
                    endpoint,
                    EXIT,
                    gateway -> gateway.exit(sender, force, cause),
                    () -> TaskExecutorWire.exit(sender, force, cause));
        }
    }
}
