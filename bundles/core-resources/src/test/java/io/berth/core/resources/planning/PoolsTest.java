package io.berth.core.resources.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ClusterDetails.PoolFigures;
import io.berth.core.api.gateway.ClusterDetails.SlotDetails;
import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.job.LabelChange;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.api.policy.PoolDefinition.Limits;
import io.berth.core.api.policy.PoolDefinition.Members;
import io.berth.core.resources.FakeBackend;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.core.resources.settings.ClusterLimits;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.WorkerSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several pools on one cluster. */
class PoolsTest {

    private static final Members LABELED = labeled("gpu");

    private final TestCluster cluster = new TestCluster();

    private static Members labeled(String label) {
        return new Members(new TreeSet<>(), new TreeSet<>(), new TreeMap<>(Map.of(label, Optional.empty())));
    }

    private static PoolDefinition pool(String name, Members members) {
        return new PoolDefinition(name, 0, members, Optional.empty(), Limits.NONE, true);
    }

    private void label(String worker, String label) {
        cluster.call(cluster.manager.relabelWorkers(
                worker, new LabelChange(new TreeMap<>(Map.of(label, "yes")), List.of(), new TreeMap<>(), List.of())));
    }

    private void unlabel(String worker, String label) {
        cluster.call(cluster.manager.relabelWorkers(
                worker, new LabelChange(new TreeMap<>(), List.of(label), new TreeMap<>(), List.of())));
    }

    private Set<String> workersOf(FakeJobMaster job) {
        SortedSet<String> workers = new TreeSet<>();
        cluster.details().slots().stream()
                .filter(slot -> slot.job().equals(job.job.value()))
                .map(SlotDetails::worker)
                .forEach(workers::add);
        return workers;
    }

    private PoolFigures figures(String pool) {
        return cluster.details().pools().stream()
                .filter(one -> one.pool().equals(pool))
                .findFirst()
                .orElseThrow();
    }

    private static FakeBackend smallAndLarge() {
        return new FakeBackend(spec("small"), spec("large"));
    }

    private static WorkerSpec spec(String name) {
        return WorkerSpec.of(name, TestCluster.TWO_SLOTS)
                .defaultSlots(2)
                .maximum(9)
                .build();
    }

    private void plan() {
        cluster.time.advance(50);
    }

    @Test
    void aJobGetsSlotsOfItsPoolOnly() {
        cluster.pools(pool("gpu", LABELED));
        cluster.worker("w1");
        cluster.worker("w2");
        label("w2", "gpu");
        FakeJobMaster gpu = cluster.jobOf("gpu", "a", 1);
        FakeJobMaster other = cluster.job("b", 2);
        cluster.declare(gpu, 1, 4);
        cluster.declare(other, 1, 4);
        plan();
        assertThat(workersOf(gpu)).containsExactly("w2");
        assertThat(workersOf(other)).containsExactly("w1");
        assertThat(cluster.details().workers()).extracting(WorkerDetails::pool).containsExactly("default", "gpu");
        assertThat(figures("gpu"))
                .extracting(PoolFigures::workers, PoolFigures::slots)
                .containsExactly(1, 2);
    }

    @Test
    void aHangingPlanOfOnePoolDelaysNoOther() {
        cluster.pools(pool("gpu", LABELED));
        cluster.worker("w1");
        FakeWorker worker = cluster.worker("w2");
        label("w2", "gpu");
        cluster.planner("gpu").held = true;
        FakeJobMaster gpu = cluster.jobOf("gpu", "a", 1);
        cluster.declare(gpu, 1, 1);
        plan();
        FakeJobMaster other = cluster.job("b", 2);
        cluster.declare(other, 1, 1);
        plan();
        assertThat(cluster.states(other)).hasSize(1);
        assertThat(worker.requested).isEmpty();
        cluster.planner("gpu").release();
        cluster.time.settle();
        assertThat(cluster.states(gpu)).hasSize(1);
    }

