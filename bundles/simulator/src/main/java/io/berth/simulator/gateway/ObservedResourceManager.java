package io.berth.simulator.gateway;

import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.JobMasterRegistration;
import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import java.util.concurrent.CompletionStage;

/** A ResourceManager as it is called or served, with an observer of its messages. It changes nothing. */
public final class ObservedResourceManager {

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

    private ObservedResourceManager(ResourceManagerGateway resourceManager, Listener listener) {
        this.resourceManager = resourceManager;
        this.listener = listener;
    }

    public static ResourceManagerGateway of(ResourceManagerGateway resourceManager, Listener listener) {
        return PartialGateway.over(
                ResourceManagerGateway.class, resourceManager, new ObservedResourceManager(resourceManager, listener));
    }

    public CompletionStage<RegistrationResponse> registerWorker(WorkerRegistration registration) {
        listener.registers(registration);
        return resourceManager.registerWorker(registration);
    }

    public CompletionStage<RegistrationResponse> registerJobMaster(JobMasterRegistration registration) {
        listener.registers(registration);
        return resourceManager.registerJobMaster(registration).thenApply(response -> {
            if (response instanceof RegistrationResponse.Accepted) {
                listener.registers(registration);
            }
            return response;
        });
    }

    public CompletionStage<Acknowledge> declareRequirements(RequirementsDeclaration declaration) {
        listener.declares(declaration);
        return resourceManager.declareRequirements(declaration).thenApply(done -> {
            listener.declared(declaration);
            return done;
        });
    }
}
