package io.berth.core.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.RelabeledWorker;
import io.berth.core.api.job.LabelChange;
import io.berth.core.api.job.Problem;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.operations.ClusterOperations.LabelResult;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class LabelRequestsTest {

    private final List<String> calls = new ArrayList<>();

    /** Knows the worker {@code w1}. */
    private final class OneWorker {

        @SuppressWarnings("unused")
        CompletionStage<List<RelabeledWorker>> relabelWorkers(String target, LabelChange change) {
            calls.add(target);
            return CompletableFuture.completedFuture(
                    target.equals("w1")
                            ? List.of(new RelabeledWorker(new WorkerId(target), change.applyTo(WorkerLabels.NONE), ""))
                            : List.of());
        }
    }

    private LabelResult relabel(String worker, Map<String, String> labels, String... removed) {
        ResourceManagerGateway gateway = PartialGateway.of(ResourceManagerGateway.class, new OneWorker());
        LabelChange change = new LabelChange(new TreeMap<>(labels), List.of(removed), new TreeMap<>(), List.of());
        return LabelRequests.relabel(worker, change, () -> CompletableFuture.completedFuture(gateway))
                .toCompletableFuture()
                .join();
    }

    private static List<String> problems(LabelResult result) {
        return ((LabelResult.Refused) result)
                .problems().stream().map(Problem::field).toList();
    }

    @Test
    void passesAValidChangeOn() {
        assertThat(relabel(" w1 ", Map.of("example.com/zone", "eu 1"), "rack"))
                .isInstanceOfSatisfying(
                        LabelResult.Done.class,
                        done -> assertThat(done.workers())
                                .singleElement()
                                .satisfies(
                                        worker -> assertThat(worker.attributes().labels())
                                                .isEqualTo(Map.of("example.com/zone", "eu 1"))));
        assertThat(calls).containsExactly("w1");
    }

    @Test
    void refusesWhatIsNotAllowedWithoutACall() {
        assertThat(problems(relabel(" ", Map.of()))).containsExactly("worker", "change");
        assertThat(problems(relabel("w1", Map.of("-zone", "a")))).containsExactly("key of a label");
        assertThat(problems(relabel("w1", Map.of("berth.spec", "a")))).containsExactly("key of a label");
        assertThat(problems(relabel("w1", Map.of("zone", "")))).containsExactly("label 'zone'");
        assertThat(problems(relabel("w1", Map.of("zone", "a\nb")))).containsExactly("label 'zone'");
        assertThat(problems(relabel("w1", Map.of("zone", "a"), "zone"))).containsExactly("label 'zone'");
        assertThat(problems(relabel("w1", Map.of(), "a b"))).containsExactly("key of a label");
        assertThat(calls).isEmpty();
    }

    @Test
    void aWorkerThatIsNotThereIsAProblem() {
        assertThat(problems(relabel("w2", Map.of("zone", "a")))).containsExactly("worker");
    }
}