    @Test
    void aPoolInWhichNothingChangedIsNotPlanned() {
        cluster.pools(pool("gpu", LABELED));
        cluster.worker("w1");
        cluster.worker("w2");
        label("w2", "gpu");
        plan();
        int before = cluster.planner("gpu").inputs.size();
        int ofDefault = cluster.planner.inputs.size();
        for (int number = 0; number < 10; number++) {
            cluster.declare(cluster.job("job" + number, number), 1, 1);
            plan();
        }
        assertThat(cluster.planner.inputs.size()).isEqualTo(ofDefault + 10);
        assertThat(cluster.planner("gpu").inputs.size()).isEqualTo(before);
    }

    @Test
    void aWorkerMovesByALabelAndTheWaitingJobOfTheOtherPoolGetsItsFreeRoom() {
        cluster.pools(pool("gpu", LABELED));
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster other = cluster.job("b", 1);
        cluster.declare(other, 1, 1);
        plan();
        FakeJobMaster gpu = cluster.jobOf("gpu", "a", 2);
        cluster.declare(gpu, 1, 2);
        plan();
        assertThat(cluster.states(gpu)).isEmpty();
        label("w1", "gpu");
        plan();
        assertThat(cluster.states(gpu)).as("what is free").hasSize(1);
        assertThat(cluster.states(other)).as("its slot stays").hasSize(1);
        AllocationId kept = worker.slots.values().stream()
                .filter(slot -> slot.job().equals(other.job))
                .findFirst()
                .orElseThrow()
                .allocation();
        cluster.declare(other, 0, 0);
        cluster.free(worker, kept);
        plan();
        assertThat(cluster.states(gpu)).as("what was freed later").hasSize(2);
    }

    @Test
    void aPlanThatSawTheWorkerBeforeItMovedDoesNotUseIt() {
        cluster.pools(pool("gpu", LABELED));
        FakeWorker worker = cluster.worker("w1");
        plan();
        cluster.planner.held = true;
        cluster.declare(cluster.job("b", 1), 1, 2);
        plan();
        label("w1", "gpu");
        unlabel("w1", "gpu");
        label("w1", "gpu");
        cluster.planner.release();
        cluster.time.settle();
        assertThat(worker.requested).isEmpty();
        assertThat(cluster.planner.dropped).isNotEmpty();
    }

    @Test
    void aWorkerThatLeftAndCameBackIsNotUsedByThePlanOfBefore() {
        cluster.pools(pool("gpu", LABELED));
        FakeWorker worker = cluster.worker("w1");
        plan();
        cluster.planner.held = true;
        FakeJobMaster job = cluster.job("b", 1);
        cluster.declare(job, 1, 2);
        plan();
        label("w1", "gpu");
        unlabel("w1", "gpu");
        cluster.planner.release();
        cluster.time.settle();
        assertThat(worker.requested).isEmpty();
        plan();
        assertThat(cluster.states(job)).as("by the next plan").hasSize(2);
    }

    @Test
    void jobsOfAPoolThatIsGoneWaitAndKeepTheirSlots() {
        cluster.pools(pool("gpu", LABELED));
        cluster.worker("w1");
        label("w1", "gpu");
        FakeJobMaster gpu = cluster.jobOf("gpu", "a", 1);
        cluster.declare(gpu, 1, 4);
        plan();
        cluster.time.advance(10_000);
        cluster.pools();
        cluster.time.advance(10_000);
        assertThat(cluster.details().workers()).extracting(WorkerDetails::pool).containsExactly("default");
        assertThat(cluster.states(gpu)).hasSize(2);
        assertThat(gpu.reasons.get(gpu.reasons.size() - 1).code()).isEqualTo(ReasonCode.NO_POOL);
        assertThat(gpu.notices.get(gpu.notices.size() - 1))
                .contains("there is no pool gpu: configure it in etc/io.berth.pool-gpu.cfg");
        cluster.pools(pool("gpu", LABELED));
        cluster.worker("w2");
        label("w2", "gpu");
        plan();
        assertThat(cluster.states(gpu)).as("it is configured again").hasSize(4);
    }

    @Test
    void theReasonSpeaksOfTheWorkersOfThePool() {
        cluster.pools(pool("gpu", LABELED));
        cluster.worker("w1");
        cluster.worker("w2");
        label("w2", "gpu");
        FakeJobMaster gpu = cluster.jobOf("gpu", "a", 1);
        cluster.declare(gpu, 3, 3);
        plan();
        cluster.time.advance(10_000);
        assertThat(gpu.notices.get(gpu.notices.size() - 1)).contains("no backend offers to start workers of pool gpu");
    }

