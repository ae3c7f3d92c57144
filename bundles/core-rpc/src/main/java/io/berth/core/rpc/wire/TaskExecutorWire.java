package io.berth.core.rpc.wire;

import static io.berth.core.rpc.wire.CommonWire.list;

import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.TaskExecutorGateway.AllocatedSlots;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentAnswers;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentVerdict;
import io.berth.core.api.gateway.TaskExecutorGateway.Deployments;
import io.berth.core.api.gateway.TaskExecutorGateway.JobMasterChange;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswers;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotsToFree;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskReport;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskStatus;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.rpc.proto.TaskExecutorProto;
import io.berth.spi.JobId;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Messages of a TaskExecutor's gateway. */
public final class TaskExecutorWire {

    private static final String VERDICT = "DEPLOYMENT_VERDICT_";

    private TaskExecutorWire() {}

    public static TaskExecutorProto.SlotRequests to(SlotRequests requests) {
        return TaskExecutorProto.SlotRequests.newBuilder()
                .setResourceManager(CommonWire.to(requests.resourceManager()))
                .addAllRequests(list(
                        requests.requests(),
                        request -> TaskExecutorProto.SlotRequest.newBuilder()
                                .setAllocation(CommonWire.to(request.allocation()))
                                .setJob(request.job().value())
                                .setJobMaster(CommonWire.to(request.jobMaster()))
                                .setUnit(request.unit())
                                .setGroup(request.group())
                                .setProfile(CommonWire.to(request.profile()))
                                .setDecision(request.decision())
                                .build()))
                .build();
    }

    public static SlotRequests from(TaskExecutorProto.SlotRequests requests) {
        return new SlotRequests(
                CommonWire.resourceManagerId(requests.getResourceManager()),
                list(
                        requests.getRequestsList(),
                        request -> new SlotRequest(
                                CommonWire.from(request.getAllocation()),
                                new JobId(request.getJob()),
                                CommonWire.from(request.getJobMaster()),
                                request.getUnit(),
                                request.getGroup(),
                                CommonWire.from(request.getProfile()),
                                request.getDecision())));
    }

    public static TaskExecutorProto.SlotRequestAnswers to(SlotRequestAnswers answers) {
        return TaskExecutorProto.SlotRequestAnswers.newBuilder()
                .addAllAnswers(list(
                        answers.answers(),
                        answer -> TaskExecutorProto.SlotRequestAnswer.newBuilder()
                                .setAllocation(CommonWire.to(answer.allocation()))
                                .setRefusal(answer.refusal())
                                .build()))
                .build();
    }

    public static SlotRequestAnswers from(TaskExecutorProto.SlotRequestAnswers answers) {
        return new SlotRequestAnswers(list(
                answers.getAnswersList(),
                answer -> new SlotRequestAnswer(CommonWire.from(answer.getAllocation()), answer.getRefusal())));
    }

    public static TaskExecutorProto.SlotsToFree to(SlotsToFree slots) {
        return TaskExecutorProto.SlotsToFree.newBuilder()
                .setJob(slots.job().value())
                .setJobMaster(CommonWire.to(slots.jobMaster()))
                .addAllAllocations(list(slots.allocations(), CommonWire::to))
                .setCause(slots.cause())
                .build();
    }

    public static SlotsToFree from(TaskExecutorProto.SlotsToFree slots) {
        return new SlotsToFree(
                new JobId(slots.getJob()),
                CommonWire.jobMasterId(slots.getJobMaster()),
                list(slots.getAllocationsList(), CommonWire::from),
                slots.getCause());
    }

    public static TaskExecutorProto.Deployments to(Deployments deployments) {
        return TaskExecutorProto.Deployments.newBuilder()
                .setJobMaster(CommonWire.to(deployments.jobMaster()))
                .addAllTasks(list(deployments.tasks(), TaskExecutorWire::to))
                .build();
    }

    public static Deployments from(TaskExecutorProto.Deployments deployments) {
        return new Deployments(
                CommonWire.jobMasterId(deployments.getJobMaster()),
                list(deployments.getTasksList(), TaskExecutorWire::from));
    }

