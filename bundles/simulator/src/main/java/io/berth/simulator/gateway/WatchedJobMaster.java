package io.berth.simulator.gateway;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMasterGateway.AcceptedSlots;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffers;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A JobMaster with an observer of the workers that register and offer. */
public final class WatchedJobMaster {

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

        /**
         * The JobMaster is about to be asked for slots.
         *
         * @param slots that are asked for
         * @param aboveMinimum whether it may return slots that it requires
         * @return receives the slots that it says it returns, some of them only after a restart; called when it has
         *     decided, which may be later
         */
        default Consumer<List<AllocationId>> wantsSlotsBack(List<AllocationId> slots, boolean aboveMinimum) {
            return returned -> {};
        }

        /** The JobMaster receives that the ResourceManager has given it up. */
        default void losesResourceManager() {}
    }

    private final JobMasterGateway jobMaster;
    private final Watcher watcher;

    private WatchedJobMaster(JobMasterGateway jobMaster, Watcher watcher) {
        this.jobMaster = jobMaster;
        this.watcher = watcher;
    }

    public static JobMasterGateway of(JobMasterGateway jobMaster, Watcher watcher) {
        return PartialGateway.over(JobMasterGateway.class, jobMaster, new WatchedJobMaster(jobMaster, watcher));
    }

    public CompletionStage<RegistrationResponse> registerWorker(WorkerAtJob worker) {
        return watcher.registers(jobMaster, worker);
    }

    public CompletionStage<AcceptedSlots> offerSlots(SlotOffers offers) {
        return watcher.offers(jobMaster, offers);
    }

    public CompletionStage<Acknowledge> failSlot(
            WorkerId worker, WorkerSessionId session, AllocationId allocation, String cause) {
        watcher.fails(allocation);
        return jobMaster.failSlot(worker, session, allocation, cause);
    }

    public CompletionStage<List<AllocationId>> requestSlotReturn(
            ResourceManagerId resourceManager, List<AllocationId> allocations, boolean aboveMinimum, String cause) {
        Consumer<List<AllocationId>> decided = watcher.wantsSlotsBack(allocations, aboveMinimum);
        CompletionStage<List<AllocationId>> answer =
                jobMaster.requestSlotReturn(resourceManager, allocations, aboveMinimum, cause);
        answer.thenAccept(decided);
        return answer;
    }

    public CompletionStage<Acknowledge> disconnectWorker(
            ResourceManagerId resourceManager, WorkerId worker, WorkerSessionId session, String cause) {
        watcher.losesWorker();
        return jobMaster.disconnectWorker(resourceManager, worker, session, cause);
    }

    public CompletionStage<Acknowledge> disconnectResourceManager(ResourceManagerId resourceManager, String cause) {
        watcher.losesResourceManager();
        return jobMaster.disconnectResourceManager(resourceManager, cause);
    }
}