    @Test
    void aJobWhosePoolHasNoWorkerSaysWhatThePoolSelects() {
        cluster.pools(pool("gpu", LABELED), pool("none", Members.NONE));
        cluster.worker("w1");
        FakeJobMaster gpu = cluster.jobOf("gpu", "a", 1);
        cluster.declare(gpu, 1, 1);
        FakeJobMaster none = cluster.jobOf("none", "b", 2);
        cluster.declare(none, 1, 1);
        plan();
        cluster.time.advance(10_000);
        assertThat(last(gpu))
                .contains("there is no worker of pool gpu")
                .contains("no backend offers to start workers of pool gpu, whose file selects labels gpu");
        assertThat(last(none)).contains("of pool none, whose file selects no workers");
        assertThat(gpu.reasons.get(gpu.reasons.size() - 1).code()).isEqualTo(ReasonCode.NO_WORKERS);
    }

    @Test
    void aJobOfAPoolWithoutStartsDoesNotBlameTheBackends() {
        cluster.manager.backendAdded(new FakeBackend(WorkerSpec.of("small", TestCluster.TWO_SLOTS)
                .defaultSlots(2)
                .maximum(9)
                .build()));
        cluster.pools(new PoolDefinition("gpu", 0, LABELED, Optional.empty(), Limits.NONE, false));
        cluster.worker("w1");
        label("w1", "gpu");
        FakeJobMaster gpu = cluster.jobOf("gpu", "a", 1);
        cluster.declare(gpu, 3, 3);
        plan();
        cluster.time.advance(10_000);
        assertThat(last(gpu))
                .contains("no worker is started for pool gpu: etc/io.berth.pool-gpu.cfg has workers.start = false")
                .doesNotContain("backend");
    }

    private static String last(FakeJobMaster job) {
        return job.notices.get(job.notices.size() - 1);
    }

    @Test
    void eachPoolHasItsRule() {
        cluster.pools(new PoolDefinition("gpu", 0, LABELED, Optional.of(MatchingRule.LOOSE), Limits.NONE, true));
        FakeJobMaster gpu = new FakeJobMaster("a", 1, 1);
        gpu.pool = "gpu";
        assertThat(cluster.register(gpu)).hasFieldOrPropertyWithValue("matchingRule", MatchingRule.LOOSE);
        FakeJobMaster other = new FakeJobMaster("b", 1, 2);
        assertThat(cluster.register(other)).hasFieldOrPropertyWithValue("matchingRule", MatchingRule.EXACT);
        assertThat(cluster.rules).containsExactly(MatchingRule.EXACT, MatchingRule.LOOSE);
        cluster.pools(pool("gpu", LABELED));
        assertThat(gpu.told).as("it registers again").containsExactly("disconnect");
        assertThat(other.told).isEmpty();
    }

