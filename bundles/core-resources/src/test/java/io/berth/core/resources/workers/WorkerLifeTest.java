package io.berth.core.resources.workers;

import static io.berth.core.resources.TestCluster.SLOT;
import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.resources.FakeBackend;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.WorkerSpec;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WorkerLifeTest {

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

    private List<String> workerStates() {
        return cluster.details().workers().stream().map(WorkerDetails::state).toList();
    }

    @Test
    void declaresTheWorkersThatAPlanNeedsAndWithdrawsThemWhenItDoesNot() {
        cluster.manager.backendAdded(backend);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 3, 3);
        cluster.time.advance(50);
        assertThat(backend.needed()).isEqualTo(2);
        assertThat(workerStates()).containsExactly("pending", "pending");

        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        assertThat(backend.needed()).isEqualTo(1);
        cluster.call(cluster.manager.disconnectJobMaster(job.job, job.id, "done"));
        cluster.time.advance(50);
        assertThat(backend.needed()).isZero();
        assertThat(workerStates()).isEmpty();
    }

    @Test
    void aWorkerOfTheSpecTakesOverAPendingOneAndGetsItsSlotsAtOnce() {
        cluster.manager.backendAdded(backend);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 2, 2);
        cluster.time.advance(50);
        FakeWorker worker = new FakeWorker("anything", 1);
        cluster.register(worker, "local", "small");
        cluster.time.settle();

        assertThat(worker.requested).as("without waiting for the delay").hasSize(2);
        assertThat(workerStates()).containsExactly("registered");
    }

    @Test
    void requestsNothingOfAMinimumUntilAllItsPendingWorkersHaveRegistered() {
        cluster.manager.backendAdded(backend);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 4, 4);
        cluster.time.advance(50);
        FakeWorker first = started("local-1");
        cluster.time.advance(5_000);
        assertThat(first.requested).isEmpty();
        assertThat(backend.needed()).isEqualTo(2);

        FakeWorker second = started("local-2");
        cluster.time.advance(50);
        assertThat(first.requested).hasSize(2);
        assertThat(second.requested).hasSize(2);
        assertThat(backend.needed()).isEqualTo(2);
    }

    @Test
    void aWorkerWithSlotsTakesOverNoPendingOne() {
        cluster.manager.backendAdded(backend);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 2, 2);
        cluster.time.advance(50);
        FakeWorker worker = new FakeWorker("recovered", 1);
        AllocationId allocation = new AllocationId(3, 1);
        worker.slots.put(
                allocation, new SlotReport.Slot(allocation, job.job, job.id, "other", "default", SLOT, true, 1, 1));
        cluster.register(worker, "local", "small");
        cluster.time.settle();

        assertThat(workerStates()).containsExactlyInAnyOrder("pending", "registered");
    }

    @Test
    void aProcessThatIsNoLongerNeededIsUnwanted() {
        cluster.manager.backendAdded(backend);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        cluster.manager.workerStarted("local", new WorkerId("local-1"), SMALL.name());
        cluster.declare(job, 0, 0);
        cluster.time.advance(50);

        assertThat(backend.needed()).isZero();
        assertThat(backend.declared.get(backend.declared.size() - 1).unwanted())
                .containsExactly(new WorkerId("local-1"));
    }

    @Test
    void aProcessThatDoesNotRegisterIsGivenUpAndAnotherOneWanted() {
        cluster.manager.backendAdded(backend);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        cluster.manager.workerStarted("local", new WorkerId("local-1"), SMALL.name());
        cluster.time.advance(60_100);

        assertThat(backend.needed()).isEqualTo(1);
        assertThat(backend.declared.get(backend.declared.size() - 1).unwanted())
                .containsExactly(new WorkerId("local-1"));
        FakeWorker other = started("local-2");
        cluster.time.advance(50);
        assertThat(other.requested).hasSize(1);
    }

    @Test
    void whatABackendReportsBeyondItsOfferHasNoEffect() {
        cluster.manager.backendAdded(backend);
        FakeWorker standalone = new FakeWorker("standalone-1", 1);
        cluster.register(standalone, "standalone", "");
        cluster.manager.workerStarted("local", new WorkerId("local-x"), "huge");
        cluster.manager.workerStarted("local", standalone.id, SMALL.name());
        cluster.manager.workerStarted("villain", new WorkerId("villain-1"), SMALL.name());
        cluster.time.settle();
        assertThat(cluster.details().workers()).extracting(WorkerDetails::id).containsExactly("standalone-1");
        for (int i = 0; i < 50; i++) {
            cluster.manager.workerStarted("local", new WorkerId("local-" + i), SMALL.name());
        }
        cluster.time.settle();
        assertThat(cluster.details().workers())
                .as("as many as it offers, and the other one")
                .hasSize(SMALL.maximum() + 1);
    }

    @Test
    void tellsJobsWhyTheWorkersTheyWaitForDoNotStart() {
        cluster.manager.backendAdded(backend);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(6_000);
        assertThat(job.notices).containsExactly("needs 1 x {1 cpu, 512 MiB}: 1 worker of local/small is being started");
        cluster.manager.workerStartFailed("local", SMALL.name(), TestCluster.failed("no such program"));
        cluster.time.settle();

        assertThat(job.notices).hasSize(2);
        assertThat(job.notices.get(1))
                .isEqualTo("needs 1 x {1 cpu, 512 MiB}: a worker of local/small could not be"
                        + " started: no such program");
    }

    @Test
    void releasesIdleWorkersOfAnEarlierLifeAlthoughTheSpecKeepsSome() {
        WorkerSpec kept = WorkerSpec.of("small", TWO_SLOTS)
                .defaultSlots(2)
                .minimum(1)
                .maximum(4)
                .build();
        FakeBackend keeping = new FakeBackend(kept);
        cluster.manager.backendAdded(keeping);
        cluster.time.settle();
        assertThat(keeping.needed()).isEqualTo(1);
        FakeWorker own = new FakeWorker("local-2", 1);
        cluster.manager.workerStarted("local", own.id, kept.name());
        cluster.register(own, "local", "small");
        FakeWorker leftover = new FakeWorker("local-9", 1);
        cluster.register(leftover, "local", "small");
        cluster.time.advance(32_000);

        assertThat(leftover.told).containsExactly("exit");
        assertThat(own.told).isEmpty();
        assertThat(keeping.needed()).isEqualTo(1);
    }

    @Test
    void keepsAShortTimeout() {
        TestCluster quick = new TestCluster(
                TestCluster.settings().workerIdleTimeoutMillis(400).build());
        quick.manager.backendAdded(backend);
        FakeWorker worker = new FakeWorker("local-1", 1);
        quick.manager.workerStarted("local", worker.id, SMALL.name());
        quick.register(worker, "local", "small");
        quick.time.advance(300);
        assertThat(worker.told).isEmpty();
        quick.time.advance(400);
        assertThat(worker.told).containsExactly("exit");
    }

    @Test
    void aWorkerThatKeepsResultsIsNotIdle() {
        cluster.manager.backendAdded(backend);
        FakeWorker worker = new FakeWorker("local-1", 1);
        worker.results = 2;
        cluster.manager.workerStarted("local", worker.id, SMALL.name());
        cluster.register(worker, "local", "small");
        cluster.time.advance(90_000);
        assertThat(worker.told).isEmpty();
        assertThat(cluster.details().workers())
                .extracting(WorkerDetails::results)
                .containsExactly(2);

        worker.results = 0;
        cluster.time.advance(25_000);
        assertThat(worker.told).isEmpty();
        cluster.time.advance(10_000);
        assertThat(worker.told).containsExactly("exit");
    }

    @Test
    void releasesAnIdleWorkerAfterTheTimeoutHavingAskedIt() {
        cluster.manager.backendAdded(backend);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        FakeWorker worker = started("local-1");
        FakeWorker byHand = cluster.worker("w1");
        cluster.time.advance(50);
        cluster.declare(job, 0, 0);
        cluster.free(worker, worker.requested.get(0).allocation());
        cluster.time.advance(29_000);
        assertThat(worker.told).isEmpty();
        assertThat(backend.needed()).isEqualTo(1);

        cluster.time.advance(3_000);
        assertThat(worker.told).containsExactly("exit");
        assertThat(backend.needed()).isZero();
        assertThat(backend.declared.get(backend.declared.size() - 1).unwanted()).containsExactly(worker.id);
        assertThat(byHand.told).as("nobody would start it again").isEmpty();
        cluster.call(cluster.manager.disconnectWorker(worker.instance, "exit"));
        assertThat(cluster.details().workers()).extracting(WorkerDetails::id).containsExactly("w1");
    }

    @Test
    void aWorkerThatRefusesToExitTakesSlotsAgain() {
        cluster.manager.backendAdded(backend);
        FakeWorker worker = started("local-1");
        AllocationId allocation = new AllocationId(3, 1);
        cluster.time.advance(29_500);
        FakeJobMaster job = cluster.job("count", 1);
        SlotReport.Slot slot = new SlotReport.Slot(allocation, job.job, job.id, "all", "default", SLOT, true, 1, 1);
        cluster.time.advance(400);
        worker.slots.put(allocation, slot);
        cluster.time.advance(2_500);
        cluster.declare(job, 2, 2);
        cluster.time.advance(100);

        assertThat(workerStates()).containsExactly("registered");
        assertThat(cluster.states(job)).hasSize(2);
        assertThat(backend.needed()).isEqualTo(1);
    }

    @Test
    void keepsTheLeastNumberOfWorkersOfASpec() {
        FakeBackend keeping = new FakeBackend(WorkerSpec.of("small", TWO_SLOTS)
                .defaultSlots(2)
                .minimum(1)
                .maximum(4)
                .build());
        cluster.manager.backendAdded(keeping);
        cluster.time.advance(50);
        assertThat(keeping.needed()).isEqualTo(1);
        FakeWorker worker = started("local-1");
        cluster.time.advance(100_000);

        assertThat(worker.told).isEmpty();
        assertThat(keeping.needed()).isEqualTo(1);
    }

    @Test
    void requestsAtMostAsManyWorkersAsASpecAllows() {
        cluster.manager.backendAdded(new FakeBackend(
                WorkerSpec.of("small", TWO_SLOTS).defaultSlots(2).build()));
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 9);
        cluster.time.advance(50);

        assertThat(workerStates()).hasSize(1);
    }

    @Test
    void flip138_theRequirementsOfALostJobMasterGoToZeroAndItsSlotsStay() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        FakeJobMaster waiting = cluster.job("waiting", 2);
        var declaration = job.requires(1, 2, SLOT);
        cluster.call(cluster.manager.declareRequirements(declaration));
        cluster.time.advance(50);
        AllocationId last = worker.slots.lastKey();
        cluster.declare(waiting, 1, 1);
        job.mute = true;
        cluster.time.advance(15_000);
        assertThat(job.told).containsExactly("disconnect");
        assertThat(cluster.states(job)).hasSize(2);
        cluster.free(worker, last);
        cluster.time.advance(50);
        assertThat(cluster.states(waiting))
                .as("nothing is required for the lost job")
                .hasSize(1);

        job.mute = false;
        cluster.register(job);
        cluster.call(cluster.manager.declareRequirements(declaration));
        cluster.time.advance(1_000);
        assertThat(cluster.states(job)).as("held slots are not requested again").hasSize(1);
        assertThat(worker.requested).hasSize(3);
    }

    @Test
    void refusesImplausibleWorkersAndNamesTheField() {
        assertThat(refusal(ResourceProfile.of(2_000_000_000L, 1), 1, new TreeMap<>()))
                .contains("cpu is 2000000000");
        assertThat(refusal(ResourceProfile.of(1_000, 0), 1, new TreeMap<>())).contains("memory is 0");
        assertThat(refusal(SLOT, 0, new TreeMap<>())).contains("slots is 0");
        assertThat(refusal(SLOT, 10_001, new TreeMap<>())).contains("slots is 10001");
        TreeMap<String, String> labels = new TreeMap<>();
        labels.put("rack", "x".repeat(2_000));
        assertThat(refusal(SLOT, 1, labels)).contains("label rack has 2000 characters");
        assertThat(cluster.details().workers()).isEmpty();
    }

    private String refusal(ResourceProfile total, int slots, SortedMap<String, String> labels) {
        FakeWorker worker = new FakeWorker("w1", 1);
        WorkerRegistration registration = new WorkerRegistration(
                worker.id,
                worker.session,
                worker.endpoint(),
                "127.0.0.1:1",
                total,
                slots,
                "standalone",
                "",
                WorkerLabels.of(labels),
                SlotReport.empty());
        RegistrationResponse response = cluster.register(worker, registration);
        assertThat(response).isInstanceOf(RegistrationResponse.Rejected.class);
        return ((RegistrationResponse.Rejected) response).reason();
    }

    @Test
    void anOrderlyStopAsksEveryWorkerToExitAndReplacesNone() {
        cluster.manager.backendAdded(backend);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 2, 2);
        cluster.time.advance(50);
        FakeWorker started = started("local-1");
        FakeWorker byHand = cluster.worker("w1");
        var stopped = cluster.manager.stop("the control plane stops").toCompletableFuture();
        cluster.time.settle();

        assertThat(stopped).isCompleted();
        assertThat(started.told).containsExactly("exit force");
        assertThat(byHand.told).containsExactly("exit force");
        assertThat(backend.needed()).isZero();
        cluster.manager.workerEnded("local", started.id, "exit code 0");
        cluster.time.advance(1_000);
        assertThat(backend.needed()).isZero();
    }

    @Test
    void takesNoJobMasterInWhileItStops() {
        FakeJobMaster job = cluster.job("count", 1);
        cluster.call(cluster.manager.stop("the control plane stops"));

        assertThat(job.told).containsExactly("disconnect");
        assertThatThrownBy(() -> cluster.register(job)).hasMessageContaining("is stopping: register at the next one");
    }

    @Test
    void jobMastersReceiveTheMatchingRuleAsTheyRegisterAndRegisterAgainWhenItIsAnother() {
        FakeJobMaster job = cluster.job("count", 1);
        assertThat(((RegistrationResponse.Accepted) cluster.register(job)).matchingRule())
                .isEqualTo(MatchingRule.EXACT);
        cluster.manager.configure(TestCluster.settings().build());
        cluster.time.advance(10);
        assertThat(job.told).as("the rule is the same").isEmpty();

        cluster.manager.configure(
                TestCluster.settings().matchingRule(MatchingRule.LOOSE).build());
        cluster.time.advance(10);
        assertThat(job.told).containsExactly("disconnect");
        assertThat(((RegistrationResponse.Accepted) cluster.register(job)).matchingRule())
                .isEqualTo(MatchingRule.LOOSE);
    }

    @Test
    void takesOverAnotherMatchingRuleWhileRunning() {
        FakeWorker worker = cluster.worker("w1");
        cluster.time.advance(100);
        cluster.manager.configure(TestCluster.settings()
                .requirementCheckDelayMillis(10)
                .matchingRule(MatchingRule.LOOSE)
                .build());
        cluster.time.advance(10);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(10);

        assertThat(cluster.rules).containsExactly(MatchingRule.EXACT, MatchingRule.LOOSE);
        assertThat(worker.requested).as("the shorter delay holds").hasSize(1);
    }
}
