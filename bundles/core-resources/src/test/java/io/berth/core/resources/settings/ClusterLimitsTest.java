package io.berth.core.resources.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.resources.FakeBackend;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.backend.WorkerSpec;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Workers of two units each, of one cpu and 100 MiB. */
class ClusterLimitsTest {

    private static final ResourceProfile UNIT = ResourceProfile.of(1_000, 100L << 20);
    private static final ResourceProfile WORKER = UNIT.times(2);
    private static final WorkerSpec SPEC =
            WorkerSpec.of("small", WORKER).defaultSlots(2).maximum(10).build();

    private final FakeBackend backend = new FakeBackend(SPEC);

    private TestCluster cluster(ClusterLimits limits) {
        TestCluster cluster =
                new TestCluster(TestCluster.settings().limits(limits).build());
        cluster.manager.backendAdded(backend);
        cluster.time.advance(50);
        return cluster;
    }

    private static ClusterLimits atLeast(int units) {
        return new ClusterLimits(units * 1_000, 0, 0, 0, 0);
    }

    private static ClusterLimits atMost(int units) {
        return new ClusterLimits(0, 0, 0, units * (100L << 20), 0);
    }

    private static FakeWorker started(TestCluster cluster, String name) {
        FakeWorker worker = new FakeWorker(name, 1);
        cluster.manager.workerStarted("local", worker.id, SPEC.name());
        cluster.register(worker, worker.registration(WORKER, 2, "local", "small"));
        return worker;
    }

    private static GroupRequirement slots(int count) {
        return new GroupRequirement("default", UNIT, 1, count);
    }

    @Test
    void c29_workersAreStartedForTheLeastAmountAlthoughThereIsNoJob() {
        cluster(atLeast(3));
        assertThat(backend.needed()).isEqualTo(2);
    }

    @Test
    void c29_theLeastAmountOfMemoryCountsLikeThatOfCpu() {
        cluster(new ClusterLimits(0, 5 * (100L << 20), 0, 0, 0));
        assertThat(backend.needed()).isEqualTo(3);
    }

