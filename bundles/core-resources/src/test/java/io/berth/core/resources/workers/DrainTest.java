package io.berth.core.resources.workers;

import static io.berth.core.resources.TestCluster.SLOT;
import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.gateway.JobMasterGateway.LeavingWorker;
import io.berth.core.api.gateway.ResourceManagerGateway.DrainedWorker;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.gateway.WorkerLeaves;
import io.berth.core.resources.FakeBackend;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.WorkerSpec;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Workers that an operator drains: what the ResourceManager does, tells workers and JobMasters, and keeps. */
class DrainTest {

    private static final WorkerLeave BY_ANN = new WorkerLeave(WorkerLeave.NO_DEADLINE, "drained by ann");
    private static final WorkerLeave SOON = new WorkerLeave(60_000, "drained by ann");

    private final TestCluster cluster = new TestCluster();

    private List<DrainedWorker> drain(String target) {
        return drain(target, BY_ANN);
    }

    private List<DrainedWorker> drain(String target, WorkerLeave leave) {
        return cluster.call(cluster.manager.drainWorkers(target, leave));
    }

    private List<DrainedWorker> undrain(String target) {
        return cluster.call(cluster.manager.undrainWorkers(target));
    }

    private Optional<WorkerLeave> leaving(String worker) {
        return cluster.details().workers().stream()
                .filter(there -> there.id().equals(worker))
                .filter(there -> !there.leavingReason().isEmpty())
                .findFirst()
                .map(there -> new WorkerLeave(
                        there.leavingMillis() < 0 ? WorkerLeave.NO_DEADLINE : there.leavingMillis(),
                        there.leavingReason()));
    }

    private static List<WorkerId> left(FakeJobMaster job) {
        return job.leaving.get(job.leaving.size() - 1).stream()
                .map(LeavingWorker::worker)
                .toList();
    }

