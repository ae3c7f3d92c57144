package io.berth.simulator.gateway;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.SplitPart;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A JobMaster with an observer of the workers that register and offer. */
public final class WatchedJobMaster implements JobMasterGateway {

    /** The observer; by default it lets everything pass. */
    public interface Watcher {

        default CompletionStage<RegistrationResponse> registers(JobMasterGateway jobMaster, WorkerAtJob worker) {
            return jobMaster.registerWorker(worker);
        }

        default CompletionStage<AcceptedSlots> offers(JobMasterGateway jobMaster, SlotOffers offers) {
            return jobMaster.offerSlots(offers);
        }

        /** The JobMaster receives that a slot has failed. */
        default void fails(AllocationId allocation) {}

        /** The JobMaster receives that a worker is lost. */
        default void losesWorker() {}

        /** The JobMaster is about to be asked for slots. */
        default void wantsSlotsBack() {}

        /** The JobMaster receives that the ResourceManager has given it up. */
        default void losesResourceManager() {}
    }

    private final JobMasterGateway jobMaster;
    private final Watcher watcher;

    public WatchedJobMaster(JobMasterGateway jobMaster, Watcher watcher) {
        this.jobMaster = jobMaster;
        this.watcher = watcher;
    }

    @Override
    public CompletionStage<RegistrationResponse> registerWorker(WorkerAtJob worker) {
        return watcher.registers(jobMaster, worker);
    }

    @Override
    public CompletionStage<AcceptedSlots> offerSlots(SlotOffers offers) {
        return watcher.offers(jobMaster, offers);
    }

    @Override
    public CompletionStage<Acknowledge> failSlot(
            WorkerId worker, WorkerSessionId session, AllocationId allocation, String cause) {
        watcher.fails(allocation);
        return jobMaster.failSlot(worker, session, allocation, cause);
    }

    @Override
    public CompletionStage<Acknowledge> updateTask(TaskUpdate update) {
        return jobMaster.updateTask(update);
    }

    @Override
    public CompletionStage<Acknowledge> reportSplits(AttemptId attempt, String vertex, SplitPart part) {
        return jobMaster.reportSplits(attempt, vertex, part);
    }

    @Override
    public CompletionStage<SplitAnswer> nextSplit(AttemptId attempt, String vertex, long number) {
        return jobMaster.nextSplit(attempt, vertex, number);
    }

    @Override
    public CompletionStage<Acknowledge> heartbeatFromResourceManager(ResourceManagerId resourceManager) {
        return jobMaster.heartbeatFromResourceManager(resourceManager);
    }

    @Override
    public CompletionStage<Acknowledge> notEnoughResources(NotEnoughResources notice) {
        return jobMaster.notEnoughResources(notice);
    }

    @Override
    public CompletionStage<List<AllocationId>> requestSlotReturn(
            ResourceManagerId resourceManager, List<AllocationId> allocations, String cause) {
        watcher.wantsSlotsBack();
        return jobMaster.requestSlotReturn(resourceManager, allocations, cause);
    }

    @Override
    public CompletionStage<Acknowledge> disconnectWorker(
            ResourceManagerId resourceManager, WorkerId worker, WorkerSessionId session, String cause) {
        watcher.losesWorker();
        return jobMaster.disconnectWorker(resourceManager, worker, session, cause);
    }

    @Override
    public CompletionStage<Acknowledge> blockWorkers(
            ResourceManagerId resourceManager, long number, List<WorkerId> workers) {
        return jobMaster.blockWorkers(resourceManager, number, workers);
    }

    @Override
    public CompletionStage<Acknowledge> disconnectResourceManager(ResourceManagerId resourceManager, String cause) {
        watcher.losesResourceManager();
        return jobMaster.disconnectResourceManager(resourceManager, cause);
    }

    @Override
    public CompletionStage<JobDetails> details() {
        return jobMaster.details();
    }

    @Override
    public CompletionStage<Acknowledge> cancel(String cause) {
        return jobMaster.cancel(cause);
    }
}
