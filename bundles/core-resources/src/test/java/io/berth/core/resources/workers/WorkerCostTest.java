package io.berth.core.resources.workers;

import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.core.resources.FakeBackend;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.spi.backend.WorkerSpec;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What workers cost: what they state, or what their spec costs now. */
class WorkerCostTest {

    private final TestCluster cluster = new TestCluster();
    private final FakeBackend backend = new FakeBackend(small(2));

    private static WorkerSpec small(double cost) {
        return WorkerSpec.of("small", TWO_SLOTS)
                .defaultSlots(2)
                .maximum(9)
                .costPerHour(cost)
                .build();
    }

    private void offers(WorkerSpec... specs) {
        cluster.manager.backendSpecsChanged(backend.offers(specs), () -> {});
        cluster.time.advance(200);
    }

    private FakeWorker started(String id, double ownCost) {
        FakeWorker worker = new FakeWorker(id, 1);
        worker.costPerHour = ownCost;
        cluster.manager.workerStarted("local", worker.id, "small");
        cluster.register(worker, "local", "small");
        cluster.time.advance(200);
        return worker;
    }

    private FakeWorker byHand(String id, double cost) {
        FakeWorker worker = new FakeWorker(id, 1);
        worker.costPerHour = cost;
        assertThat(cluster.register(worker, "standalone", "")).isInstanceOf(RegistrationResponse.Accepted.class);
        cluster.time.advance(200);
        return worker;
    }

    /** As the planner was told last, by id. */
    private Map<String, Double> seen() {
        Map<Integer, WorkerColumn> columns = new TreeMap<>();
        cluster.planner.inputs.forEach(input -> {
            for (WorkerChange change : input.workers()) {
                Optional<WorkerColumn> column = change.worker();
                if (column.isPresent()) {
                    columns.put(change.index(), column.get());
                } else {
                    columns.remove(change.index());
                }
            }
        });
        Map<String, Double> costs = new TreeMap<>();
        columns.values()
                .forEach(
                        column -> costs.put(column.id().value(), column.origin().costPerHour()));
        return costs;
    }

    private Map<String, Double> shown() {
        Map<String, Double> costs = new TreeMap<>();
        for (WorkerDetails worker : cluster.details().workers()) {
            costs.put(worker.id(), worker.costPerHour());
        }
        return costs;
    }

    @Test
    void aWorkerThatWasStartedByHandCostsWhatItStates() {
        byHand("w1", 0.25);
        byHand("w2", 0);
        assertThat(seen()).isEqualTo(Map.of("w1", 0.25, "w2", 0.0));
        assertThat(shown()).isEqualTo(seen());
    }

    @Test
    void aWorkerOfASpecCostsAsMuchAsTheSpecUnlessItStatesItsOwnCost() {
        cluster.manager.backendAdded(backend);
        started("local-1", 0);
        started("local-2", 7);
        assertThat(seen()).isEqualTo(Map.of("local-1", 2.0, "local-2", 7.0));
        assertThat(shown()).isEqualTo(seen());
    }

    @Test
    void anotherCostOfTheSpecReachesItsWorkersAndNoOthers() {
        cluster.manager.backendAdded(backend);
        started("local-1", 0);
        started("local-2", 7);
        byHand("w1", 0);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 8, 8);
        cluster.time.advance(200);
        assertThat(cluster.pending()).isEqualTo(1);

        offers(small(3));
        assertThat(seen()).isEqualTo(Map.of("local-1", 3.0, "local-2", 7.0, "w1", 0.0, "pending-local-3", 3.0));
        assertThat(shown()).isEqualTo(seen());
    }

    @Test
    void workersOfASpecThatIsGoneKeepTheirCostUntilItIsOfferedAgain() {
        cluster.manager.backendAdded(backend);
        started("local-1", 0);
        offers();
        assertThat(shown()).isEqualTo(Map.of("local-1", 2.0));
        offers(small(5));
        assertThat(shown()).isEqualTo(Map.of("local-1", 5.0));
    }

    @Test
    void theNextBackendOfTheNameSetsTheCostOfWorkersThatItTakesOver() {
        cluster.manager.backendAdded(backend);
        started("local-1", 0);
        cluster.manager.backendRemoved(backend);
        cluster.manager.backendAdded(new FakeBackend(small(4)));
        cluster.time.advance(200);
        assertThat(seen()).isEqualTo(Map.of("local-1", 4.0));
    }

    @Test
    void otherLabelsOfTheSpecDoNotReachItsWorkers() {
        cluster.manager.backendAdded(backend);
        started("local-1", 0);
        offers(WorkerSpec.of("small", TWO_SLOTS)
                .defaultSlots(2)
                .maximum(9)
                .label("zone", "b")
                .costPerHour(3)
                .build());
        assertThat(cluster.details().workers().get(0).labels()).doesNotContainKey("zone");
        assertThat(shown()).isEqualTo(Map.of("local-1", 3.0));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY, 1_000_001})
    void aCostThatIsNoneIsRejected(double cost) {
        FakeWorker worker = new FakeWorker("w1", 1);
        worker.costPerHour = cost;
        assertThat(cluster.register(worker, "standalone", ""))
                .isEqualTo(new RegistrationResponse.Rejected(
                        "worker w1: cost per hour is " + cost + ": allowed is 0 to 1000000"));
        assertThat(cluster.details().workers()).isEmpty();
    }
}
