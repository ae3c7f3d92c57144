package io.berth.core.resources.workers;

import static io.berth.core.resources.TestCluster.SLOT;
import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway.SlotFreed;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.resources.FakeBackend;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.WorkerSpec;
import org.junit.jupiter.api.Test;

/** Workers that are lost, come back, or register more than once (FLIP-6; reference 1.2 and 1.8). */
class WorkerLossTest {

    private static final WorkerSpec SMALL =
            WorkerSpec.of("small", TWO_SLOTS).defaultSlots(2).maximum(4).build();

    private final TestCluster cluster = new TestCluster();
    private final FakeBackend backend = new FakeBackend(SMALL);

    private FakeWorker started(String name) {
        FakeWorker worker = new FakeWorker(name, 1);
        cluster.manager.workerStarted("local", worker.id, SMALL.name());
        cluster.register(worker, "local", "small");
        return worker;
    }

    @Test
    void theEndOfAProcessLosesTheWorkerAtOnceAndItIsReplaced() {
        cluster.manager.backendAdded(backend);
        FakeJobMaster job = cluster.job("count", 1);
        FakeJobMaster bystander = cluster.job("bystander", 2);
        cluster.declare(job, 1, 2);
        cluster.time.advance(50);
        FakeWorker worker = started("local-1");
        cluster.time.advance(50);
        assertThat(cluster.states(job)).hasSize(2);

        cluster.manager.workerEnded("local", worker.id, "exit code 137");
        cluster.time.settle();
        assertThat(cluster.states(job)).isEmpty();
        assertThat(job.lostWorkers).containsExactly(worker.id);
        assertThat(bystander.lostWorkers).as("it has nothing there").isEmpty();
        cluster.time.advance(50);
        assertThat(backend.needed()).isEqualTo(1);
        assertThat(cluster.workerStates()).containsExactly("pending");

        FakeWorker replacement = started("local-2");
        cluster.time.advance(50);
        assertThat(replacement.requested).hasSize(2);
    }

    @Test
    void aReplacementThatTheBackendStartedByItselfIsNotAskedForTwice() {
        cluster.manager.backendAdded(backend);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 2, 2);
        cluster.time.advance(50);
        FakeWorker worker = started("local-1");
        cluster.time.advance(50);
        cluster.manager.workerEnded("local", worker.id, "exit code 137");
        cluster.manager.workerStarted("local", new WorkerId("local-2"), SMALL.name());
        cluster.time.advance(50);

