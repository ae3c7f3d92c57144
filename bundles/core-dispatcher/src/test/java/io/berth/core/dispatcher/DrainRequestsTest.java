package io.berth.core.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.DrainedWorker;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.ClusterOperations.DrainResult;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class DrainRequestsTest {

    private final List<WorkerLeave> leaves = new ArrayList<>();

    /** A ResourceManager that knows worker w1, which does not leave. */
    public final class Knowing {

        public CompletionStage<List<DrainedWorker>> drainWorkers(String target, WorkerLeave leave) {
            leaves.add(leave);
            return CompletableFuture.completedFuture(
                    target.equals("w1")
                            ? List.of(new DrainedWorker(new WorkerId("w1"), Optional.of(leave), ""))
                            : List.of());
        }

        public CompletionStage<List<DrainedWorker>> undrainWorkers(String target) {
            return CompletableFuture.completedFuture(List.of());
        }
    }

    private final ResourceManagerGateway gateway = PartialGateway.of(ResourceManagerGateway.class, new Knowing());

    private DrainResult drain(String worker, Optional<String> deadline, String reason) {
        return DrainRequests.drain(worker, deadline, reason, () -> CompletableFuture.completedFuture(gateway))
                .toCompletableFuture()
                .join();
    }

    private static List<String> fields(DrainResult result) {
        return ((DrainResult.Refused) result)
                .problems().stream().map(Problem::field).toList();
    }

    @Test
    void aDeadlineIsOptional() {
        assertThat(drain(" w1 ", Optional.of("10m"), " drained by ann ")).isInstanceOf(DrainResult.Done.class);
        assertThat(drain("w1", Optional.empty(), "drained by ann")).isInstanceOf(DrainResult.Done.class);
        assertThat(leaves)
                .containsExactly(
                        new WorkerLeave(600_000, "drained by ann"),
                        new WorkerLeave(WorkerLeave.NO_DEADLINE, "drained by ann"));
    }

    @Test
    void eachInvalidFieldIsNamedAndNothingIsCalled() {
        assertThat(fields(drain(" ", Optional.of("soon"), "a\nb"))).containsExactly("worker", "deadline", "reason");
        assertThat(fields(drain("w1", Optional.of("0s"), "x"))).containsExactly("deadline");
        assertThat(fields(drain("w1", Optional.of("31d"), "x"))).containsExactly("deadline");
        assertThat(fields(drain("w1", Optional.empty(), ""))).containsExactly("reason");
        assertThat(fields(drain("w1", Optional.empty(), "x".repeat(201)))).containsExactly("reason");
        assertThat(leaves).isEmpty();
    }

    @Test
    void aWorkerThatIsNotThereOrDoesNotLeaveIsRefused() {
        assertThat(fields(drain("w2", Optional.empty(), "x"))).containsExactly("worker");
        DrainResult none = DrainRequests.undrain("w1", () -> CompletableFuture.completedFuture(gateway))
                .toCompletableFuture()
                .join();
        assertThat(((DrainResult.Refused) none).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.allowed()).contains("is being drained"));
    }
}
