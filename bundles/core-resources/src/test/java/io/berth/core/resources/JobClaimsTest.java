package io.berth.core.resources;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What declarations of a job do to others, and what is left of a job that has gone (reference 1.8, 2.1 and 2.2). */
class JobClaimsTest {

    private final TestCluster cluster = new TestCluster();

    @Test
    void aJobThatComesFirstTakesNoSlotFromALaterOneThatHasIt() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster later = cluster.job("later", 2);
        cluster.declare(later, 2, 2);
        cluster.time.advance(50);
        FakeJobMaster earlier = cluster.job("earlier", 1);
        cluster.declare(earlier, 1, 1);
        cluster.time.advance(60_000);

        assertThat(cluster.states(later)).containsExactly("allocated", "allocated");
        assertThat(cluster.states(earlier)).isEmpty();
        assertThat(later.told).as("it is not even asked").isEmpty();
        assertThat(worker.told).isEmpty();
        cluster.free(worker, worker.slots.firstKey());
        cluster.declare(later, 1, 1);
        cluster.time.advance(50);
        assertThat(cluster.states(earlier))
                .as("what becomes free is for the one that comes first")
                .hasSize(1);
    }

    @Test
    void aRepeatedEmptyDeclarationIsNoReasonToPlan() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        cluster.call(cluster.manager.declareRequirements(job.declaration(100, List.of())));
        cluster.time.advance(1_000);
        int before = cluster.planner.inputs.size();
        for (int number = 101; number < 110; number++) {
            cluster.call(cluster.manager.declareRequirements(job.declaration(number, List.of())));
            cluster.time.advance(100);
        }

        assertThat(cluster.planner.inputs).hasSize(before);
        assertThat(worker.requested).hasSize(1);
    }

    @Test
    void slotsThatAJobLeftBehindAreFreedLaterAndServeOthers() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 2, 2);
        cluster.time.advance(50);
        cluster.call(cluster.manager.disconnectJobMaster(job.job, job.id, "finished"));
        cluster.time.advance(1_000);
        assertThat(cluster.states(job)).as("its worker has them still").hasSize(2);
        List.copyOf(worker.slots.keySet()).forEach(slot -> cluster.free(worker, slot));
        assertThat(cluster.states(job)).isEmpty();
        FakeJobMaster next = cluster.job("next", 2);
        cluster.declare(next, 2, 2);
        cluster.time.advance(50);

        assertThat(cluster.states(next)).containsExactly("allocated", "allocated");
    }

    @Test
    void aFreedSlotIsRequestedAgainForAJobThatStillRequiresIt() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 2, 2);
        cluster.time.advance(50);
        worker.take();
        cluster.time.advance(2_000);
        cluster.free(worker, worker.slots.firstKey());
        cluster.time.advance(100);

        assertThat(cluster.states(job)).containsExactly("allocated", "allocated");
        assertThat(worker.requested).hasSize(3);
    }
}