        assertThat(backend.needed()).isEqualTo(1);
        assertThat(backend.declared.get(backend.declared.size() - 1).unwanted()).isEmpty();
        assertThat(cluster.details().workers()).extracting(WorkerDetails::id).containsExactly("local-2");
    }

    @Test
    void aWorkerThatDoesNotAnswerIsLostAfterTheTimeout() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        worker.mute = true;
        cluster.time.advance(9_000);
        assertThat(job.lostWorkers).isEmpty();
        cluster.time.advance(4_000);

        assertThat(job.lostWorkers).containsExactly(worker.id);
        assertThat(worker.told).singleElement().asString().startsWith("disconnect: no heartbeat");
        assertThat(cluster.states(job)).isEmpty();
    }

    @Test
    void aWorkerThatItsBackendIsToEndIsNotTakenBackUntilTheBackendSaysThatItHasEnded() {
        cluster.manager.backendAdded(backend);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 2, 2);
        cluster.time.advance(50);
        FakeWorker worker = started("local-1");
        cluster.time.advance(50);
        worker.mute = true;
        cluster.time.advance(13_000);
        assertThat(backend.unwanted()).containsExactly(worker.id);
        worker.mute = false;
        worker.requested.clear();

        assertThat(cluster.register(worker, "local", "small"))
                .isEqualTo(new RegistrationResponse.Rejected(
                        "worker local-1 was given up, and its backend local stops it"));
        cluster.time.advance(1_000);
        assertThat(worker.requested).isEmpty();

        cluster.manager.workerEnded("local", worker.id, "it was told to");
        assertThat(cluster.register(new FakeWorker("local-1", 2), "local", "small"))
                .isInstanceOf(RegistrationResponse.Accepted.class);
    }

    @Test
    void aHeartbeatThatIsLostLosesNobody() {
        FakeWorker worker = cluster.worker("w1");
        worker.mute = true;
        cluster.time.advance(2_100);
        worker.mute = false;
        cluster.time.advance(20_000);

        assertThat(cluster.workerStates()).containsExactly("registered");
        assertThat(worker.told).isEmpty();
    }

    @Test
    void aWorkerIsUnreachableAfterTwoFailedCallsInARow() {
        FakeWorker worker = cluster.worker("w1");
        worker.dead = true;
        cluster.time.advance(2_500);
        assertThat(cluster.workerStates()).containsExactly("registered");
        cluster.time.advance(2_000);

        assertThat(cluster.workerStates()).isEmpty();
    }

    @Test
    void losesNobodyBecauseItStoodStillItself() {
        FakeWorker worker = cluster.worker("w1");
        worker.holdAnswers = true;
        cluster.time.advance(2_000);
        cluster.time.pause(30_000);
        worker.answer();
        cluster.time.advance(2_100);

        assertThat(cluster.workerStates()).containsExactly("registered");
    }

    @Test
    void f04_aRepeatedRegistrationChangesNothing() {
        FakeWorker worker = cluster.worker("w1");
        var first = worker.registration(TWO_SLOTS, 2, "standalone", "");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 2);
        cluster.time.advance(50);
        var instance = worker.instance;
        worker.holdAnswers = true;
        for (int copy = 0; copy < 100; copy++) {
            cluster.register(worker, first);
        }
        assertThat(worker.instance).as("its notices still count").isEqualTo(instance);
        cluster.time.advance(200);
        assertThat(cluster.states(job)).as("an old report frees nothing").containsExactly("allocated", "allocated");
        worker.answer();
        cluster.time.advance(5_000);

        assertThat(cluster.states(job)).containsExactly("allocated", "allocated");
        assertThat(worker.requested).hasSize(2);
        assertThat(job.lostWorkers).isEmpty();
    }

    @Test
    void f12_noticesOfAStayThatIsOverHaveNoEffectOnTheNextOne() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 2);
        cluster.time.advance(50);
        var over = worker.instance;
        cluster.call(cluster.manager.disconnectWorker(over, "a while away"));
        assertThat(cluster.workerStates()).isEmpty();
        cluster.register(worker, "standalone", "");
        assertThat(worker.instance).isNotEqualTo(over);
        cluster.call(cluster.manager.disconnectWorker(over, "a while away"));
        cluster.call(cluster.manager.slotFreed(new SlotFreed(over, worker.slots.firstKey(), job.job, "late")));

        assertThat(cluster.workerStates()).containsExactly("registered");
        assertThat(cluster.states(job)).containsExactly("allocated", "allocated");
    }

    @Test
    void anotherProcessUnderTheSameIdReplacesTheWorkerAndAnOlderOneDoesNot() {
        FakeWorker first = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 2, 2);
        cluster.time.advance(50);
        FakeWorker second = new FakeWorker("w1", 2);
        cluster.register(second, "standalone", "");
        assertThat(job.lostWorkers).containsExactly(first.id);
        cluster.time.advance(50);
        assertThat(second.requested).hasSize(2);

        assertThat(cluster.register(first, "standalone", "")).isInstanceOf(RegistrationResponse.Rejected.class);
        assertThat(cluster.states(job)).hasSize(2);
    }

    @Test
    void aRestartedResourceManagerCountsTheSlotsThatWorkersReport() {
        FakeWorker worker = new FakeWorker("w1", 1);
        FakeJobMaster job = new FakeJobMaster("count", 1, 1);
        AllocationId allocation = new AllocationId(3, 1);
        worker.slots.put(
                allocation, new SlotReport.Slot(allocation, job.job, job.id, "all", "default", SLOT, true, 1, 1));
        cluster.register(worker, "standalone", "");
        cluster.register(job);
        cluster.declare(job, 2, 2);
        cluster.time.advance(100);

        assertThat(worker.requested).as("one of two is there already").hasSize(1);
    }
}
