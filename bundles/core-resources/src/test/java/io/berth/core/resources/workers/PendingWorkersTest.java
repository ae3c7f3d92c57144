package io.berth.core.resources.workers;

import static io.berth.core.resources.TestCluster.SLOT;
import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.resources.FakeBackend;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.WorkerSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Workers that are asked for, and those that come or do not (reference 1.9 and 2.2). */
class PendingWorkersTest {

    private static final WorkerSpec SMALL =
            WorkerSpec.of("small", TWO_SLOTS).defaultSlots(2).maximum(9).build();
    private static final long WAIT = 17_000;

    private final TestCluster cluster = new TestCluster();
    private final FakeBackend backend = new FakeBackend(SMALL);

    private static TestCluster restarted() {
        return new TestCluster(
                TestCluster.settings().previousWorkersWaitMillis(WAIT).build());
    }

    private static TestCluster strict(int startFailuresPerMinute) {
        return new TestCluster(TestCluster.settings()
                .startFailures(startFailuresPerMinute, 3_000)
                .build());
    }

    private FakeJobMaster oneSlotIsNeeded(TestCluster where) {
        where.manager.backendAdded(backend);
        FakeJobMaster job = where.job("count", 1);
        where.declare(job, 1, 1);
        where.time.advance(50);
        return job;
    }

    private static FakeWorker started(TestCluster where, String name) {
        FakeWorker worker = new FakeWorker(name, 1);
        where.manager.workerStarted("local", worker.id, SMALL.name());
        where.register(worker, "local", "small");
        return worker;
    }

    @Test
    void aBackendInPlaceOfAnotherOneTakesOverItsWorkersAndStartsNone() {
        cluster.manager.backendAdded(backend);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 4);
        cluster.time.advance(50);
        FakeWorker registered = new FakeWorker("local-1", 1);
        cluster.manager.workerStarted("local", registered.id, SMALL.name());
        cluster.register(registered, "local", "small");
        WorkerId starting = new WorkerId("local-2");
        cluster.manager.workerStarted("local", starting, SMALL.name());
        cluster.time.advance(50);
        assertThat(backend.needed()).isEqualTo(2);

        FakeBackend next = new FakeBackend(SMALL);
        cluster.manager.backendRemoved(backend);
        cluster.manager.backendAdded(next);
        cluster.manager.workerSurvived("local", registered.id, SMALL.name());
        cluster.manager.workerSurvived("local", starting, SMALL.name());
        cluster.manager.backendRecovered("local");
        cluster.time.advance(1_000);

