package io.berth.core.resources.workers;

import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.berth.core.api.gateway.JobMasterGateway.LeavingWorker;
import io.berth.core.api.gateway.ResourceManagerGateway.DrainedWorker;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.gateway.WorkerLeaves;
import io.berth.core.resources.FakeBackend;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.core.resources.backends.BackendConnector;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.WorkerSpec;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Workers that their backend takes away: what the ResourceManager does, tells workers and JobMasters, and keeps. */
class LeavingTest {

    private static final String SPOT = "taken away by backend local: spot notice";

    private final TestCluster cluster = new TestCluster();
    private final FakeBackend backend = new FakeBackend(
            WorkerSpec.of("small", TWO_SLOTS).defaultSlots(2).maximum(4).build());
    private final BackendContext context = contextOf(cluster, "local");

    LeavingTest() {
        cluster.manager.backendAdded(backend);
        cluster.manager.backendRecovered("local");
        cluster.time.advance(100);
    }

    private static BackendContext contextOf(TestCluster of, String name) {
        return new BackendConnector(
                        of.manager,
                        () -> {
                            throw new AssertionError("nothing is launched");
                        },
                        files -> {},
                        7)
                .context(name);
    }

    private FakeWorker started(String id) {
        context.started(new WorkerId(id), "small");
        FakeWorker worker = new FakeWorker(id, 1);
        cluster.register(worker, "local", "small");
        return worker;
    }

