package io.berth.core.resources.workers;

import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import org.junit.jupiter.api.Test;

/** Policies see when the process of a worker started. */
class WorkerAgeTest {

    private final TestCluster cluster = new TestCluster();

    private RegistrationResponse registers(String id, long ageMillis) {
        FakeWorker worker = new FakeWorker(id, 1);
        worker.ageMillis = ageMillis;
        RegistrationResponse response = cluster.register(worker, worker.registration(TWO_SLOTS, 2, "standalone", ""));
        cluster.time.advance(200);
        return response;
    }

    @Test
    void aWorkerThatRegistersAtTheNextResourceManagerIsAsOldAsBefore() {
        long now = cluster.time.wallMillis();
        assertThat(registers("w", 3_600_000)).isInstanceOf(RegistrationResponse.Accepted.class);
        cluster.declare(cluster.job("a", 1), 1, 1);
        cluster.time.advance(200);
        assertThat(cluster.planner.inputs.stream()
                        .map(PlanningInput::workers)
                        .flatMap(workers -> workers.stream())
                        .flatMap(change -> change.worker().stream()))
                .isNotEmpty()
                .allSatisfy(column -> assertThat(column.startedMillis()).isEqualTo(now - 3_600_000));
    }

    @Test
    void anAgeThatNoProcessHasIsRefused() {
        assertThat(((RegistrationResponse.Rejected) registers("w", -1)).reason())
                .contains("worker w: age is -1 ms: allowed is 0 to 3162240000000 ms");
    }
}