    @Test
    void aDrainedWorkerReceivesNoSlotsAndStaysWithoutABackend() {
        FakeWorker first = cluster.worker("w1");
        FakeWorker second = cluster.worker("w2");
        assertThat(drain("w1")).containsExactly(new DrainedWorker(first.id, Optional.of(BY_ANN), ""));

        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 4);
        cluster.time.advance(600_000);
        assertThat(first.requested).isEmpty();
        assertThat(second.requested).hasSize(2);
        assertThat(first.told).as("nobody can start it again").isEmpty();
        assertThat(leaving("w1")).contains(BY_ANN);
        assertThat(job.reasons)
                .last()
                .satisfies(reason -> assertThat(reason.line()).contains("1 leaves"));
    }

    @Test
    void theJobReceivesExactlyTheSlotsThatItHasToReplace() {
        FakeWorker first = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 2, 2);
        cluster.time.advance(1_000);
        first.take();
        FakeWorker second = cluster.worker("w2", SLOT.times(4));
        drain("w1");
        cluster.time.advance(60_000);
        assertThat(second.requested).as("not four, and not one for each plan").hasSize(2);
        assertThat(cluster.states(job)).hasSize(4);

        List.copyOf(first.slots.keySet()).forEach(slot -> cluster.free(first, slot));
        cluster.time.advance(60_000);
        assertThat(second.requested).hasSize(2);
        assertThat(cluster.states(job)).hasSize(2);
    }

    @Test
    void nothingIsReplacedBeforeTheJobKnows() {
        FakeWorker first = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 2, 2);
        cluster.time.advance(1_000);
        first.take();
        FakeWorker second = cluster.worker("w2");
        job.dead = true;
        drain("w1", SOON);
        cluster.time.advance(2_500);
        assertThat(second.requested).as("it would refuse them").isEmpty();
        job.dead = false;
        cluster.time.advance(1_500);
        assertThat(second.requested).hasSize(2);
        assertThat(job.leaving)
                .last()
                .satisfies(list -> assertThat(list)
                        .singleElement()
                        .satisfies(worker -> assertThat(worker.leave().millis()).isBetween(56_000L, 58_000L)));
    }

    @Test
    void workersDrainedTogetherAreSentInOneList() {
        FakeWorker first = cluster.worker("w1");
        FakeWorker second = cluster.worker("w2");
        FakeJobMaster job = cluster.job("count", 1);
        int before = job.leaving.size();
        drain("127.0.0.1");
        assertThat(job.leaving).hasSize(before + 1);
        assertThat(left(job)).containsExactly(first.id, second.id);
    }

    @Test
    void anUndrainCountsWhenTheProcessKnows() {
        FakeWorker first = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        drain("w1");
        assertThat(first.leaving.drained()).contains(BY_ANN);

        first.holdAnswers = true;
        CompletionStage<List<DrainedWorker>> answer = cluster.manager.undrainWorkers("w1");
        cluster.time.advance(10);
        assertThat(answer.toCompletableFuture()).isNotDone();
        assertThat(leaving("w1")).isPresent();
        first.answer();
        assertThat(cluster.call(answer)).containsExactly(new DrainedWorker(first.id, Optional.empty(), ""));
        assertThat(leaving("w1")).isEmpty();
        assertThat(left(job)).isEmpty();

        cluster.declare(job, 1, 2);
        cluster.time.advance(1_000);
        assertThat(first.requested).hasSize(2);
    }

    @Test
    void aWorkerThatDoesNotAnswerAnUndrainLeavesAsBefore() {
        FakeWorker first = cluster.worker("w1");
        drain("w1");
        first.dead = true;
        assertThat(undrain("w1")).singleElement().satisfies(worker -> {
            assertThat(worker.leaving()).contains(BY_ANN);
            assertThat(worker.problem()).contains("did not answer");
        });
        first.leaving = WorkerLeaves.NONE;
        first.dead = false;
        cluster.time.advance(1_500);
        assertThat(first.leaving.drained()).as("both agree again").contains(BY_ANN);
    }

    @Test
    void aWorkerThatDoesNotAnswerADrainIsToldUntilItDoes() {
        FakeWorker first = cluster.worker("w1");
        first.dead = true;
        assertThat(drain("w1")).singleElement().satisfies(worker -> {
            assertThat(worker.leaving()).contains(BY_ANN);
            assertThat(worker.problem()).contains("sent again");
        });
        first.dead = false;
        cluster.time.advance(1_500);
        assertThat(first.leaving.drained()).contains(BY_ANN);
    }

    @Test
    void theNextResourceManagerKnowsFromTheWorker() {
        FakeWorker first = new FakeWorker("w1", 1);
        first.leaving = new WorkerLeaves(Optional.of(SOON), Optional.empty());
        cluster.register(first, "standalone", "");
        assertThat(leaving("w1")).contains(SOON);
        FakeJobMaster job = cluster.job("count", 1);
        assertThat(left(job)).containsExactly(first.id);
        cluster.declare(job, 1, 1);
        cluster.time.advance(1_000);
        assertThat(first.requested).isEmpty();
    }

    @Test
    void jobMastersKeepTheirListWhileWorkersOfTheLastTermMayRegister() {
        TestCluster next = new TestCluster(
                TestCluster.settings().previousWorkersWaitMillis(30_000).build());
        FakeJobMaster job = new FakeJobMaster("count", 1, 1);
        FakeWorker first = new FakeWorker("w1", 1);
        first.leaving = new WorkerLeaves(Optional.of(BY_ANN), Optional.empty());
        holds(next, job, first);
        next.time.advance(5_000);
        assertThat(job.leaving).as("an empty list would end the move").isEmpty();
        next.register(first, "standalone", "");
        next.time.advance(1_000);
        assertThat(left(job)).containsExactly(first.id);
    }

    /** The job registers and has slots on the worker. */
    private static void holds(TestCluster at, FakeJobMaster job, FakeWorker worker) {
        job.holds(worker.id);
        at.register(job);
    }

    @Test
    void aJobMasterThatRegistersAgainReceivesTheListEvenIfItIsEmpty() {
        cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        drain("w1");
        undrain("w1");
        job.leaving.clear();
        cluster.register(job);
        assertThat(job.leaving).containsExactly(List.of());
    }

    @Test
    void aLostWorkerIsNoLongerListed() {
        FakeWorker first = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        drain("w1", SOON);
        assertThat(left(job)).containsExactly(first.id);
        cluster.call(cluster.manager.disconnectWorker(first.instance, "its process ended"));
        cluster.time.advance(200);
        assertThat(left(job)).isEmpty();

        FakeWorker again = new FakeWorker("w1", 2);
        cluster.register(again, "standalone", "");
        assertThat(leaving("w1")).as("another process does not leave").isEmpty();
    }

    private FakeBackend backend(int minimum) {
        FakeBackend backend = new FakeBackend(WorkerSpec.of("small", TWO_SLOTS)
                .defaultSlots(2)
                .minimum(minimum)
                .maximum(4)
                .build());
        cluster.manager.backendAdded(backend);
        cluster.manager.backendRecovered("local");
        cluster.time.advance(100);
        return backend;
    }

    private FakeWorker started(FakeBackend backend, String id) {
        cluster.manager.workerStarted("local", new WorkerId(id), "small");
        FakeWorker worker = new FakeWorker(id, 1);
        cluster.register(worker, "local", "small");
        return worker;
    }

    @Test
    void anEmptyWorkerOfABackendIsReleasedAtOnceAndReplacedForTheMinimum() {
        FakeBackend backend = backend(1);
        FakeWorker worker = started(backend, "local-1");
        drain("local-1");
        cluster.time.advance(1_500);
        assertThat(worker.told).containsExactly("exit");
        assertThat(backend.unwanted()).containsExactly(worker.id);
        assertThat(backend.needed()).as("another one for the minimum").isEqualTo(1);
        assertThat(undrain("local-1"))
                .singleElement()
                .satisfies(drained -> assertThat(drained.problem()).contains("being stopped"));
    }

    @Test
    void aWorkerWithSlotsIsReleasedWhenTheyHaveMoved() {
        FakeBackend backend = backend(0);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 2, 2);
        cluster.time.advance(1_000);
        FakeWorker worker = started(backend, "local-1");
        cluster.time.advance(100);
        worker.take();
        drain("local-1");
        cluster.time.advance(5_000);
        assertThat(worker.told).as("it is in use").isEmpty();
        assertThat(backend.needed())
                .as("one that leaves, and one for the slots")
                .isEqualTo(2);
        FakeWorker other = started(backend, "local-2");
        cluster.time.advance(100);
        assertThat(other.requested).hasSize(2);
        List.copyOf(worker.slots.keySet()).forEach(slot -> cluster.free(worker, slot));
        cluster.time.advance(1_500);
        assertThat(worker.told).containsExactly("exit");
        assertThat(backend.needed()).isEqualTo(1);
        assertThat(backend.unwanted()).containsExactly(worker.id);
    }

    @Test
    void aPendingWorkerIsStoppedAndTheOneThatReplacesItDoesNotLeave() {
        FakeBackend backend = backend(0);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 2, 2);
        cluster.time.advance(1_000);
        cluster.manager.workerStarted("local", new WorkerId("local-1"), "small");
        cluster.time.advance(100);
        assertThat(drain("local-1")).hasSize(1);
        cluster.time.advance(1_000);
        assertThat(backend.unwanted()).containsExactly(new WorkerId("local-1"));
        assertThat(backend.needed()).isEqualTo(1);
        FakeWorker other = started(backend, "local-2");
        cluster.time.advance(1_000);
        assertThat(other.requested).hasSize(2);
        assertThat(leaving("local-2")).isEmpty();
    }

    @Test
    void aProcessThatEndsBeforeItRegistersTakesItsLeaveWithIt() {
        FakeBackend backend = backend(1);
        cluster.manager.workerStarted("local", new WorkerId("local-1"), "small");
        cluster.time.settle();
        drain("local-1");
        cluster.manager.workerEnded("local", new WorkerId("local-1"), "crashed");
        cluster.time.advance(1_000);
        FakeWorker other = started(backend, "local-2");
        assertThat(leaving("local-2")).isEmpty();
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(1_000);
        assertThat(other.requested).hasSize(1);
    }

    @Test
    void deadlineAndReasonHaveBounds() {
        cluster.worker("w1");
        assertThatThrownBy(() -> drain("w1", new WorkerLeave(31L * 24 * 3_600_000, "x")))
                .hasMessageContaining("deadline of a drain");
        assertThatThrownBy(() -> drain("w1", new WorkerLeave(1, "x".repeat(201))))
                .hasMessageContaining("reason of a drain has 201 characters");
        assertThat(leaving("w1")).isEmpty();
        assertThat(drain("w9")).as("there is none").isEmpty();
        assertThat(undrain("w1")).as("it does not leave").isEmpty();
    }
}