    private static TaskExecutorProto.TaskDeployment to(TaskDeployment task) {
        return TaskExecutorProto.TaskDeployment.newBuilder()
                .setAttempt(CommonWire.to(task.attempt()))
                .setJobName(task.jobName())
                .setJobMaster(CommonWire.to(task.jobMaster()))
                .setDispatcher(CommonWire.to(task.dispatcher()))
                .setAllocation(CommonWire.to(task.allocation()))
                .setRuntime(task.runtime())
                .setParallelism(task.parallelism())
                .setMaxParallelism(task.maxParallelism())
                .addAllBundles(list(task.bundles(), CommonWire::to))
                .addAllOperators(list(task.operators(), TaskExecutorWire::to))
                .addAllInputs(list(task.inputs(), TaskExecutorWire::to))
                .addAllOutputs(list(task.outputs(), TaskExecutorWire::to))
                .build();
    }

    private static TaskDeployment from(TaskExecutorProto.TaskDeployment task) {
        return new TaskDeployment(
                CommonWire.from(task.getAttempt()),
                task.getJobName(),
                CommonWire.from(task.getJobMaster()),
                CommonWire.from(task.getDispatcher()),
                CommonWire.from(task.getAllocation()),
                task.getRuntime(),
                task.getParallelism(),
                task.getMaxParallelism(),
                list(task.getBundlesList(), CommonWire::from),
                list(task.getOperatorsList(), TaskExecutorWire::from),
                list(task.getInputsList(), TaskExecutorWire::from),
                list(task.getOutputsList(), TaskExecutorWire::from));
    }

    private static TaskExecutorProto.ChainedOperator to(TaskDeployment.ChainedOperator operator) {
        return TaskExecutorProto.ChainedOperator.newBuilder()
                .setVertex(operator.vertex())
                .setOperator(operator.operator())
                .putAllConfiguration(operator.configuration())
                .build();
    }

    private static TaskDeployment.ChainedOperator from(TaskExecutorProto.ChainedOperator operator) {
        return new TaskDeployment.ChainedOperator(
                operator.getVertex(), operator.getOperator(), new TreeMap<>(operator.getConfigurationMap()));
    }

    private static TaskExecutorProto.Input to(TaskDeployment.Input input) {
        return TaskExecutorProto.Input.newBuilder()
                .setEdge(input.edge())
                .setPartitioning(JobWire.to(input.partitioning()))
                .setProducer(to(input.producer()))
                .addAllProducers(list(
                        input.producers(),
                        producer -> TaskExecutorProto.Producer.newBuilder()
                                .setProducer(CommonWire.to(producer.partition().producer()))
                                .setEdge(producer.partition().edge())
                                .setDataAddress(producer.dataAddress())
                                .build()))
                .build();
    }

    private static TaskDeployment.Input from(TaskExecutorProto.Input input) {
        return new TaskDeployment.Input(
                input.getEdge(),
                JobWire.from(input.getPartitioning()),
                from(input.getProducer()),
                list(
                        input.getProducersList(),
                        producer -> new TaskDeployment.Producer(
                                new PartitionId(CommonWire.from(producer.getProducer()), producer.getEdge()),
                                producer.getDataAddress())));
    }

    private static TaskExecutorProto.Output to(TaskDeployment.Output output) {
        return TaskExecutorProto.Output.newBuilder()
                .setEdge(output.edge())
                .setPartitioning(JobWire.to(output.partitioning()))
                .setConsumer(to(output.consumer()))
                .setConsumers(output.consumers())
                .setConsumerMaxParallelism(output.consumerMaxParallelism())
                .build();
    }

    private static TaskDeployment.Output from(TaskExecutorProto.Output output) {
        return new TaskDeployment.Output(
                output.getEdge(),
                JobWire.from(output.getPartitioning()),
                from(output.getConsumer()),
                output.getConsumers(),
                output.getConsumerMaxParallelism());
    }

    public static TaskExecutorProto.DeploymentAnswers to(DeploymentAnswers answers) {
        return TaskExecutorProto.DeploymentAnswers.newBuilder()
                .addAllAnswers(list(
                        answers.answers(),
                        answer -> TaskExecutorProto.DeploymentAnswer.newBuilder()
                                .setAttempt(CommonWire.to(answer.attempt()))
                                .setVerdict(TaskExecutorProto.DeploymentVerdict.valueOf(
                                        VERDICT + answer.verdict().name()))
                                .setRefusal(answer.refusal())
                                .build()))
                .build();
    }

