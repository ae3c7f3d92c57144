package io.berth.core.resources;

import static io.berth.core.resources.TestCluster.SLOT;
import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.WorkerSpec;
import org.junit.jupiter.api.Test;

/** Workers that are asked for, and those that come or do not (reference 1.9 and 2.2). */
class PendingWorkersTest {

    private static final WorkerSpec SMALL = new WorkerSpec("small", TWO_SLOTS, 2, 9);
    private static final long WAIT = 10_000;

    private final TestCluster cluster = new TestCluster();
    private final FakeBackend backend = new FakeBackend(SMALL);

    @Test
    void aRegisteringWorkerStandsForThePendingOneThatSlotsArePlannedOn() {
        WorkerRegistry workers = new WorkerRegistry();
        WorkerEntry first = workers.add(new WorkerId("pending-1"), "local", "small", TWO_SLOTS, 2);
        WorkerEntry second = workers.add(new WorkerId("pending-2"), "local", "small", TWO_SLOTS, 2);
        assertThat(workers.openPending("local/small", worker -> true)).contains(first);
        workers.plan(second, 1, SLOT);

        assertThat(workers.openPending("local/small", worker -> true)).contains(second);
        assertThat(workers.openPending("local/small", worker -> worker != second)).contains(first);
        assertThat(workers.openPending("local/large", worker -> true)).isEmpty();
    }

    @Test
    void aBackendIsToldWhatIsNeededOnceForAllThatChangesTogether() {
        cluster.manager.backendAdded(backend);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 4, 4);
        cluster.time.advance(1_000);
        assertThat(backend.needed()).isEqualTo(2);
        int before = backend.declared.size();
        for (int copy = 0; copy < 20; copy++) {
            cluster.declare(job, 4, 4);
            cluster.time.advance(100);
        }
        assertThat(backend.declared).as("nothing else is needed").hasSize(before);
        cluster.declare(job, 2, 2);
        cluster.declare(job, 6, 6);
        cluster.declare(job, 8, 8);
        cluster.time.advance(1_000);

        assertThat(backend.declared).hasSize(before + 1);
        assertThat(backend.needed()).isEqualTo(4);
    }

    @Test
    void aWorkerThatHangsIsNamedToItsBackendAndReplacedOnce() {
        cluster.manager.backendAdded(backend);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        FakeWorker worker = new FakeWorker("local-1", 1);
        cluster.manager.workerStarted("local", worker.id, SMALL);
        cluster.register(worker, "local", "small");
        cluster.time.advance(50);
        worker.mute = true;
        cluster.time.advance(15_000);
        assertThat(worker.told).last().asString().startsWith("disconnect: no heartbeat");
        assertThat(backend.unwanted()).containsExactly(worker.id);
        assertThat(backend.needed()).isEqualTo(1);
        assertThat(cluster.workerStates()).containsExactly("pending");
        cluster.manager.workerEnded("local", worker.id, "killed");
        cluster.time.advance(1_000);
        assertThat(backend.needed()).as("its end is no reason for another one").isEqualTo(1);
        cluster.declare(job, 3, 3);
        cluster.time.advance(50);

        assertThat(backend.needed()).isEqualTo(2);
        assertThat(backend.declared.get(backend.declared.size() - 1).unwanted()).as("it is gone").isEmpty();
    }

    @Test
    void c101_aWorkerOfThePreviousAttemptThatNeverRegistersIsGivenUpInTimeAndReplaced() {
        TestCluster recovering =
                new TestCluster(TestCluster.settings().previousWorkersWaitMillis(WAIT).build());
        recovering.manager.backendAdded(backend);
        recovering.manager.workerStarted("local", new WorkerId("local-old"), SMALL);
        FakeJobMaster job = recovering.job("count", 1);
        recovering.declare(job, 1, 1);
        recovering.time.advance(WAIT + 1_000);
        assertThat(backend.needed()).as("it is waited for, and no other is asked for").isEqualTo(1);
        assertThat(recovering.details().workers()).extracting(WorkerDetails::id).containsExactly("local-old");
        recovering.time.advance(48_000);
        assertThat(backend.unwanted()).isEmpty();
        recovering.time.advance(1_100);

        assertThat(backend.unwanted()).containsExactly(new WorkerId("local-old"));
        assertThat(backend.needed()).isEqualTo(1);
        assertThat(recovering.workerStates()).containsExactly("pending");
    }
}