    @Test
    void workersAreStartedForThePoolOfTheirSpecWithinItsLimits() {
        WorkerSpec small = WorkerSpec.of("small", TestCluster.TWO_SLOTS)
                .defaultSlots(2)
                .maximum(9)
                .build();
        WorkerSpec large = WorkerSpec.of("large", TestCluster.TWO_SLOTS.times(2))
                .defaultSlots(4)
                .maximum(9)
                .build();
        FakeBackend backend = new FakeBackend(small, large);
        cluster.manager.backendAdded(backend);
        cluster.time.settle();
        Members ofLarge = new Members(new TreeSet<>(), new TreeSet<>(Set.of("local/large")), new TreeMap<>());
        cluster.pools(new PoolDefinition("big", 0, ofLarge, Optional.empty(), new Limits(0, 0, 8_000, 0), true));
        cluster.declare(cluster.jobOf("big", "a", 1), 1, 100);
        cluster.declare(cluster.job("b", 2), 1, 3);
        plan();
        assertThat(backend.needed("large")).as("8 of cpu at most").isEqualTo(2);
        assertThat(backend.needed("small")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aShareOfTheLimitThatIsGivenUpIsUsedByAnotherPool(boolean whileItIsPlanned) {
        TestCluster limited = new TestCluster(TestCluster.settings()
                .limits(new ClusterLimits(0, 0, 2_000, 0, 0))
                .build());
        FakeBackend backend = smallAndLarge();
        limited.manager.backendAdded(backend);
        limited.time.settle();
        limited.pools(pool("big", new Members(new TreeSet<>(), new TreeSet<>(Set.of("large")), new TreeMap<>())));
        FakeJobMaster first = limited.job("a", 1);
        limited.declare(first, 1, 1);
        limited.time.advance(50);
        assertThat(backend.needed("small")).isEqualTo(1);
        limited.planner("big").held = whileItIsPlanned;
        limited.declare(limited.jobOf("big", "b", 2), 1, 1);
        limited.time.advance(50);
        limited.declare(first, 0, 0);
        limited.time.advance(50);
        assertThat(backend.needed("small")).isZero();
        if (whileItIsPlanned) {
            limited.planner("big").release();
        }
        limited.time.advance(50);
        assertThat(backend.needed("large")).isEqualTo(1);
    }

    @Test
    void noWorkersAreStartedForAPoolThatMustNotHaveThem() {
        FakeBackend backend = smallAndLarge();
        cluster.manager.backendAdded(backend);
        cluster.time.settle();
        Members ofLarge = new Members(new TreeSet<>(), new TreeSet<>(Set.of("large")), new TreeMap<>());
        Limits minimum = new Limits(6_000, 0, 0, 0);
        cluster.pools(new PoolDefinition("big", 0, ofLarge, Optional.empty(), minimum, false));
        cluster.declare(cluster.jobOf("big", "a", 1), 1, 100);
        plan();
        assertThat(backend.needed("large")).isZero();
        cluster.pools(new PoolDefinition("big", 0, ofLarge, Optional.empty(), minimum, true));
        plan();
        assertThat(backend.needed("large")).as("as many as it may have").isEqualTo(9);
        assertThat(backend.needed("small")).isZero();
    }

    private FakeBackend offersBig() {
        FakeBackend backend = new FakeBackend(WorkerSpec.of("large", TestCluster.TWO_SLOTS)
                .defaultSlots(2)
                .maximum(9)
                .build());
        cluster.manager.backendAdded(backend);
        cluster.time.settle();
        return backend;
    }

    private void big(Limits limits, boolean start) {
        Members ofLarge = new Members(new TreeSet<>(), new TreeSet<>(Set.of("large")), new TreeMap<>());
        cluster.pools(new PoolDefinition("big", 0, ofLarge, Optional.empty(), limits, start));
    }

    @Test
    void requestsAreWithdrawnWhenNoMoreWorkersMayBeStartedForThePool() {
        FakeBackend backend = offersBig();
        big(Limits.NONE, true);
        cluster.declare(cluster.jobOf("big", "a", 1), 1, 6);
        plan();
        assertThat(backend.needed("large")).isEqualTo(3);
        cluster.manager.workerStarted("local", new WorkerId("started"), "large");
        cluster.time.settle();

        big(Limits.NONE, false);
        plan();
        assertThat(backend.needed("large"))
                .as("the one that was granted may still come")
                .isEqualTo(1);
        cluster.manager.workerEnded("local", new WorkerId("started"), "a test");
        plan();
        assertThat(backend.needed("large")).as("it is not started again").isZero();
        assertThat(cluster.pending()).isZero();
    }

    @Test
    void requestsAreWithdrawnDownToALowerMaximumOfThePool() {
        FakeBackend backend = offersBig();
        big(new Limits(0, 0, 8_000, 0), true);
        cluster.declare(cluster.jobOf("big", "a", 1), 1, 100);
        plan();
        assertThat(backend.needed("large")).isEqualTo(4);
        cluster.manager.workerStarted("local", new WorkerId("started"), "large");
        cluster.time.settle();

        big(new Limits(0, 0, 4_000, 0), true);
        plan();
        assertThat(backend.needed("large")).isEqualTo(2);
        assertThat(cluster.details().workers())
                .extracting(WorkerDetails::id)
                .as("what was granted stays")
                .contains("started");
        big(new Limits(0, 0, 1_000, 0), true);
        plan();
        assertThat(backend.needed("large")).isEqualTo(1);
        cluster.manager.workerEnded("local", new WorkerId("started"), "a test");
        plan();
        assertThat(backend.needed("large")).as("it is not started again").isZero();
    }

    @Test
    void aStoppedResourceManagerOpensNoMorePlanners() {
        cluster.manager.stop("a test");
        cluster.time.settle();
        int opened = cluster.rules.size();
        cluster.pools(pool("gpu", LABELED));
        assertThat(cluster.rules).hasSize(opened);
    }

    @Test
    void theFreeRoomOfWorkersThatLeaveIsNotThatOfThePool() {
        cluster.worker("w1");
        cluster.worker("w2");
        assertThat(figures("default").freeCpuMillis()).isEqualTo(4_000);
        cluster.call(cluster.manager.drainWorkers("w2", new WorkerLeave(60_000, "a test", false)));
        assertThat(figures("default"))
                .extracting(PoolFigures::workers, PoolFigures::cpuMillis, PoolFigures::freeCpuMillis)
                .containsExactly(2, 4_000L, 2_000L);
    }

    @Test
    void theMinimumOfAPoolIsStartedWithoutJobs() {
        FakeBackend backend = smallAndLarge();
        cluster.manager.backendAdded(backend);
        Members ofLarge = new Members(new TreeSet<>(), new TreeSet<>(Set.of("large")), new TreeMap<>());
        cluster.pools(new PoolDefinition("big", 0, ofLarge, Optional.empty(), new Limits(6_000, 0, 0, 0), true));
        plan();
        assertThat(backend.needed("large")).isEqualTo(3);
        assertThat(backend.needed("small")).isZero();
    }

    @Test
    void nothingIsGrantedTwiceWhileWorkersMove() {
        Random random = new Random(7);
        cluster.pools(pool("one", labeled("one")), pool("two", labeled("two")));
        List<String> pools = List.of("default", "one", "two");
        List<FakeWorker> workers = new java.util.ArrayList<>();
        List<FakeJobMaster> jobs = new java.util.ArrayList<>();
        for (int number = 0; number < 6; number++) {
            workers.add(cluster.worker("w" + number));
            jobs.add(cluster.jobOf(pools.get(number % 3), "job" + number, number));
        }
        for (int step = 0; step < 600; step++) {
            FakeWorker worker = workers.get(random.nextInt(workers.size()));
            FakeJobMaster job = jobs.get(random.nextInt(jobs.size()));
            switch (random.nextInt(6)) {
                case 0 -> label(worker.id.value(), random.nextBoolean() ? "one" : "two");
                case 1 -> unlabel(worker.id.value(), random.nextBoolean() ? "one" : "two");
                case 2 -> cluster.declare(job, 1, 1 + random.nextInt(4));
                case 3 -> worker.slots.keySet().stream().findFirst().ifPresent(slot -> cluster.free(worker, slot));
                case 4 ->
                    cluster.pools(
                            random.nextBoolean()
                                    ? new PoolDefinition[] {pool("one", labeled("one")), pool("two", labeled("two"))}
                                    : new PoolDefinition[] {pool("two", labeled("two"))});
                default -> cluster.time.advance(random.nextInt(100));
            }
            check(workers);
        }
        unlabelAll(workers);
        cluster.pools();
        cluster.time.advance(1_000);
        assertThat(cluster.details().workers()).extracting(WorkerDetails::pool).containsOnly("default");
    }

    private void unlabelAll(List<FakeWorker> workers) {
        workers.forEach(worker -> {
            unlabel(worker.id.value(), "one");
            unlabel(worker.id.value(), "two");
        });
    }

    /** No worker is asked for more than it has, and no slot is on two workers. */
    private void check(List<FakeWorker> workers) {
        Set<AllocationId> seen = new HashSet<>();
        for (FakeWorker worker : workers) {
            assertThat(worker.slots.size()).isLessThanOrEqualTo(2);
            worker.slots.keySet().forEach(slot -> assertThat(seen.add(slot)).isTrue());
        }
        for (SlotDetails slot : cluster.details().slots()) {
            WorkerId on = new WorkerId(slot.worker());
            assertThat(workers).anySatisfy(worker -> assertThat(worker.id).isEqualTo(on));
        }
    }
}
