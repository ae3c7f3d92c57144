package io.berth.worker;

import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.spi.JobId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what a worker tells it. */
final class FakeResourceManager implements ResourceManagerGateway {

    final List<WorkerRegistration> registrations = new CopyOnWriteArrayList<>();
    final List<SlotFreed> freed = new CopyOnWriteArrayList<>();
    final List<String> farewells = new CopyOnWriteArrayList<>();
    RuntimeException trouble;
    CompletionStage<RegistrationResponse> answer =
            CompletableFuture.completedStage(new RegistrationResponse.Accepted(new InstanceId(1), 2_000, 10_000));

    @Override
    public CompletionStage<RegistrationResponse> registerWorker(WorkerRegistration registration) {
        registrations.add(registration);
        return answer;
    }

    @Override
    public CompletionStage<Acknowledge> slotFreed(SlotFreed notice) {
        if (trouble != null) {
            return CompletableFuture.failedStage(trouble);
        }
        freed.add(notice);
        return done();
    }

    @Override
    public CompletionStage<Acknowledge> disconnectWorker(InstanceId instance, String cause) {
        farewells.add(cause);
        return done();
    }

    @Override
    public CompletionStage<RegistrationResponse> registerJobMaster(JobMasterRegistration registration) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Acknowledge> declareRequirements(RequirementsDeclaration declaration) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Acknowledge> disconnectJobMaster(JobId job, JobMasterId jobMaster, String cause) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<ClusterDetails> clusterDetails(ClusterQuery query) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<List<WorkerBlock>> blockWorkers(String target, long millis, String reason) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<List<WorkerBlock>> unblockWorkers(String target) {
        throw new UnsupportedOperationException();
    }

    private static CompletionStage<Acknowledge> done() {
        return CompletableFuture.completedStage(Acknowledge.ACKNOWLEDGE);
    }
}