        assertThat(next.needed()).as("those that there are, and no more").isEqualTo(2);
        assertThat(next.unwanted()).isEmpty();
        assertThat(cluster.details().workers())
                .extracting(WorkerDetails::id)
                .containsExactlyInAnyOrder("local-1", "local-2");
        assertThat(cluster.states(job)).hasSize(2);
    }

    @Test
    void aRegisteringWorkerTakesThePendingOneWithPlannedSlots() {
        WorkerRegistry workers = new WorkerRegistry(TestCluster.noFlush());
        WorkerEntry first = workers.add(
                new WorkerId("pending-1"), new Origin("local", "small", 0), TWO_SLOTS, 2, WorkerLabels.NONE);
        WorkerEntry second = workers.add(
                new WorkerId("pending-2"), new Origin("local", "small", 0), TWO_SLOTS, 2, WorkerLabels.NONE);
        assertThat(workers.openPending("local/small", worker -> true)).contains(first);
        workers.plan(second, 1, SLOT);

        assertThat(workers.openPending("local/small", worker -> true)).contains(second);
        assertThat(workers.openPending("local/small", worker -> worker != second))
                .contains(first);
        assertThat(workers.openPending("local/large", worker -> true)).isEmpty();
    }

    @Test
    void aBackendReceivesOneDeclarationForAllChangesTogether() {
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
    void aBackendReceivesTwoDeclarationsHoweverManyIdleWorkersAreReleased() {
        int count = 200;
        FakeBackend large = new FakeBackend(
                WorkerSpec.of("small", TWO_SLOTS).defaultSlots(2).maximum(count).build());
        cluster.manager.backendAdded(large);
        for (int number = 0; number < count; number++) {
            FakeWorker worker = new FakeWorker("local-" + number, 1);
            cluster.manager.workerStarted(
                    "local", worker.id, large.specs().get(0).name());
            cluster.register(worker, "local", "small");
        }
        cluster.time.advance(1_000);
        int before = large.declared.size();
        cluster.time.advance(40_000);

        assertThat(large.unwanted()).hasSize(count);
        assertThat(large.declared).hasSize(before + 2);
    }

    @Test
    void aWorkerThatHangsIsNamedToItsBackendAndReplacedOnce() {
        cluster.manager.backendAdded(backend);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        FakeWorker worker = started(cluster, "local-1");
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
        assertThat(backend.declared.get(backend.declared.size() - 1).unwanted())
                .as("it is gone")
                .isEmpty();
    }

    @Test
    void c99_aWorkerThatEndsBeforeItRegistersIsReplacedAndCountsAsAFailedStart() {
        TestCluster strict = strict(2);
        FakeJobMaster job = oneSlotIsNeeded(strict);
        for (int start = 1; start <= 3; start++) {
            assertThat(backend.needed()).as("start %s", start).isEqualTo(1);
            strict.manager.workerStarted("local", new WorkerId("local-" + start), SMALL.name());
            strict.manager.workerEnded("local", new WorkerId("local-" + start), "exit code 1");
            strict.time.advance(100);
        }
        assertThat(backend.needed())
                .as("the third failure within a minute begins the pause")
                .isZero();
        strict.time.advance(1_000);
        assertThat(job.notices)
                .last()
                .asString()
                .contains("more than 2 starts failed in a minute; no new worker is requested for 3000 ms");
        strict.time.advance(2_000);
        assertThat(backend.needed()).as("and its end asks again").isEqualTo(1);
        strict.manager.workerStartFailed("local", SMALL.name(), TestCluster.failed("no such program"));
        strict.time.advance(100);
        assertThat(backend.needed()).isZero();
        strict.time.advance(70_000);
        strict.manager.workerStartFailed("local", SMALL.name(), TestCluster.failed("no such program"));
        strict.time.advance(100);
        assertThat(backend.needed()).as("what is long ago counts no more").isEqualTo(1);
    }

    @Test
    void thePauseAfterFailedStartsEndsEvenIfTheClockSlowedDown() {
        TestCluster strict = strict(1);
        oneSlotIsNeeded(strict);
        strict.manager.workerStartFailed("local", SMALL.name(), TestCluster.failed("no such program"));
        strict.manager.workerStartFailed("local", SMALL.name(), TestCluster.failed("no such program"));
        strict.time.advance(100);
        assertThat(backend.needed()).isZero();

        strict.clock.behind(500);
        strict.time.advance(3_000);
        assertThat(backend.needed()).as("by its clock the pause is not over").isZero();
        strict.time.advance(500);
        assertThat(backend.needed()).isEqualTo(1);
    }

    @Test
    void theLimitOfFailedStartsLeavesWorkersAloneThatAreStarting() {
        TestCluster strict =
                new TestCluster(TestCluster.settings().startFailures(1, 3_000).build());
        strict.manager.backendAdded(backend);
        FakeJobMaster job = strict.job("count", 1);
        strict.declare(job, 4, 4);
        strict.time.advance(50);
        strict.manager.workerStarted("local", new WorkerId("local-1"), SMALL.name());
        strict.manager.workerStartFailed("local", SMALL.name(), TestCluster.failed("no such program"));
        strict.manager.workerStartFailed("local", SMALL.name(), TestCluster.failed("no such program"));
        strict.time.advance(100);

        assertThat(backend.needed()).as("the one that is starting").isEqualTo(1);
        assertThat(backend.unwanted()).isEmpty();
    }

    @Test
    void c99_aWorkerThatEndsAfterItRegisteredIsReplacedAndCountsAsNoFailedStart() {
        TestCluster strict =
                new TestCluster(TestCluster.settings().startFailures(1, 3_000).build());
        strict.manager.backendAdded(backend);
        FakeJobMaster job = strict.job("count", 1);
        strict.declare(job, 1, 1);
        strict.time.advance(50);
        for (int start = 1; start <= 4; start++) {
            FakeWorker worker = started(strict, "local-" + start);
            strict.manager.workerEnded("local", worker.id, "exit code 137");
            strict.time.advance(100);
            assertThat(backend.needed()).isEqualTo(1);
        }
    }

    @Test
    void c99_aWorkerThatEndsAndIsNotNeededIsNotReplaced() {
        cluster.manager.backendAdded(backend);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        FakeWorker worker = started(cluster, "local-1");
        cluster.time.advance(50);
        cluster.declare(job, 0, 0);
        cluster.manager.workerEnded("local", worker.id, "exit code 1");
        cluster.time.advance(100);

        assertThat(backend.needed()).isZero();
        assertThat(cluster.workerStates()).isEmpty();
    }

    @Test
    void c101_aWorkerOfThePreviousTermIsNotStartedAgainAndIsReleasedWhenIdle() {
        TestCluster recovering = restarted();
        recovering.manager.backendAdded(backend);
        FakeWorker leftover = new FakeWorker("local-old", 1);
        recovering.register(leftover, "local", "small");
        FakeJobMaster job = recovering.job("count", 1);
        recovering.declare(job, 2, 2);
        recovering.time.advance(WAIT + 100);
        assertThat(leftover.requested).hasSize(2);
        assertThat(backend.needed()).isZero();

        recovering.declare(job, 0, 0);
        List.copyOf(leftover.slots.keySet()).forEach(slot -> recovering.free(leftover, slot));
        recovering.time.advance(33_000);
        assertThat(leftover.told).containsExactly("exit");
        assertThat(backend.unwanted()).as("its backend may know of it").containsExactly(leftover.id);
    }

    @Test
    void c101_aWorkerOfThePreviousAttemptThatHangsIsNamedToItsBackend() {
        cluster.manager.backendAdded(backend);
        FakeWorker leftover = new FakeWorker("local-old", 1);
        cluster.register(leftover, "local", "small");
        leftover.mute = true;
        cluster.time.advance(15_000);

        assertThat(cluster.workerStates()).isEmpty();
        assertThat(backend.unwanted()).containsExactly(leftover.id);
        assertThat(backend.declared.get(backend.declared.size() - 1).unwanted()).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void c101_theTimeToRegisterBeginsWhenTheWorkerIsGranted() {
        cluster.manager.backendAdded(backend);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(100_000);
        assertThat(cluster.workerStates())
                .as("a request waits for as long as it takes")
                .containsExactly("pending");
        cluster.manager.workerStarted("local", new WorkerId("local-1"), SMALL.name());
        cluster.time.advance(59_000);
        assertThat(backend.unwanted()).isEmpty();
        cluster.time.advance(1_100);

        assertThat(backend.unwanted()).containsExactly(new WorkerId("local-1"));
        assertThat(backend.needed()).isEqualTo(1);
    }

    @Test
    void aProcessThatABackendStartedWithoutNeedIsNamedUnwantedOnce() {
        cluster.manager.backendAdded(backend);
        for (int start = 1; start <= 12; start++) {
            cluster.manager.workerStarted("local", new WorkerId("local-" + start), SMALL.name());
        }
        cluster.time.settle();

        assertThat(backend.unwanted()).contains(new WorkerId("local-10"), new WorkerId("local-12"));
    }
}
