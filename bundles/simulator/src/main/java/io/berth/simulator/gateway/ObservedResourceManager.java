package io.berth.simulator.gateway;

import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.spi.JobId;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A ResourceManager as it is called or served, with an observer of its messages. It changes nothing. */
public final class ObservedResourceManager implements ResourceManagerGateway {

    /** Observes the messages. */
    public interface Listener {

        /** A worker is about to be registered. */
        default void registers(WorkerRegistration registration) {}

        /** A JobMaster is about to be registered. Called again when it is registered. */
        default void registers(JobMasterRegistration registration) {}

        /** Requirements are about to be declared. */
        default void declares(RequirementsDeclaration declaration) {}

        /** The declaration was acknowledged. */
        default void declared(RequirementsDeclaration declaration) {}
    }

    private final ResourceManagerGateway resourceManager;
    private final Listener listener;

    public ObservedResourceManager(ResourceManagerGateway resourceManager, Listener listener) {
        this.resourceManager = resourceManager;
        this.listener = listener;
    }

    @Override
    public CompletionStage<RegistrationResponse> registerWorker(WorkerRegistration registration) {
        listener.registers(registration);
        return resourceManager.registerWorker(registration);
    }

    @Override
    public CompletionStage<Acknowledge> slotFreed(SlotFreed notice) {
        return resourceManager.slotFreed(notice);
    }

    @Override
    public CompletionStage<Acknowledge> disconnectWorker(InstanceId instance, String cause) {
        return resourceManager.disconnectWorker(instance, cause);
    }

    @Override
    public CompletionStage<RegistrationResponse> registerJobMaster(JobMasterRegistration registration) {
        listener.registers(registration);
        return resourceManager.registerJobMaster(registration).thenApply(response -> {
            if (response instanceof RegistrationResponse.Accepted) {
                listener.registers(registration);
            }
            return response;
        });
    }

    @Override
    public CompletionStage<Acknowledge> declareRequirements(RequirementsDeclaration declaration) {
        listener.declares(declaration);
        return resourceManager.declareRequirements(declaration).thenApply(done -> {
            listener.declared(declaration);
            return done;
        });
    }

    @Override
    public CompletionStage<Acknowledge> disconnectJobMaster(JobId job, JobMasterId jobMaster, String cause) {
        return resourceManager.disconnectJobMaster(job, jobMaster, cause);
    }

    @Override
    public CompletionStage<ClusterDetails> clusterDetails(ClusterQuery query) {
        return resourceManager.clusterDetails(query);
    }

    @Override
    public CompletionStage<List<WorkerBlock>> blockWorkers(String target, long millis, String reason) {
        return resourceManager.blockWorkers(target, millis, reason);
    }

    @Override
    public CompletionStage<List<WorkerBlock>> unblockWorkers(String target) {
        return resourceManager.unblockWorkers(target);
    }
}
