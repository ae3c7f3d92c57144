package io.berth.worker;

import io.berth.core.api.InstanceId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway.SlotFreed;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records the calls of a worker. */
final class FakeResourceManager {

    final List<WorkerRegistration> registrations = new CopyOnWriteArrayList<>();
    final List<SlotFreed> freed = new CopyOnWriteArrayList<>();
    final List<String> disconnects = new CopyOnWriteArrayList<>();
    RuntimeException failure;
    CompletionStage<RegistrationResponse> answer =
            CompletableFuture.completedStage(new RegistrationResponse.Accepted(new InstanceId(1), 2_000, 10_000));

    public CompletionStage<RegistrationResponse> registerWorker(WorkerRegistration registration) {
        registrations.add(registration);
        return answer;
    }

    public CompletionStage<Acknowledge> slotFreed(SlotFreed notice) {
        if (failure != null) {
            return CompletableFuture.failedStage(failure);
        }
        freed.add(notice);
        return done();
    }

    public CompletionStage<Acknowledge> disconnectWorker(InstanceId instance, String cause) {
        disconnects.add(cause);
        return done();
    }

    private static CompletionStage<Acknowledge> done() {
        return CompletableFuture.completedStage(Acknowledge.ACKNOWLEDGE);
    }
}
