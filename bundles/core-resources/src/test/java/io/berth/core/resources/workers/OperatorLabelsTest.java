package io.berth.core.resources.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.api.gateway.ResourceManagerGateway.RelabeledWorker;
import io.berth.core.api.job.LabelChange;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Operators give workers other labels and taints, which the workers keep. */
class OperatorLabelsTest {

    private static final WorkerLabels TAINTED = new WorkerLabels(new TreeMap<>(), new TreeMap<>(Map.of("gpu", "yes")));

    private final TestCluster cluster = new TestCluster();
    private final FakeWorker first = cluster.worker("w1");
    private final FakeWorker second = cluster.worker("w2");

    private List<RelabeledWorker> relabel(String target, LabelChange change) {
        return cluster.call(cluster.manager.relabelWorkers(target, change));
    }

    private static LabelChange labels(Map<String, String> set, String... removed) {
        return new LabelChange(new TreeMap<>(set), List.of(removed), new TreeMap<>(), List.of());
    }

    private static LabelChange taints(Map<String, String> set, String... removed) {
        return new LabelChange(new TreeMap<>(), List.of(), new TreeMap<>(set), List.of(removed));
    }

    private WorkerDetails details(String id) {
        return cluster.details().workers().stream()
                .filter(worker -> worker.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void labelsAreAddedReplacedAndRemovedAndTheWorkerKeepsThem() {
        relabel("w1", labels(Map.of("zone", "a", "rack", "r1")));
        assertThat(relabel("w1", labels(Map.of("zone", "b"), "rack", "absent")))
                .containsExactly(
                        new RelabeledWorker(first.id, WorkerLabels.of(new TreeMap<>(Map.of("zone", "b"))), ""));
        assertThat(details("w1").labels()).isEqualTo(Map.of("zone", "b", "berth.backend", "standalone"));
        assertThat(details("w2").labels()).isEqualTo(Map.of("berth.backend", "standalone"));
        assertThat(first.attributes.labels()).as("for the next registration").isEqualTo(Map.of("zone", "b"));
    }

    @Test
    void aHostMeansAllItsWorkers() {
        assertThat(relabel("127.0.0.1", taints(Map.of("gpu", "yes"))))
                .extracting(RelabeledWorker::worker)
                .containsExactly(first.id, second.id);
        assertThat(details("w1").taints()).isEqualTo(Map.of("gpu", "yes"));
        assertThat(details("w2").taints()).isEqualTo(Map.of("gpu", "yes"));
        relabel("127.0.0.1", taints(Map.of(), "gpu"));
        assertThat(details("w2").taints()).isEmpty();
        assertThat(relabel("w3", taints(Map.of(), "gpu"))).as("there is none").isEmpty();
    }

    @Test
    void changesAtTheSameTimeAreAllKept() {
        first.holdAnswers = true;
        CompletionStage<List<RelabeledWorker>> zone =
                cluster.manager.relabelWorkers("w1", labels(Map.of("zone", "a", "rack", "r1")));
        CompletionStage<List<RelabeledWorker>> team =
                cluster.manager.relabelWorkers("w1", labels(Map.of("team", "blue"), "rack"));
        cluster.time.settle();
        assertThat(details("w1").labels()).as("not before it answers").doesNotContainKeys("zone", "team");
        first.answer();
        assertThat(cluster.call(zone)).singleElement().satisfies(worker -> {
            assertThat(worker.attributes().labels()).containsEntry("zone", "a");
            assertThat(worker.problem()).isEmpty();
        });
        assertThat(cluster.call(team))
                .singleElement()
                .satisfies(worker ->
                        assertThat(worker.attributes().labels()).isEqualTo(Map.of("zone", "a", "team", "blue")));
        assertThat(details("w1").labels())
                .isEqualTo(Map.of("zone", "a", "team", "blue", "berth.backend", "standalone"));
        assertThat(first.attributes.labels()).isEqualTo(Map.of("zone", "a", "team", "blue"));
    }

    @Test
    void theBoundCountsWhatIsSentAndNotAcknowledged() {
        first.holdAnswers = true;
        TreeMap<String, String> many = new TreeMap<>();
        IntStream.range(0, 64).forEach(number -> many.put("key-" + number, "x"));
        CompletionStage<List<RelabeledWorker>> all = cluster.manager.relabelWorkers("w1", labels(many));
        assertThat(relabel("w1", labels(Map.of("one-more", "x"))))
                .singleElement()
                .satisfies(worker -> assertThat(worker.problem()).contains("65 of them", "nothing was changed"));
        first.answer();
        assertThat(cluster.call(all))
                .singleElement()
                .satisfies(worker -> assertThat(worker.problem()).isEmpty());
        assertThat(first.attributes.labels()).hasSize(64);
    }

    @Test
    void aChangeWhoseAnswerIsLostIsSentAgainUntilBothAgree() {
        first.losesAnswers = true;
        assertThat(relabel("w1", labels(Map.of("zone", "a")))).singleElement().satisfies(worker -> {
            assertThat(worker.attributes()).isEqualTo(WorkerLabels.NONE);
            assertThat(worker.problem()).contains("did not answer", "sent to it until it does");
        });
        assertThat(first.attributes.labels()).isEqualTo(Map.of("zone", "a"));
        assertThat(details("w1").labels()).doesNotContainKey("zone");
        assertThat(relabel("w1", labels(Map.of("team", "blue"))))
                .singleElement()
                .satisfies(worker -> assertThat(worker.problem()).contains("did not answer"));
        cluster.time.advance(2_500);
        assertThat(details("w1").labels()).doesNotContainKey("zone");
        first.losesAnswers = false;
        cluster.time.advance(1_000);
        assertThat(details("w1").labels())
                .as("of both commands")
                .isEqualTo(Map.of("zone", "a", "team", "blue", "berth.backend", "standalone"));
        first.attributes = WorkerLabels.NONE;
        cluster.time.advance(10_000);
        assertThat(first.attributes).as("it is no longer sent").isEqualTo(WorkerLabels.NONE);
    }

    @Test
    void anAnswerOfAWorkerThatWasLostChangesNothing() {
        first.holdAnswers = true;
        CompletionStage<List<RelabeledWorker>> answer =
                cluster.manager.relabelWorkers("w1", labels(Map.of("zone", "a")));
        cluster.time.settle();
        cluster.call(cluster.manager.disconnectWorker(first.instance, "its process ended"));
        cluster.worker("w3");
        first.answer();
        assertThat(cluster.call(answer))
                .singleElement()
                .satisfies(worker -> assertThat(worker.problem()).contains("it was lost"));
        assertThat(details("w3").labels()).doesNotContainKey("zone");
    }

    @Test
    void aWorkerThatDoesNotAnswerIsNotChanged() {
        first.dead = true;
        assertThat(relabel("w1", labels(Map.of("zone", "a")))).singleElement().satisfies(worker -> {
            assertThat(worker.attributes()).isEqualTo(WorkerLabels.NONE);
            assertThat(worker.problem()).contains("did not answer");
        });
        assertThat(details("w1").labels()).doesNotContainKey("zone");
    }

    @Test
    void tooManyLabelsAreRefused() {
        TreeMap<String, String> many = new TreeMap<>();
        IntStream.range(0, 64).forEach(number -> many.put("key-" + number, "x"));
        relabel("w1", labels(many));
        assertThat(relabel("w1", labels(Map.of("one-more", "x"))))
                .singleElement()
                .satisfies(worker -> assertThat(worker.problem()).contains("up to 64 are allowed"));
        assertThat(details("w1").labels()).hasSize(64 + 1);
        many.put("key-64", "x");
        assertThatThrownBy(() -> relabel("w1", labels(many))).hasMessageContaining("65 labels");
    }

    /** The planner of this test ignores labels, as one does that was asked before they changed. */
    @Test
    void aPlanForAWorkerThatWasTaintedInTheMeantimeIsNotCommitted() {
        relabel("w1", taints(Map.of("gpu", "yes")));
        relabel("w2", taints(Map.of("gpu", "yes")));
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(1_000);
        assertThat(first.requested.size() + second.requested.size()).isZero();
        relabel("w2", taints(Map.of(), "gpu"));
        cluster.time.advance(10_000);
        assertThat(first.requested).isEmpty();
        assertThat(details("w1").taints()).isEqualTo(TAINTED.taints());
    }
}