    private void leaves(FakeWorker worker, long millis) {
        context.leaving(worker.id, millis, "spot notice");
        cluster.time.settle();
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

    private List<DrainedWorker> drain(String target, long millis) {
        return cluster.call(cluster.manager.drainWorkers(target, new WorkerLeave(millis, "drained by ann")));
    }

    private List<DrainedWorker> undrain(String target) {
        return cluster.call(cluster.manager.undrainWorkers(target));
    }

    @Test
    void aWorkerThatIsTakenAwayIsDrainedWithItsDeadlineAndReleasedWhenItIsEmpty() {
        FakeWorker worker = started("local-1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 2, 2);
        cluster.time.advance(1_000);
        worker.take();
        leaves(worker, 60_000);
        assertThat(leaving("local-1")).contains(new WorkerLeave(60_000, SPOT));
        assertThat(worker.leaving.announced()).contains(new WorkerLeave(60_000, SPOT, true));
        assertThat(job.leaving)
                .last()
                .isEqualTo(List.of(new LeavingWorker(worker.id, new WorkerLeave(60_000, SPOT, true))));

        cluster.time.advance(1_000);
        FakeWorker other = started("local-2");
        cluster.time.advance(100);
        assertThat(other.requested).as("to replace both slots").hasSize(2);
        List.copyOf(worker.slots.keySet()).forEach(slot -> cluster.free(worker, slot));
        cluster.time.advance(1_500);
        assertThat(worker.told).containsExactly("exit");
        assertThat(backend.unwanted()).containsExactly(worker.id);
    }

    @Test
    void theLastCallReplacesTheDeadlineAndTheReason() {
        FakeWorker worker = started("local-1");
        leaves(worker, 60_000);
        cluster.time.advance(300);
        context.leaving(worker.id, 600_000, "postponed");
        cluster.time.settle();
        assertThat(leaving("local-1")).contains(new WorkerLeave(600_000, "taken away by backend local: postponed"));
        cluster.time.advance(300);
        context.leaving(worker.id, BackendContext.NO_DEADLINE, " ");
        cluster.time.settle();
        assertThat(leaving("local-1"))
                .contains(new WorkerLeave(WorkerLeave.NO_DEADLINE, "taken away by backend local"));
    }

    @Test
    void aDeadlineThatIsOverIsSentAsSuch() {
        FakeWorker worker = started("local-1");
        FakeJobMaster job = cluster.job("count", 1);
        leaves(worker, -5_000);
        assertThat(job.leaving).last().isEqualTo(List.of(new LeavingWorker(worker.id, new WorkerLeave(0, SPOT, true))));
    }

    @Test
    void anOperatorCannotKeepAWorkerThatItsBackendTakesAway() {
        FakeWorker worker = started("local-1");
        leaves(worker, 60_000);
        assertThat(drain("local-1", 10_000))
                .as("the earlier deadline counts")
                .containsExactly(
                        new DrainedWorker(worker.id, Optional.of(new WorkerLeave(10_000, "drained by ann", true)), ""));
        assertThat(undrain("local-1"))
                .containsExactly(new DrainedWorker(
                        worker.id,
                        Optional.of(new WorkerLeave(60_000, SPOT, true)),
                        "backend local takes it away: it cannot stay"));
        assertThat(leaving("local-1")).as("but the drain has ended").contains(new WorkerLeave(60_000, SPOT));
        assertThat(worker.leaving.announced()).contains(new WorkerLeave(60_000, SPOT, true));
        assertThat(drain("local-1", 90_000))
                .as("a later deadline changes nothing")
                .containsExactly(new DrainedWorker(worker.id, Optional.of(new WorkerLeave(60_000, SPOT, true)), ""));
    }

    @Test
    void aDrainedWorkerThatIsThenTakenAwayCannotStayEither() {
        FakeWorker worker = started("local-1");
        drain("local-1", WorkerLeave.NO_DEADLINE);
        leaves(worker, 60_000);
        assertThat(leaving("local-1")).contains(new WorkerLeave(60_000, SPOT));
        assertThat(undrain("local-1"))
                .singleElement()
                .satisfies(answer -> assertThat(answer.problem()).contains("takes it away"));
    }

    @Test
    void aWorkerThatHasNotRegisteredLeavesFromTheMomentWhenItDoes() {
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 2, 2);
        cluster.time.advance(1_000);
        context.leaving(new WorkerId("local-1"), 60_000, "spot notice");
        cluster.time.advance(1_000);
        context.started(new WorkerId("local-1"), "small");
        FakeWorker worker = new FakeWorker("local-1", 1);
        cluster.register(worker, "local", "small");
        assertThat(worker.leaving.announced())
                .as("named before it was started")
                .isPresent()
                .get()
                .satisfies(leave -> assertThat(leave.millis()).isCloseTo(59_000, within(10L)));
        cluster.time.advance(1_000);
        assertThat(worker.requested).isEmpty();
        assertThat(backend.needed()).as("another one for the job").isGreaterThan(0);
    }

    @Test
    void aProcessThatEndedTakesItsLeaveWithIt() {
        FakeWorker worker = started("local-1");
        FakeJobMaster job = cluster.job("count", 1);
        leaves(worker, 60_000);
        context.ended(worker.id, "taken away early");
        cluster.time.advance(200);
        assertThat(job.leaving).last().isEqualTo(List.of());
        FakeWorker other = started("local-2");
        cluster.declare(job, 1, 1);
        cluster.time.advance(1_000);
        assertThat(other.requested).hasSize(1);
    }

    @Test
    void anotherProcessOnThePlaceThatIsTakenAwayLeavesToo() {
        leaves(started("local-1"), 60_000);
        FakeWorker again = new FakeWorker("local-1", 2);
        cluster.register(again, "local", "small");
        assertThat(leaving("local-1")).contains(new WorkerLeave(60_000, SPOT));
        assertThat(again.leaving.announced()).contains(new WorkerLeave(60_000, SPOT, true));
    }

    @Test
    void theNextResourceManagerKnowsFromTheWorkerAndFromItsBackend() {
        TestCluster next = new TestCluster(
                TestCluster.settings().previousWorkersWaitMillis(30_000).build());
        next.manager.backendAdded(backend);
        BackendContext again = contextOf(next, "local");
        again.started(new WorkerId("local-1"), "small");
        again.started(new WorkerId("local-2"), "small");
        again.leaving(new WorkerId("local-2"), 60_000, "spot notice");
        again.recovered();
        next.time.advance(100);
        FakeWorker told = new FakeWorker("local-1", 1);
        told.leaving = new WorkerLeaves(Optional.empty(), Optional.of(new WorkerLeave(50_000, SPOT, true)));
        next.register(told, "local", "small");
        FakeWorker drained = new FakeWorker("local-2", 1);
        drained.leaving = new WorkerLeaves(Optional.of(new WorkerLeave(10_000, "drained by ann")), Optional.empty());
        next.register(drained, "local", "small");

        assertThat(next.call(next.manager.undrainWorkers("local-1")))
                .singleElement()
                .satisfies(answer -> assertThat(answer.problem()).contains("takes it away"));
        assertThat(drained.leaving.drained()).as("both count").contains(new WorkerLeave(10_000, "drained by ann"));
        assertThat(drained.leaving.announced()).isPresent();
        assertThat(next.call(next.manager.undrainWorkers("local-2")))
                .singleElement()
                .satisfies(answer ->
                        assertThat(answer.leaving().orElseThrow().reason()).isEqualTo(SPOT));
    }

    /** Another ResourceManager, at which the process of a worker registers with what it knows. */
    private TestCluster takeover(FakeWorker worker) {
        TestCluster next = new TestCluster();
        next.manager.backendAdded(backend);
        next.manager.backendRecovered("local");
        contextOf(next, "local").started(worker.id, "small");
        next.time.advance(100);
        next.register(worker, "local", "small");
        return next;
    }

    private void assertBothPartsHold(TestCluster at, BackendContext from, FakeWorker worker) {
        assertThat(at.details().workers()).singleElement().satisfies(there -> {
            assertThat(there.leavingMillis()).as("the earlier one").isBetween(9_000L, 10_000L);
            assertThat(there.leavingReason()).isEqualTo("drained by ann");
        });
        // As a backend does that recovers its workers.
        from.leaving(worker.id, 60_000, "spot notice");
        at.time.advance(300);
        assertThat(at.details().workers())
                .singleElement()
                .satisfies(there -> assertThat(there.leavingMillis()).isBetween(8_000L, 10_000L));
        assertThat(at.call(at.manager.undrainWorkers(worker.id.value())))
                .singleElement()
                .satisfies(answer -> {
                    assertThat(answer.problem()).contains("takes it away");
                    assertThat(answer.leaving().orElseThrow().reason()).isEqualTo(SPOT);
                    assertThat(answer.leaving().orElseThrow().millis()).isBetween(55_000L, 60_000L);
                });
        assertThat(worker.leaving.drained()).isEmpty();
        assertThat(worker.leaving.announced()).isPresent();
    }

    @Test
    void aDrainHoldsUnderTheNextResourceManagerWhenItsBackendTakesTheWorkerAwayLater() {
        FakeWorker worker = started("local-1");
        drain("local-1", 10_000);
        leaves(worker, 60_000);
        TestCluster next = takeover(worker);
        assertBothPartsHold(next, contextOf(next, "local"), worker);
    }

    @Test
    void aDrainThatCameSecondHoldsUnderTheNextResourceManagerToo() {
        FakeWorker worker = started("local-1");
        leaves(worker, 60_000);
        drain("local-1", 10_000);
        TestCluster next = takeover(worker);
        assertBothPartsHold(next, contextOf(next, "local"), worker);
    }

    @Test
    void bothPartsHoldWhenAWorkerThatWasGivenUpRegistersAgain() {
        FakeWorker worker = started("local-1");
        leaves(worker, 60_000);
        drain("local-1", 10_000);
        cluster.call(cluster.manager.disconnectWorker(worker.instance, "no answer to heartbeats"));
        cluster.register(worker, "local", "small");
        assertBothPartsHold(cluster, context, worker);
    }

    @Test
    void aBackendThatComesFirstUnderTheNextResourceManagerDoesNotReplaceTheDrain() {
        FakeWorker worker = started("local-1");
        drain("local-1", 10_000);
        leaves(worker, 60_000);
        TestCluster next = new TestCluster();
        next.manager.backendAdded(backend);
        BackendContext again = contextOf(next, "local");
        again.started(worker.id, "small");
        again.leaving(worker.id, 60_000, "spot notice");
        next.manager.backendRecovered("local");
        next.time.advance(100);
        next.register(worker, "local", "small");
        next.time.settle();
        assertBothPartsHold(next, again, worker);
    }

    @Test
    void aBackendThatRepeatsItselfCausesFewMessages() {
        FakeWorker worker = started("local-1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.time.advance(1_000);
        int before = job.leaving.size();
        for (int call = 0; call < 10_000; call++) {
            context.leaving(worker.id, 60_000, "spot notice");
        }
        for (int tick = 0; tick < 600; tick++) {
            context.leaving(worker.id, 60_000 - tick, "spot notice");
            cluster.time.advance(1);
        }
        assertThat(job.leaving.size() - before).as("it says the same").isEqualTo(1);
        for (int tick = 0; tick < 1_000; tick++) {
            context.leaving(worker.id, 60_000 + tick * 100L, "spot notice");
            cluster.time.advance(1);
        }
        assertThat(job.leaving.size() - before).as("five in a second").isBetween(5, 8);
        cluster.time.advance(200);
        assertThat(leaving("local-1").orElseThrow().millis())
                .as("the last one counts")
                .isCloseTo(159_900 - 200, within(210L));
    }

    @Test
    void manyWorkersThatAreTakenAwayTogetherAreSentInTwoLists() {
        FakeWorker first = started("local-1");
        FakeWorker second = started("local-2");
        FakeWorker third = started("local-3");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.time.advance(1_000);
        int before = job.leaving.size();
        for (FakeWorker worker : List.of(first, second, third)) {
            leaves(worker, 60_000);
        }
        cluster.time.advance(200);
        assertThat(job.leaving).hasSize(before + 2);
        assertThat(job.leaving).last().satisfies(list -> assertThat(list).hasSize(3));
    }

    @Test
    void workersThatEndAfterEachOtherAreTakenFromTheListTogether() {
        List<FakeWorker> workers =
                List.of(started("local-1"), started("local-2"), started("local-3"), started("local-4"));
        FakeJobMaster job = cluster.job("count", 1);
        workers.forEach(worker -> leaves(worker, 60_000));
        cluster.time.advance(1_000);
        int before = job.leaving.size();
        for (FakeWorker worker : workers.subList(0, 3)) {
            context.ended(worker.id, "its machine ends");
            cluster.time.advance(50);
        }
        assertThat(job.leaving).as("nobody waits for it").hasSize(before);
        cluster.time.advance(100);
        assertThat(job.leaving).as("200 ms after the first").hasSize(before + 1);
        assertThat(left(job)).containsExactly(workers.get(3).id);

        context.ended(workers.get(3).id, "its machine ends");
        leaves(started("local-5"), 60_000);
        assertThat(job.leaving).as("with the next change").hasSize(before + 2);
        assertThat(left(job)).containsExactly(new WorkerId("local-5"));
        cluster.time.advance(1_000);
        assertThat(job.leaving).hasSize(before + 2);
    }

    @Test
    void aProcessOfTheSameNameIsNotTakenForTheOneThatLeft() {
        FakeWorker worker = started("local-1");
        FakeJobMaster job = cluster.job("count", 1);
        leaves(worker, 60_000);
        assertThat(left(job)).containsExactly(worker.id);
        context.ended(worker.id, "its machine ends");
        cluster.time.advance(10);
        cluster.register(new FakeWorker("local-1", 2), "local", "small");
        assertThat(left(job)).as("the job would refuse its slots").isEmpty();
    }

    private static List<WorkerId> left(FakeJobMaster job) {
        return job.leaving.get(job.leaving.size() - 1).stream()
                .map(LeavingWorker::worker)
                .toList();
    }

    @Test
    void onlyItsOwnWorkersAndOnlyNearTimesAreAccepted() {
        FakeWorker worker = started("local-1");
        assertThatThrownBy(() -> context.leaving(new WorkerId("other-1"), 1, "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("worker other-1 does not belong to backend local");
        assertThatThrownBy(() -> context.leaving(worker.id, BackendContext.MAX_LEAVING_MILLIS + 1, "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("worker local-1 leaves in 2592000001 ms: allowed are up to 2592000000");
        context.leaving(worker.id, 1, "y".repeat(1_000));
        cluster.time.settle();
        assertThat(leaving("local-1").orElseThrow().reason()).hasSize(200).endsWith("...");

        BackendContext neighbor = contextOf(cluster, "local-1");
        FakeWorker named = started("local-1-x");
        neighbor.leaving(named.id, 1, "not mine");
        cluster.time.advance(1_000);
        assertThat(leaving("local-1-x")).as("a worker of backend local").isEmpty();
    }
}
