package io.berth.core.resources;

import static io.berth.core.resources.TestCluster.SLOT;
import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.SlotReport;
import io.berth.spi.AllocationId;
import io.berth.spi.backend.WorkerSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResourceManagerConformanceTest {

    private static final WorkerSpec SMALL =
            WorkerSpec.of("small", TWO_SLOTS).defaultSlots(2).maximum(9).build();
    private static final long WAIT = 17_000;

    private final TestCluster cluster = new TestCluster();
    private final FakeBackend backend = new FakeBackend(SMALL);

    private static TestCluster restarted() {
        return new TestCluster(
                TestCluster.settings().previousWorkersWaitMillis(WAIT).build());
    }

    private static void holds(FakeWorker worker, FakeJobMaster job, int count) {
        for (int slot = 1; slot <= count; slot++) {
            AllocationId allocation =
                    new AllocationId(3, Math.abs(worker.id.value().hashCode()) * 10L + slot);
            worker.slots.put(
                    allocation, new SlotReport.Slot(allocation, job.job, job.id, "all", "default", SLOT, true, 1, 1));
        }
    }

    private FakeWorker started(TestCluster where, String name) {
        FakeWorker worker = new FakeWorker(name, 1);
        where.manager.workerStarted("local", worker.id, SMALL.name());
        where.register(worker, "local", "small");
        return worker;
    }

    @Test
    void c91_requirementsWaitUntilWorkersOfThePreviousAttemptHadTimeToRegister() {
        TestCluster recovering = restarted();
        recovering.manager.backendAdded(backend);
        FakeJobMaster job = recovering.job("count", 1);
        recovering.declare(job, 3, 3);
        recovering.time.advance(5_000);
        assertThat(backend.declared).as("the backend is greeted").hasSize(1);
        assertThat(backend.needed()).as("nothing is started").isZero();
        assertThat(job.notices).last().asString().contains("at most 17000 ms, for the workers of the previous one");
        FakeWorker first = new FakeWorker("local-1", 1);
        FakeWorker second = new FakeWorker("local-2", 1);
        holds(first, job, 2);
        holds(second, job, 1);
        recovering.register(first, "local", "small");
        recovering.register(second, "local", "small");
        recovering.time.advance(WAIT);

        assertThat(backend.needed()).as("all three slots are there").isZero();
        assertThat(first.requested).isEmpty();
        assertThat(second.requested).isEmpty();
        assertThat(recovering.states(job)).hasSize(3);
    }

    @Test
    void c91_whatIsStillMissingAfterTheWaitIsRequested() {
        TestCluster recovering = restarted();
        recovering.manager.backendAdded(backend);
        FakeJobMaster job = recovering.job("count", 1);
        FakeWorker idle = new FakeWorker("local-1", 1);
        recovering.register(idle, "local", "small");
        recovering.declare(job, 4, 4);
        recovering.time.advance(WAIT - 100);
        assertThat(idle.requested).isEmpty();
        recovering.time.advance(200);

        assertThat(backend.needed()).isEqualTo(1);
        started(recovering, "local-2");
        recovering.time.advance(100);
        assertThat(idle.requested).hasSize(2);
    }

    @Test
    void c93_aJobMasterOrWorkerWithoutAHeartbeatIsDisconnectedAfterTheTimeout() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        worker.mute = true;
        job.mute = true;
        cluster.time.advance(9_000);
        assertThat(worker.told).isEmpty();
        assertThat(job.told).isEmpty();
        cluster.time.advance(4_000);

        assertThat(worker.told).singleElement().asString().startsWith("disconnect: no heartbeat for");
        assertThat(job.told).containsExactly("disconnect");
        assertThat(cluster.workerStates()).isEmpty();
        assertThatThrownBy(() -> cluster.declare(job, 1, 1)).hasMessageContaining("register before declaring");
    }

    @Test
    void c93_unreachableAfterSoManyFailedCallsInARowAsAreConfigured() {
        TestCluster patient =
                new TestCluster(TestCluster.settings().heartbeatFailures(4).build());
        FakeWorker worker = patient.worker("w1");
        FakeJobMaster job = patient.job("count", 1);
        worker.dead = true;
        job.dead = true;
        patient.time.advance(7_000);
        assertThat(patient.workerStates()).containsExactly("registered");
        patient.time.advance(1_500);

        assertThat(patient.workerStates()).isEmpty();
        assertThat(job.told).containsExactly("disconnect");
    }

    @Test
    void c109_anySuccessResetsTheCountOfFailedCalls() {
        FakeWorker worker = cluster.worker("w1");
        for (int round = 0; round < 5; round++) {
            worker.dead = true;
            cluster.time.advance(2_000);
            worker.dead = false;
            cluster.time.advance(2_000);
        }

        assertThat(cluster.workerStates()).containsExactly("registered");
    }

    @Test
    void withoutAThresholdOnlyTheTimeoutCounts() {
        TestCluster patient =
                new TestCluster(TestCluster.settings().heartbeatFailures(0).build());
        FakeWorker worker = patient.worker("w1");
        worker.dead = true;
        patient.time.advance(9_500);
        assertThat(patient.workerStates()).containsExactly("registered");
        patient.time.advance(2_500);
        assertThat(patient.workerStates()).isEmpty();
    }

    @Test
    void c95_aJobMasterWithAnOlderTokenIsRefusedAndChangesNothing() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster current = new FakeJobMaster("count", 2, 1);
        cluster.register(current);
        cluster.declare(current, 1, 1);
        FakeJobMaster older = new FakeJobMaster("count", 1, 1);
        assertThat(cluster.register(older)).isInstanceOf(RegistrationResponse.Rejected.class);
        assertThatThrownBy(() -> cluster.declare(older, 2, 2)).hasMessageContaining("is not registered");
        cluster.call(cluster.manager.disconnectJobMaster(older.job, older.id, "late"));
        cluster.time.advance(1_000);

        assertThat(worker.requested)
                .singleElement()
                .satisfies(request -> assertThat(request.jobMaster()).isEqualTo(current.endpoint()));
        cluster.declare(current, 2, 2);
    }

    @Test
    void f01_anOlderJobMasterIsRefusedAlsoWhenTheNewerOneHasLeft() {
        FakeJobMaster newer = new FakeJobMaster("count", 2, 1);
        cluster.register(newer);
        cluster.call(cluster.manager.disconnectJobMaster(newer.job, newer.id, "finished"));

        assertThat(cluster.register(new FakeJobMaster("count", 1, 1)))
                .isInstanceOf(RegistrationResponse.Rejected.class);
    }

    @Test
    void f02_anOlderDeclarationHasNoEffectAlsoAfterTheJobMasterWasLostAndCameBack() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        var older = job.requires(2, 2, SLOT);
        cluster.declare(job, 0, 0);
        job.mute = true;
        cluster.time.advance(15_000);
        job.mute = false;
        cluster.register(job);
        cluster.call(cluster.manager.declareRequirements(older));
        cluster.time.advance(1_000);

        assertThat(worker.requested).isEmpty();
    }

    @Test
    void heartbeatsNameTheDeclarationThatIsFollowedAndNoneAfterTheJobMasterWasLost() {
        cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.time.advance(2_000);
        cluster.declare(job, 1, 1);
        cluster.time.advance(2_000);
        assertThat(job.followed).first().isEqualTo(0L);
        assertThat(job.followed).last().isEqualTo(1L);
        assertThat(cluster.details().slots()).as("its slot stays").hasSize(1);
        job.mute = true;
        cluster.time.advance(15_000);
        job.mute = false;
        job.followed.clear();

        cluster.register(job);
        cluster.time.advance(2_000);
        assertThat(job.followed).containsOnly(0L);
        cluster.declare(job, 1, 1);
        cluster.time.advance(2_000);
        assertThat(job.followed).last().isEqualTo(2L);

        FakeJobMaster next = new FakeJobMaster("count", 2, 1);
        cluster.register(next);
        cluster.time.advance(2_000);
        assertThat(next.followed).containsOnly(0L);
    }

    @Test
    void c97_inTheStartUpPeriodNoShortageIsSentAndWithoutOneItIsSentAtOnce() {
        TestCluster eager =
                new TestCluster(TestCluster.settings().startupPeriodMillis(0).build());
        FakeJobMaster job = eager.job("count", 1);
        eager.declare(job, 1, 1);
        eager.time.advance(600);
        assertThat(job.notices).hasSize(1);

        TestCluster slow = new TestCluster(
                TestCluster.settings().startupPeriodMillis(60_000).build());
        FakeJobMaster patient = slow.job("count", 1);
        slow.declare(patient, 1, 1);
        slow.time.advance(59_000);
        assertThat(patient.notices).isEmpty();
        slow.time.advance(1_600);
        assertThat(patient.notices).hasSize(1);
    }

    @Test
    void c143_aJobMasterThatRegistersAgainGetsItsFullSetAndItsSlotsAreNotRequestedAgain() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        FakeJobMaster other = cluster.job("other", 2);
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        job.mute = true;
        cluster.time.advance(15_000);
        assertThat(job.told).containsExactly("disconnect");
        cluster.declare(other, 1, 1);
        cluster.time.advance(50);
        assertThat(cluster.states(other))
                .as("nothing is required for the lost one")
                .hasSize(1);
        job.mute = false;
        cluster.register(job);
        cluster.declare(job, 1, 1);
        cluster.time.advance(1_000);

        assertThat(cluster.states(job)).containsExactly("allocated");
        assertThat(worker.requested).hasSize(2);
    }

    @Test
    void requirementsOfALostJobMasterHoldForTheRetentionAndThenGoToZero() {
        TestCluster keeping = new TestCluster(
                TestCluster.settings().requirementsRetentionMillis(20_000).build());
        FakeJobMaster job = keeping.job("count", 1);
        keeping.declare(job, 1, 1);
        job.mute = true;
        keeping.time.advance(13_000);
        assertThat(job.told).containsExactly("disconnect");
        FakeWorker worker = keeping.worker("w1");
        keeping.time.advance(100);
        assertThat(worker.requested)
                .as("still required")
                .singleElement()
                .satisfies(request -> assertThat(request.jobMaster()).isEqualTo(job.endpoint()));
        keeping.free(worker, worker.slots.firstKey());
        keeping.time.advance(20_000);
        int before = worker.requested.size();
        keeping.free(worker, worker.slots.firstKey());
        keeping.time.advance(5_000);
        assertThat(worker.requested).as("no further request").hasSize(before);
    }

    @Test
    void aJobMasterThatRegistersAgainWithinTheRetentionLosesNothing() {
        TestCluster keeping = new TestCluster(
                TestCluster.settings().requirementsRetentionMillis(20_000).build());
        FakeJobMaster job = keeping.job("count", 1);
        keeping.declare(job, 1, 1);
        job.mute = true;
        keeping.time.advance(13_000);
        job.mute = false;
        keeping.register(job);
        keeping.time.advance(30_000);
        FakeWorker worker = keeping.worker("w1");
        keeping.time.advance(100);

        assertThat(worker.requested).hasSize(1);
    }

    @Test
    void c151_workersThatHoldSlotsOfAnEarlierLifeAreKnownByTheirSpecAndReleasedWhenTheyAreIdle() {
        TestCluster recovering = restarted();
        recovering.manager.backendAdded(backend);
        FakeJobMaster job = recovering.job("count", 1);
        FakeWorker holder = new FakeWorker("local-old-1", 1);
        FakeWorker idle = new FakeWorker("local-old-2", 1);
        holds(holder, job, 2);
        recovering.register(holder, "local", "small");
        recovering.register(idle, "local", "small");
        recovering.declare(job, 2, 2);
        recovering.time.advance(WAIT + 33_000);
        assertThat(idle.told).containsExactly("exit");
        assertThat(holder.told).isEmpty();
        assertThat(backend.needed()).isZero();
        recovering.declare(job, 0, 0);
        List.copyOf(holder.slots.keySet()).forEach(slot -> recovering.free(holder, slot));
        recovering.time.advance(33_000);

        assertThat(holder.told).as("none is leaked").containsExactly("exit");
    }

    @Test
    void workersOfAnEarlierLifeCountTowardsWhatASpecKeepsAndMayHave() {
        TestCluster recovering = restarted();
        FakeBackend keeping = new FakeBackend(WorkerSpec.of("small", TWO_SLOTS)
                .defaultSlots(2)
                .minimum(1)
                .maximum(2)
                .build());
        recovering.manager.backendAdded(keeping);
        FakeWorker leftover = new FakeWorker("local-old", 1);
        recovering.register(leftover, "local", "small");
        recovering.time.advance(WAIT + 60_000);
        assertThat(keeping.needed()).as("one is there").isZero();
        assertThat(leftover.told).isEmpty();
        FakeJobMaster job = recovering.job("count", 1);
        recovering.declare(job, 1, 9);
        recovering.time.advance(100);

        assertThat(keeping.needed()).as("two there may be").isEqualTo(1);
    }

    @Test
    void workersWithSlotsOfAJobAreNotifiedOfANewerJobMaster() {
        FakeWorker worker = cluster.worker("w1");
        FakeWorker bystander = cluster.worker("w2");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        cluster.register(job);
        assertThat(worker.told).as("it is who it was").isEmpty();
        FakeJobMaster newer = new FakeJobMaster("count", 2, 1);
        cluster.register(newer);
        cluster.register(newer);

        assertThat(worker.told).containsExactly("job master of count changed");
        assertThat(bystander.told).isEmpty();
    }

    @Test
    void aWorkerThatRegistersWithSlotsOfAPreviousJobMasterIsNotifiedOfTheLeader() {
        FakeJobMaster before = new FakeJobMaster("count", 1, 1);
        FakeJobMaster now = new FakeJobMaster("count", 2, 1);
        cluster.register(now);
        FakeWorker outdated = new FakeWorker("w1", 1);
        FakeWorker current = new FakeWorker("w2", 1);
        holds(outdated, before, 2);
        holds(current, now, 1);
        cluster.register(outdated, "standalone", "");
        cluster.register(current, "standalone", "");

        assertThat(outdated.told).containsExactly("job master of count changed");
        assertThat(current.told).isEmpty();
    }

    @Test
    void workersWithSlotsOfAJobAreNotifiedThatItsJobMasterIsUnreachable() {
        FakeWorker worker = cluster.worker("w1");
        FakeWorker bystander = cluster.worker("w2");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        job.dead = true;
        cluster.time.advance(4_500);

        assertThat(worker.told).containsExactly("job master of count lost");
        assertThat(bystander.told).isEmpty();
    }

    @Test
    void aWorkerThatRefusesToExitIsUsedAgainAlthoughItRegisteredMeanwhile() {
        cluster.manager.backendAdded(backend);
        FakeWorker worker = started(cluster, "local-1");
        cluster.time.advance(29_900);
        FakeJobMaster job = new FakeJobMaster("count", 1, 1);
        worker.holdAnswers = true;
        holds(worker, job, 1);
        cluster.time.advance(1_200);
        assertThat(worker.told).containsExactly("exit");
        cluster.register(worker, "local", "small");
        worker.answer();
        cluster.time.advance(100);

        assertThat(cluster.workerStates()).containsExactly("registered");
    }
}
