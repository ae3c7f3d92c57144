package io.berth.core.resources;

import static io.berth.core.resources.TestCluster.SLOT;
import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.FencingToken;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.fake.FakeRpc;
import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.policy.BackendHost;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.resources.backends.WorkerLaunch;
import io.berth.core.resources.settings.ResourceSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class ResourceManagerTermTest {

    private final ManualTime time = new ManualTime();
    private final FakeRpc rpc = new FakeRpc();
    private final FakePolicies policies = new FakePolicies();
    private final List<String> backends = new ArrayList<>();
    private final ResourceManagerId id = new ResourceManagerId(new FencingToken(4, new UUID(4, 4)));
    private final ResourceManagerTerm term = new ResourceManagerTerm(
            id,
            new ResourceManagerTerm.Environment(time, time, time, time, time, rpc, policies, follows()),
            ResourceSettings.defaults(),
            launch(),
            failure -> {
                throw new AssertionError(failure);
            });

    private BackendHost follows() {
        return follower -> {
            backends.add("follow");
            var context = follower.context("local");
            return () -> backends.add(context.workersStay() ? "close, workers stay" : "close");
        };
    }

    private static WorkerLaunch launch() {
        return new WorkerLaunch(
                "java", Path.of("worker"), List.of(), 64, Path.of("work"), new RpcAddress("127.0.0.1", 7077), 1_000);
    }

    private FakeWorker worker() {
        FakeWorker worker = new FakeWorker("w1", 1);
        rpc.connect(worker.endpoint(), worker);
        rpc.newest(ResourceManagerGateway.class)
                .orElseThrow()
                .registerWorker(worker.registration(TWO_SLOTS, 2, "standalone", ""));
        time.settle();
        return worker;
    }

    @Test
    void servesUnderTheTokenOfItsGrant() {
        EndpointRef endpoint = term.start();

        assertThat(endpoint.token()).isEqualTo(id.token());
        assertThat(rpc.resolve(rpc.address(), EndpointName.RESOURCE_MANAGER)).isCompletedWithValue(endpoint);
        assertThat(backends).containsExactly("follow");
        assertThatThrownBy(term::start).hasMessageContaining("was started before: make another one");
    }

    @Test
    void tellsNobodyAndDoesNothingWhenLeadershipIsLost() {
        term.start();
        FakeWorker worker = worker();
        FakeJobMaster job = new FakeJobMaster("count", 1, 1);
        rpc.connect(job.endpoint(), job);
        var gateway = rpc.newest(ResourceManagerGateway.class).orElseThrow();
        gateway.registerJobMaster(job.registration());
        time.settle();
        CompletionStage<?> late = gateway.declareRequirements(job.requires(1, 1, SLOT));
        int heard = worker.calls;
        term.close();
        term.close();
        time.advance(60_000);

        assertThat(late.toCompletableFuture()).isCompletedExceptionally();
        assertThat(worker.told).isEmpty();
        assertThat(worker.calls).isEqualTo(heard);
        assertThat(job.told).isEmpty();
        assertThat(rpc.served).isEmpty();
        assertThat(backends).containsExactly("follow", "close, workers stay");
        assertThat(policies.planner.closed).isTrue();
        assertThatThrownBy(term::start).hasMessageContaining("is over");
    }

    @Test
    void stopsWithinItsTimeoutAlthoughAWorkerDoesNotAnswer() {
        term.start();
        FakeWorker worker = worker();
        worker.mute = true;
        var stopped = term.stop("the control plane stops").toCompletableFuture();
        time.advance(4_900);
        assertThat(worker.told).containsExactly("exit force");
        assertThat(stopped).isNotDone();
        time.advance(100);
        assertThat(stopped).isCompleted();
        term.close();

        assertThat(rpc.served).isEmpty();
    }
}