    @Test
    void c29_whatJobsNeedCountsTowardsTheLeastAmount() {
        TestCluster cluster = cluster(atLeast(3));
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, slots(4));
        cluster.time.advance(50);
        assertThat(backend.needed()).isEqualTo(2);
        cluster.declare(job, slots(6));
        cluster.time.advance(50);
        assertThat(backend.needed()).isEqualTo(3);
    }

    @Test
    void c29_anIdleWorkerStaysWhenTheRestWouldBeTooLittle() {
        TestCluster cluster = cluster(atLeast(3));
        FakeWorker first = started(cluster, "local-1");
        FakeWorker second = started(cluster, "local-2");
        FakeWorker third = started(cluster, "local-3");
        cluster.time.advance(40_000);

        assertThat(first.told.size() + second.told.size() + third.told.size())
                .as("one may go")
                .isEqualTo(1);
        assertThat(backend.needed()).isEqualTo(2);
    }

    @Test
    void theLeastAmountIsMadeOfTheSmallestWorkersAndTheRoomToSpareOfTheLargest() {
        FakeBackend other = new FakeBackend(
                "a-large",
                WorkerSpec.of("large", UNIT.times(8))
                        .defaultSlots(8)
                        .maximum(10)
                        .build());
        TestCluster cluster = new TestCluster(TestCluster.settings()
                .limits(new ClusterLimits(4_000, 0, 0, 0, 0))
                .build());
        cluster.manager.backendAdded(other);
        cluster.time.settle();
        assertThat(cluster.workerStates())
                .as("only large ones are there to be started")
                .containsExactly("pending");
        cluster.manager.backendRemoved(other);
        cluster.time.settle();
        TestCluster both = new TestCluster(TestCluster.settings()
                .limits(new ClusterLimits(4_000, 0, 0, 0, 0))
                .build());
        both.manager.backendAdded(backend);
        both.manager.backendAdded(other);
        both.time.advance(50);
        assertThat(backend.needed()).isEqualTo(2);
        assertThat(other.needed("large")).isZero();

        both.manager.configure(
                TestCluster.settings().limits(new ClusterLimits(0, 0, 0, 0, 1)).build());
        both.time.advance(100);
        FakeJobMaster job = both.job("count", 1);
        both.declare(job, slots(1));
        both.time.advance(100);
        assertThat(other.needed("large")).isEqualTo(1);
    }

    @Test
    void c27_soMuchStaysFreeWhateverIsTaken() {
        TestCluster cluster = cluster(new ClusterLimits(0, 0, 0, 0, 1));
        assertThat(backend.needed()).as("a worker's worth without any job").isEqualTo(1);
        FakeWorker first = started(cluster, "local-1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, slots(1));
        cluster.time.advance(50);
        assertThat(first.requested).hasSize(1);
        assertThat(backend.needed()).as("half of it is taken").isEqualTo(2);

        FakeWorker second = started(cluster, "local-2");
        cluster.time.advance(60_000);
        assertThat(second.told).as("it is idle and kept").isEmpty();
        cluster.declare(job, slots(2));
        cluster.time.advance(50);
        assertThat(backend.needed()).as("the second one is free still").isEqualTo(2);
    }

    @Test
    void c37_noWorkerIsStartedBeyondTheMostAmount() {
        TestCluster cluster = cluster(atMost(5));
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, slots(8));
        cluster.time.advance(10_000);

        assertThat(backend.needed()).isEqualTo(2);
        started(cluster, "local-1");
        started(cluster, "local-2");
        cluster.time.advance(10_000);
        assertThat(backend.needed()).isEqualTo(2);
        assertThat(job.notices).last().asString().contains("pool limit is reached with 2 workers of local/small");
    }

    /** Two specs, each of which could use up the limit. */
    private TestCluster withLarge(int units, FakeBackend large) {
        TestCluster cluster = cluster(atMost(units));
        cluster.manager.backendAdded(large);
        cluster.time.advance(50);
        return cluster;
    }

    private static FakeBackend large(int units) {
        return new FakeBackend(
                "large",
                WorkerSpec.of("large", UNIT.times(units))
                        .defaultSlots(units)
                        .maximum(10)
                        .build());
    }

    @Test
    void aJobWhoseWorkersOfTwoSpecsExceedTheLimitTogetherGetsThemOfOne() {
        FakeBackend large = large(4);
        TestCluster cluster = withLarge(4, large);
        FakeJobMaster job = cluster.job("two-sizes", 1);
        cluster.declare(job, new GroupRequirement("a", UNIT, 1, 1), new GroupRequirement("b", UNIT.times(3), 1, 1));
        cluster.time.advance(500);

        assertThat(large.needed("large")).isEqualTo(1);
        assertThat(backend.needed()).isZero();
    }

    @Test
    void aJobThatTheLimitKeepsFromRunningKeepsNoOtherFromIt() {
        FakeBackend large = large(6);
        TestCluster cluster = withLarge(6, large);
        FakeJobMaster impossible = cluster.job("impossible", 1);
        cluster.declare(
                impossible, new GroupRequirement("a", UNIT, 1, 1), new GroupRequirement("b", UNIT.times(6), 1, 1));
        FakeJobMaster possible = cluster.job("possible", 2);
        cluster.declare(possible, new GroupRequirement("b", UNIT.times(6), 1, 1));
        cluster.time.advance(500);

        assertThat(large.needed("large")).isEqualTo(1);
        assertThat(backend.needed()).isZero();
        int plans = cluster.planner.inputs.size();
        cluster.time.advance(10_000);
        assertThat(cluster.planner.inputs).as("it does not plan in circles").hasSize(plans);
    }

    @Test
    void theLimitServesTheEarlierJobWhicheverWorkersAPlanOpensFirst() {
        FakeBackend large = large(3);
        TestCluster cluster = withLarge(4, large);
        cluster.planner.opensLastFirst = true;
        FakeJobMaster earlier = cluster.job("earlier", 1);
        cluster.declare(earlier, new GroupRequirement("a", UNIT.times(2), 2, 2));
        FakeJobMaster later = cluster.job("later", 2);
        cluster.declare(later, new GroupRequirement("b", UNIT.times(3), 1, 1));
        cluster.time.advance(500);

        assertThat(backend.needed()).isEqualTo(2);
        assertThat(large.needed("large")).isZero();
    }

    @Test
    void c37_aForeignWorkerBeyondTheMostAmountIsTurnedAwayAndEnded() {
        TestCluster cluster = cluster(atMost(5));
        cluster.worker("w1", WORKER);
        cluster.worker("w2", WORKER);
        FakeWorker third = new FakeWorker("local-stray", 1);
        RegistrationResponse answer = cluster.register(third, third.registration(WORKER, 2, "local", "small"));

        assertThat(answer).isInstanceOf(RegistrationResponse.Rejected.class);
        assertThat(((RegistrationResponse.Rejected) answer).reason())
                .contains("worker local-stray")
                .contains("cluster.max.memory.mib is 500");
        assertThat(backend.unwanted()).containsExactly(third.id);
        assertThat(cluster.workerStates()).containsExactly("registered", "registered");
    }

    @Test
    void c37_aWorkerThatWasAskedForOrHoldsSlotsIsNeverTurnedAway() {
        TestCluster cluster = cluster(atMost(4));
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, slots(4));
        cluster.time.advance(50);
        assertThat(backend.needed()).isEqualTo(2);
        FakeWorker asked = new FakeWorker("local-1", 1);
        assertThat(cluster.register(asked, asked.registration(WORKER, 2, "local", "small")))
                .isInstanceOf(RegistrationResponse.Accepted.class);
        FakeWorker holder = new FakeWorker("holder", 1);
        AllocationId allocation = new AllocationId(3, 1);
        holder.slots.put(
                allocation, new SlotReport.Slot(allocation, job.job, job.id, "all", "default", UNIT, true, 1, 1));
        assertThat(cluster.register(holder, holder.registration(WORKER, 2, "standalone", "")))
                .isInstanceOf(RegistrationResponse.Accepted.class);
    }

    @Test
    void limitsUnderTheirNamesOfTheFirstVersionHold() {
        assertThat(ClusterLimits.of(configuration(Map.of(
                        "cluster.least.cpu.millicores", 1L,
                        "cluster.least.memory.mib", 2L,
                        "cluster.most.cpu.millicores", 3L,
                        "cluster.most.memory.mib", 4L))))
                .isEqualTo(new ClusterLimits(1, 2L << 20, 3, 4L << 20, 0));
        assertThat(ClusterLimits.of(
                        configuration(Map.of("cluster.most.cpu.millicores", 3L, "cluster.max.cpu.millicores", 5L))))
                .isEqualTo(new ClusterLimits(0, 0, 5, 0, 0));
    }

    private static ResourcesConfiguration configuration(Map<String, Long> given) {
        return (ResourcesConfiguration) Proxy.newProxyInstance(
                ResourcesConfiguration.class.getClassLoader(),
                new Class<?>[] {ResourcesConfiguration.class},
                (proxy, method, arguments) -> {
                    Long value = given.get(method.getName().replace('_', '.'));
                    return value == null ? method.getDefaultValue() : (Object) value;
                });
    }

    @Test
    void refusesLimitsThatMakeNoSense() {
        assertThatThrownBy(() -> new ClusterLimits(-1, 0, 0, 0, 0))
                .hasMessage("cluster.min.cpu.millicores is -1: at least 0 is allowed");
        assertThatThrownBy(() -> new ClusterLimits(0, 5L << 20, 0, 4L << 20, 0))
                .hasMessage("cluster.min.memory.mib is 5: at most cluster.max.memory.mib, which is 4, is allowed");
        assertThatThrownBy(() -> TestCluster.settings().startFailures(0, 1).build())
                .hasMessage("worker.start.failures.per.minute is 0: at least 1 is allowed");
        assertThatThrownBy(() -> TestCluster.settings().heartbeatFailures(-1).build())
                .hasMessage("heartbeat.failures is -1: at least 0 is allowed");
    }
}
