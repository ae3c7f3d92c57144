package io.berth.simulator.gateway;

import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.spi.JobId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The gateway through which a ResourceManager or a JobMaster calls a worker, with an observer of what happens to the
 * worker's slots.
 */
public final class CalledTaskExecutor implements TaskExecutorGateway {

    /** Observes the calls. */
    public interface Caller {

        /** Slots are being requested. */
        default void requesting(SlotRequests requests) {}

        /** The request has its outcome. */
        default void answered() {}

        /** A report has arrived; the observer passes it on to {@code report}. */
        default void reported(CompletableFuture<SlotReport> report, SlotReport slots) {
            report.complete(slots);
        }

        /** Slots are being returned. */
        default void freeing(SlotsToFree slots) {}

        /** The JobMaster releases the worker. */
        default void releasing(FencingToken jobMaster) {}
    }

    private final TaskExecutorGateway worker;
    private final Caller caller;

    public CalledTaskExecutor(TaskExecutorGateway worker, Caller caller) {
        this.worker = worker;
        this.caller = caller;
    }

    @Override
    public CompletionStage<SlotRequestAnswers> requestSlots(SlotRequests requests) {
        caller.requesting(requests);
        return worker.requestSlots(requests).whenComplete((answers, failure) -> caller.answered());
    }

    @Override
    public CompletionStage<SlotReport> heartbeatFromResourceManager(ResourceManagerId from) {
        CompletableFuture<SlotReport> report = new CompletableFuture<>();
        worker.heartbeatFromResourceManager(from).whenComplete((slots, failure) -> {
            if (failure == null) {
                caller.reported(report, slots);
            } else {
                report.completeExceptionally(failure);
            }
        });
        return report;
    }

    @Override
    public CompletionStage<Acknowledge> freeSlots(SlotsToFree slots) {
        caller.freeing(slots);
        return worker.freeSlots(slots);
    }

    @Override
    public CompletionStage<DeploymentAnswers> deployTasks(Deployments deployments) {
        return worker.deployTasks(deployments);
    }

    @Override
    public CompletionStage<Acknowledge> cancelTasks(JobMasterId jobMaster, List<AttemptId> attempts) {
        return worker.cancelTasks(jobMaster, attempts);
    }

    @Override
    public CompletionStage<Acknowledge> commitTask(
            JobMasterId jobMaster, AttemptId attempt, List<Committable> committables) {
        return worker.commitTask(jobMaster, attempt, committables);
    }

    @Override
    public CompletionStage<TaskReport> heartbeatFromJobMaster(AllocatedSlots allocated) {
        return worker.heartbeatFromJobMaster(allocated);
    }

    @Override
    public CompletionStage<Acknowledge> disconnectResourceManager(ResourceManagerId from, String cause) {
        return worker.disconnectResourceManager(from, cause);
    }

    @Override
    public CompletionStage<Acknowledge> disconnectJobMaster(
            JobId job, JobMasterId jobMaster, InstanceId registration, boolean terminal, String cause) {
        caller.releasing(jobMaster.token());
        return worker.disconnectJobMaster(job, jobMaster, registration, terminal, cause);
    }

    @Override
    public CompletionStage<Acknowledge> jobMasterChanged(JobMasterChange change) {
        return worker.jobMasterChanged(change);
    }

    @Override
    public CompletionStage<Boolean> exit(ResourceManagerId from, boolean force, String cause) {
        return worker.exit(from, force, cause);
    }
}