    public static DeploymentAnswers from(TaskExecutorProto.DeploymentAnswers answers) {
        return new DeploymentAnswers(list(
                answers.getAnswersList(),
                answer -> new DeploymentAnswer(
                        CommonWire.from(answer.getAttempt()),
                        DeploymentVerdict.valueOf(CommonWire.known(
                                answer.getVerdict(), TaskExecutorProto.DeploymentVerdict.UNRECOGNIZED, VERDICT)),
                        answer.getRefusal())));
    }

    public static TaskExecutorProto.TasksToCancel tasksToCancel(JobMasterId jobMaster, List<AttemptId> attempts) {
        return TaskExecutorProto.TasksToCancel.newBuilder()
                .setJobMaster(CommonWire.to(jobMaster))
                .addAllAttempts(list(attempts, CommonWire::to))
                .build();
    }

    public static TaskExecutorProto.Commit commit(
            JobMasterId jobMaster, AttemptId attempt, List<Committable> committables) {
        return TaskExecutorProto.Commit.newBuilder()
                .setJobMaster(CommonWire.to(jobMaster))
                .setAttempt(CommonWire.to(attempt))
                .addAllCommittables(list(committables, CommonWire::to))
                .build();
    }

    public static TaskExecutorProto.AllocatedSlots to(AllocatedSlots allocated) {
        TaskExecutorProto.AllocatedSlots.Builder builder = TaskExecutorProto.AllocatedSlots.newBuilder()
                .setJob(allocated.job().value())
                .setJobMaster(CommonWire.to(allocated.jobMaster()))
                .setNumber(allocated.number())
                .addAllAllocations(list(allocated.allocations(), CommonWire::to));
        allocated.resourceManager().map(CommonWire::to).ifPresent(builder::setResourceManager);
        return builder.build();
    }

    public static AllocatedSlots from(TaskExecutorProto.AllocatedSlots allocated) {
        return new AllocatedSlots(
                new JobId(allocated.getJob()),
                CommonWire.jobMasterId(allocated.getJobMaster()),
                allocated.getNumber(),
                list(allocated.getAllocationsList(), CommonWire::from),
                allocated.hasResourceManager()
                        ? Optional.of(CommonWire.from(allocated.getResourceManager()))
                        : Optional.empty());
    }

    public static TaskExecutorProto.TaskReport to(TaskReport report) {
        return TaskExecutorProto.TaskReport.newBuilder()
                .addAllTasks(list(
                        report.tasks(),
                        task -> TaskExecutorProto.TaskStatus.newBuilder()
                                .setAttempt(CommonWire.to(task.attempt()))
                                .setState(CommonWire.to(task.state()))
                                .setMetrics(CommonWire.to(task.metrics()))
                                .build()))
                .build();
    }

    public static TaskReport from(TaskExecutorProto.TaskReport report) {
        return new TaskReport(list(
                report.getTasksList(),
                task -> new TaskStatus(
                        CommonWire.from(task.getAttempt()),
                        CommonWire.from(task.getState()),
                        CommonWire.from(task.getMetrics()))));
    }

    public static TaskExecutorProto.JobMasterChange to(JobMasterChange change) {
        return TaskExecutorProto.JobMasterChange.newBuilder()
                .setResourceManager(CommonWire.to(change.resourceManager()))
                .setJob(change.job().value())
                .setJobMaster(CommonWire.to(change.jobMaster()))
                .setLost(change.lost())
                .setCause(change.cause())
                .build();
    }

    public static JobMasterChange from(TaskExecutorProto.JobMasterChange change) {
        return new JobMasterChange(
                CommonWire.resourceManagerId(change.getResourceManager()),
                new JobId(change.getJob()),
                CommonWire.from(change.getJobMaster()),
                change.getLost(),
                change.getCause());
    }

    public static TaskExecutorProto.JobMasterLeaves jobMasterLeaves(
            JobId job, JobMasterId jobMaster, InstanceId registration, boolean terminal, String cause) {
        return TaskExecutorProto.JobMasterLeaves.newBuilder()
                .setJob(job.value())
                .setJobMaster(CommonWire.to(jobMaster))
                .setRegistration(registration.number())
                .setTerminal(terminal)
                .setCause(cause)
                .build();
    }

    public static TaskExecutorProto.ExitRequest exit(ResourceManagerId resourceManager, boolean force, String cause) {
        return TaskExecutorProto.ExitRequest.newBuilder()
                .setResourceManager(CommonWire.to(resourceManager))
                .setForce(force)
                .setCause(cause)
                .build();
    }
}
