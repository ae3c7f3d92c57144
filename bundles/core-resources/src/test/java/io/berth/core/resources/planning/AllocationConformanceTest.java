package io.berth.core.resources.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.resources.FakeBackend;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.ResourceProfile;
import io.berth.spi.backend.WorkerSpec;
import org.junit.jupiter.api.Test;

/** Decided by first-fit and fifo. A default slot is one unit; workers have several. */
class AllocationConformanceTest {

    private static final ResourceProfile UNIT = ResourceProfile.of(1_000, 100L << 20);

    private final TestCluster cluster = TestCluster.withRealPolicies();

    private FakeWorker worker(String name, int units) {
        FakeWorker worker = new FakeWorker(name, 1);
        cluster.register(worker, worker.registration(UNIT.times(units), units, "standalone", ""));
        return worker;
    }

    private FakeBackend backend(int units) {
        FakeBackend backend = new FakeBackend(WorkerSpec.of("small", UNIT.times(units))
                .defaultSlots(units)
                .maximum(100)
                .build());
        cluster.manager.backendAdded(backend);
        cluster.time.settle();
        return backend;
    }

    private static GroupRequirement sized(int units, int count) {
        return new GroupRequirement("sized", UNIT.times(units), count, count);
    }

    private static GroupRequirement unknown(int count) {
        return new GroupRequirement("unknown", ResourceProfile.UNKNOWN, count, count);
    }

    @Test
    void c17_requirementsOfDifferentSizesAreServedByTheRegisteredWorkerThatHasRoom() {
        FakeWorker worker = worker("w1", 10);
        FakeBackend backend = backend(10);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, sized(8, 1), unknown(2));
        cluster.time.advance(10_000);

        assertThat(worker.requested)
                .extracting(SlotRequest::profile)
                .containsExactlyInAnyOrder(UNIT.times(8), UNIT, UNIT);
        assertThat(backend.needed()).isZero();
        assertThat(job.notices).isEmpty();
    }

    @Test
    void c21_ofTwoPendingWorkersTheOneThatIsNotNeededIsGivenBack() {
        FakeBackend backend = backend(2);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, unknown(4));
        cluster.time.advance(50);
        assertThat(backend.needed()).isEqualTo(2);
        cluster.declare(job, unknown(2));
        cluster.time.advance(50);

        assertThat(backend.needed()).isEqualTo(1);
        assertThat(cluster.pending()).isEqualTo(1);
    }

    @Test
    void c23_whatAPendingWorkerCannotHoldGoesToOneNewOne() {
        FakeBackend backend = backend(5);
        FakeJobMaster first = cluster.job("first", 1);
        cluster.declare(first, sized(3, 1));
        cluster.time.advance(50);
        assertThat(backend.needed()).isEqualTo(1);
        cluster.declare(first, sized(3, 2), unknown(4));
        cluster.time.advance(50);
        assertThat(backend.needed()).isEqualTo(2);
        FakeWorker one = new FakeWorker("local-1", 1);
        FakeWorker other = new FakeWorker("local-2", 1);
        cluster.register(one, one.registration(UNIT.times(5), 5, "local", "small"));
        cluster.register(other, other.registration(UNIT.times(5), 5, "local", "small"));
        cluster.time.advance(50);

        assertThat(one.requested.size() + other.requested.size()).as("all six").isEqualTo(6);
        assertThat(one.requested).isNotEmpty();
        assertThat(other.requested).isNotEmpty();
        assertThat(backend.needed()).as("no third one").isLessThanOrEqualTo(2);
        assertThat(cluster.pending()).isZero();
    }

    @Test
    void c25_aBlockedWorkerFulfilsNothingAndNewOnesAreRequested() {
        FakeWorker blocked = worker("w1", 2);
        FakeBackend backend = backend(2);
        cluster.manager.block(blocked.id, "its disk is full", 20_000);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, unknown(2));
        cluster.time.advance(10_000);
        assertThat(blocked.requested).isEmpty();
        assertThat(backend.needed()).isEqualTo(1);
        assertThat(job.notices).last().asString().contains("being started");

        cluster.time.advance(10_100);
        assertThat(blocked.requested)
                .as("the end of the block calls for a check")
                .hasSize(2);
        assertThat(backend.needed()).isZero();
    }

    @Test
    void c148_theSmallestSpecThatFitsIsStartedWhateverBackendOffersIt() {
        FakeBackend large = new FakeBackend(
                "a-large",
                WorkerSpec.of("large", UNIT.times(8))
                        .defaultSlots(8)
                        .maximum(10)
                        .build());
        FakeBackend others = new FakeBackend(
                "local",
                WorkerSpec.of("medium", UNIT.times(4))
                        .defaultSlots(4)
                        .maximum(10)
                        .build(),
                WorkerSpec.of("small", UNIT.times(2))
                        .defaultSlots(2)
                        .maximum(10)
                        .build());
        cluster.manager.backendAdded(large);
        cluster.manager.backendAdded(others);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, sized(2, 1));
        cluster.time.advance(50);
        assertThat(others.needed("small")).isEqualTo(1);
        assertThat(others.needed("medium") + large.needed("large")).isZero();

        cluster.declare(job, sized(3, 1));
        cluster.time.advance(50);
        assertThat(others.needed("medium")).isEqualTo(1);
        assertThat(others.needed("small") + large.needed("large")).isZero();
    }

    @Test
    void c148_workersOfDifferentSizeAreFilledByWhatEachOfThemHas() {
        FakeWorker big = worker("w1", 5);
        FakeWorker little = worker("w2", 1);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, sized(2, 2), new GroupRequirement("single", UNIT, 2, 2));
        cluster.time.advance(50);

        assertThat(big.requested).hasSize(3);
        assertThat(little.requested).extracting(SlotRequest::profile).containsExactly(UNIT);
    }

    @Test
    void c49_noWorkerIsStartedForASlotThatNoneCanHold() {
        FakeBackend backend = backend(5);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, sized(6, 1));
        cluster.time.advance(10_000);

        assertThat(backend.needed()).isZero();
        assertThat(job.notices)
                .last()
                .asString()
                .contains("no worker that may be started can hold it: the largest, local/small, has {5 cpu, 500 MiB}");
    }

    @Test
    void c51_aNewPlanReplacesWhatEarlierOnesLeftPending() {
        FakeBackend backend = backend(2);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, unknown(3));
        cluster.time.advance(50);
        assertThat(backend.needed()).isEqualTo(2);
        cluster.declare(job, unknown(1));
        cluster.time.advance(50);
        assertThat(backend.needed()).as("one slot of one worker is planned").isEqualTo(1);
        FakeJobMaster other = cluster.job("other", 2);
        cluster.declare(other, unknown(1));
        cluster.time.advance(50);

        assertThat(backend.needed()).as("its unused slot serves the other job").isEqualTo(1);
    }

    @Test
    void c51_whatIsUnusedOfAPendingWorkerIsItsTotalWithoutWhatIsPlanned() {
        WorkerRegistry workers = new WorkerRegistry(TestCluster.noFlush());
        WorkerEntry pending = workers.add(
                new io.berth.spi.WorkerId("pending-1"),
                new Origin("local", "small", 0),
                UNIT.times(5),
                5,
                WorkerLabels.NONE);
        workers.plan(pending, 2, UNIT);
        workers.plan(pending, 1, UNIT.times(2));
        assertThat(pending.unused()).isEqualTo(UNIT);
        assertThat(workers.sums().spare().cpuMillis()).isEqualTo(1_000);
        workers.ofPool("default").clearPlans();

        assertThat(pending.unused()).isEqualTo(UNIT.times(5));
        assertThat(workers.sums().spare().cpuMillis()).isEqualTo(5_000);
    }

    @Test
    void c141_jobsAreServedInTheOrderOfTheirSubmissionWhateverTheirIds() {
        for (String[] names : new String[][] {{"a", "b", "c"}, {"c", "a", "b"}, {"z", "y", "x"}}) {
            TestCluster fresh = TestCluster.withRealPolicies();
            FakeWorker worker = new FakeWorker("w1", 1);
            fresh.register(worker, worker.registration(UNIT.times(3), 3, "standalone", ""));
            FakeJobMaster first = fresh.job(names[0], 10);
            FakeJobMaster second = fresh.job(names[1], 20);
            FakeJobMaster third = fresh.job(names[2], 30);
            fresh.declare(first, elastic(2));
            fresh.declare(second, elastic(2));
            fresh.declare(third, elastic(2));
            fresh.time.advance(50);
            assertThat(fresh.states(first)).as("full").hasSize(2);
            assertThat(fresh.states(second)).as("in part").hasSize(1);
            assertThat(fresh.states(third)).as("none").isEmpty();

            fresh.declare(first, elastic(3));
            FakeWorker more = new FakeWorker("w2", 1);
            fresh.register(more, more.registration(UNIT, 1, "standalone", ""));
            fresh.time.advance(50);
            assertThat(fresh.states(first))
                    .as("it asked for more last, and comes first")
                    .hasSize(3);
            assertThat(fresh.states(third)).isEmpty();
        }
    }

    private static GroupRequirement elastic(int desired) {
        return new GroupRequirement("default", UNIT, 1, desired);
    }
}
