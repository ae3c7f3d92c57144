package io.berth.core.resources.workers;

import static io.berth.core.resources.TestCluster.SLOT;
import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.PlacementConstraints.LabelRule;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.resources.FakeBackend;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.StartFailure;
import io.berth.spi.backend.WorkerSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Backends whose offers change while jobs wait, and starts that the cluster manager turns down. */
class ChangingSpecsTest {

    private static final long IDLE = ResourceSettings.defaults().workerIdleTimeoutMillis();

    private final TestCluster cluster = TestCluster.withRealPolicies();

    private static WorkerSpec.Builder small() {
        return WorkerSpec.of("small", TWO_SLOTS).defaultSlots(2).maximum(9);
    }

    private static WorkerSpec.Builder large() {
        return WorkerSpec.of("large", SLOT.times(4)).defaultSlots(4).maximum(9);
    }

    private FakeBackend backend(WorkerSpec... specs) {
        FakeBackend backend = new FakeBackend(specs);
        cluster.manager.backendAdded(backend);
        cluster.time.settle();
        return backend;
    }

    private void offers(FakeBackend backend, WorkerSpec... specs) {
        backend.offers(specs);
        cluster.manager.backendSpecsChanged(backend, () -> {});
        cluster.time.advance(200);
    }

    private FakeJobMaster needs(String name, long index, int slots) {
        FakeJobMaster job = cluster.job(name, index);
        cluster.declare(job, slots, slots);
        cluster.time.advance(200);
        return job;
    }

    private FakeWorker started(String name, String spec) {
        FakeWorker worker = new FakeWorker(name, 1);
        cluster.manager.workerStarted("local", worker.id, spec);
        cluster.register(worker, "local", spec);
        cluster.time.advance(200);
        return worker;
    }

    private void fails(String spec, StartFailure.Kind kind, String text, long retryMillis) {
        cluster.manager.workerStartFailed(
                "local",
                spec,
                StartFailure.of(kind, text).retryMillis(retryMillis).build());
        cluster.time.advance(200);
    }

    private Reason reason(FakeJobMaster job) {
        cluster.time.advance(6_000);
        return job.reasons.get(job.reasons.size() - 1);
    }

    @Test
    void aBackendThatOffersNothingAtFirstIsAskedWhenItOffers() {
        FakeBackend backend = backend();
        FakeJobMaster job = needs("count", 1, 2);
        assertThat(backend.declared)
                .as("it is greeted, to report what still runs")
                .hasSize(1);
        assertThat(reason(job).toString()).contains("no backend offers");

        offers(backend, small().build());
        assertThat(backend.needed("small")).isEqualTo(1);
        started("local-1", "small");
        assertThat(cluster.workerStates()).containsExactly("registered");
    }

    @Test
    void requestsForASpecThatIsGoneAreWithdrawnAndAnotherOneIsUsed() {
        FakeBackend backend = backend(small().build());
        needs("count", 1, 4);
        assertThat(backend.needed("small")).isEqualTo(2);

        offers(backend, large().build());
        assertThat(backend.declared.get(backend.declared.size() - 1).needed()).containsOnlyKeys("large");
        assertThat(backend.needed("large")).isEqualTo(1);
        assertThat(cluster.pending()).isEqualTo(1);
    }

    @Test
    void aWorkerOfASpecThatIsGoneStaysWhileItIsNeededAndIsStoppedWhenItIsIdle() {
        FakeBackend backend = backend(small().build());
        FakeJobMaster job = needs("count", 1, 2);
        FakeWorker worker = started("local-1", "small");
        assertThat(worker.requested).hasSize(2);

        offers(backend);
        assertThat(cluster.workerStates()).containsExactly("registered");
        assertThat(backend.unwanted()).isEmpty();

        cluster.declare(job, 0, 0);
        worker.requested.forEach(request -> cluster.free(worker, request.allocation()));
        cluster.time.advance(IDLE + 5_000);
        assertThat(backend.unwanted())
                .as("also when it offers nothing any longer")
                .containsExactly(worker.id);
    }

    @Test
    void aWorkerThatStartsWhenItsSpecIsGoneIsStopped() {
        FakeBackend backend = backend(small().build());
        needs("count", 1, 2);
        offers(backend, large().build());
        WorkerId late = new WorkerId("local-late");
        cluster.manager.workerStarted("local", late, "small");
        cluster.time.advance(200);
        assertThat(backend.unwanted()).containsExactly(late);
    }

    @Test
    void aLowerMaximumWithdrawsRequestsAndStopsNoWorker() {
        FakeBackend backend = backend(small().build());
        needs("count", 1, 6);
        FakeWorker first = started("local-1", "small");
        FakeWorker second = started("local-2", "small");
        assertThat(backend.needed("small")).isEqualTo(3);

        offers(backend, small().maximum(1).build());
        assertThat(backend.needed("small")).isEqualTo(1);
        assertThat(cluster.pending()).isZero();
        assertThat(backend.unwanted()).isEmpty();
        assertThat(cluster.details().workers())
                .extracting(worker -> worker.id())
                .containsExactly(first.id.value(), second.id.value());
    }

    @Test
    void anotherPriceWithdrawsNothingAndEndsNoPause() {
        FakeBackend backend = backend(small().build(), large().build());
        needs("count", 1, 8);
        int small = backend.needed("small");
        int large = backend.needed("large");
        assertThat(small + large).isPositive();
        String paused = large > 0 ? "small" : "large";
        fails(paused, StartFailure.Kind.NO_CAPACITY, "sold out", 60_000);
        int declarations = backend.declared.size();

        offers(
                backend,
                small().costPerHour(2).startMillis(5).build(),
                large().costPerHour(3).build());
        assertThat(backend.declared).as("nothing to declare again").hasSize(declarations);
        needs("more", 2, 40);
        assertThat(backend.needed(paused)).isEqualTo(paused.equals("small") ? small : large);
    }

    @Test
    void aSpecOfAnotherSizeIsRequestedAnew() {
        FakeBackend backend = backend(small().build());
        needs("count", 1, 4);
        assertThat(backend.needed("small")).isEqualTo(2);
        offers(
                backend,
                WorkerSpec.of("small", SLOT.times(4)).defaultSlots(4).maximum(9).build());
        assertThat(backend.needed("small")).isEqualTo(1);
        assertThat(cluster.details().workers())
                .extracting(worker -> worker.total())
                .containsExactly(SLOT.times(4).toString());
    }

    @Test
    void anotherSpecIsUsedUntilThePauseAfterAFailureEnds() {
        FakeBackend backend = backend(small().maximum(1).build(), large().build());
        FakeJobMaster job = needs("count", 1, 2);
        assertThat(backend.needed("small")).isEqualTo(1);

        fails("small", StartFailure.Kind.NO_CAPACITY, "sold out in eu-1", 30_000);
        assertThat(backend.needed("small")).isZero();
        assertThat(backend.needed("large")).isEqualTo(1);

        fails("large", StartFailure.Kind.QUOTA, "8 of 8 cores", 60_000);
        assertThat(backend.needed("large")).isZero();
        Reason why = reason(job);
        assertThat(why.code()).isEqualTo(ReasonCode.START_FAILED);
        assertThat(why.toString())
                .contains("a worker of local/small could not be started: no capacity: sold out in eu-1; tried again at")
                .contains("a worker of local/large could not be started: a quota is reached: 8 of 8 cores");

        cluster.time.advance(28_000);
        assertThat(backend.needed("small")).as("its pause is over").isEqualTo(1);
        assertThat(backend.needed("large")).isZero();
    }

    @Test
    void withoutAHintThePauseDoublesUpToAMinute() {
        FakeBackend backend = backend(small().build());
        needs("count", 1, 2);
        StartFailure rejected =
                StartFailure.of(StartFailure.Kind.REJECTED, "no image").build();
        for (long pause : new long[] {3_000, 6_000, 12_000, 24_000, 48_000, 60_000, 60_000}) {
            assertThat(backend.needed("small")).isEqualTo(1);
            cluster.manager.workerStartFailed("local", "small", rejected);
            cluster.time.advance(pause - 100);
            assertThat(backend.needed("small")).as("before " + pause).isZero();
            cluster.time.advance(300);
        }
        assertThat(backend.needed("small")).isEqualTo(1);
    }

    @Test
    void thePauseOfASpecAlsoEndsWhenTheClockIsSlowerThanTheTimer() {
        FakeBackend backend = backend(small().build());
        needs("count", 1, 2);
        fails("small", StartFailure.Kind.NO_CAPACITY, "sold out", 10_000);
        cluster.clock.behind(700);

        cluster.time.advance(10_500);
        assertThat(backend.needed("small")).as("by the clock it is too early").isZero();
        cluster.time.advance(500);
        assertThat(backend.needed("small")).isEqualTo(1);
    }

    @Test
    void manyFailuresDuringOnePauseHaveOneTimer() {
        backend(small().build());
        fails("small", StartFailure.Kind.NO_CAPACITY, "sold out", 60_000);
        int timers = cluster.time.pending();
        for (int failure = 0; failure < 100; failure++) {
            fails("small", StartFailure.Kind.NO_CAPACITY, "sold out", 60_000);
        }
        assertThat(cluster.time.pending()).isLessThanOrEqualTo(timers);
    }

    @Test
    void manyTypedFailuresOfOneSpecDoNotPauseTheOthers() {
        FakeBackend backend = backend(small().build(), large().build());
        for (int failure = 0; failure < 50; failure++) {
            fails("small", StartFailure.Kind.NO_CAPACITY, "sold out", 60_000);
        }
        needs("count", 1, 2);
        assertThat(backend.needed("large")).isEqualTo(1);
    }

    @Test
    void aStartedWorkerOfAJobWhoseOtherSpecIsPausedIsNotStoppedAtOnce() {
        FakeBackend backend =
                backend(small().maximum(1).build(), large().maximum(1).build());
        needs("count", 1, 6);
        assertThat(backend.needed("small") + backend.needed("large")).isEqualTo(2);
        WorkerId starting = new WorkerId("local-1");
        cluster.manager.workerStarted("local", starting, "small");
        cluster.time.advance(200);

        fails("large", StartFailure.Kind.NO_CAPACITY, "sold out", 10_000);
        cluster.time.advance(5_000);
        assertThat(backend.unwanted()).isEmpty();
        assertThat(backend.needed("small")).isEqualTo(1);
        cluster.time.advance(6_000);
        assertThat(backend.needed("large")).as("after the pause").isEqualTo(1);
        assertThat(backend.unwanted()).isEmpty();
    }

    @Test
    void whatTheClusterManagerHasQueuedIsAReasonUntilTheWorkerStarts() {
        backend(small().build());
        FakeJobMaster job = needs("count", 1, 2);
        cluster.manager.workersQueued("local", "small", "3 requests before it");
        assertThat(reason(job).toString())
                .contains(
                        "1 worker of local/small is being started, and the cluster manager has queued the request: 3 requests before it");
        cluster.manager.workerStarted("local", new WorkerId("local-1"), "small");
        cluster.time.advance(200);
        assertThat(reason(job).toString()).doesNotContain("queued");
    }

    private List<String> queued() {
        return cluster.details().workers().stream()
                .map(worker -> worker.queuedReason() + " " + worker.queuedMillis())
                .toList();
    }

    @Test
    void pendingWorkersShowThatTheirRequestIsQueuedAndForHowLong() {
        FakeBackend backend =
                backend(small().maximum(2).build(), large().maximum(1).build());
        needs("count", 1, 8);
        assertThat(backend.needed("small")).isEqualTo(2);
        assertThat(backend.needed("large")).isEqualTo(1);
        cluster.manager.workersQueued("local", "small", "3 requests before it");
        cluster.time.advance(4_000);
        assertThat(queued()).containsExactlyInAnyOrder("3 requests before it 4000", "3 requests before it 4000", " 0");

        cluster.manager.workersQueued("local", "small", "1 request before it");
        cluster.time.advance(1_000);
        assertThat(queued())
                .as("another text, and the same time")
                .containsExactlyInAnyOrder("1 request before it 5000", "1 request before it 5000", " 0");

        cluster.manager.workerStarted("local", new WorkerId("local-1"), "small");
        cluster.time.advance(200);
        assertThat(queued()).containsOnly(" 0");
    }

    @Test
    void aWorkerThatIsStartedIsNotQueuedWhenTheNextOneIs() {
        backend(small().build());
        needs("count", 1, 4);
        cluster.manager.workerStarted("local", new WorkerId("local-1"), "small");
        cluster.manager.workersQueued("local", "small", "full");
        cluster.time.advance(1_000);
        assertThat(cluster.details().workers())
                .hasSize(2)
                .allSatisfy(worker ->
                        assertThat(worker.queuedReason()).isEqualTo(worker.id().equals("local-1") ? "" : "full"));
    }

    @Test
    void whatWasQueuedForARequestThatIsWithdrawnIsNotSaidOfALaterOne() {
        FakeBackend backend = backend(small().build());
        FakeJobMaster job = needs("count", 1, 2);
        cluster.manager.workersQueued("local", "small", "full");
        cluster.declare(job, 0, 0);
        cluster.time.advance(1_000);
        assertThat(backend.needed("small")).isZero();
        cluster.manager.workersQueued("local", "small", "nothing is requested");

        cluster.declare(job, 2, 2);
        cluster.time.advance(1_000);
        assertThat(backend.needed("small")).isEqualTo(1);
        assertThat(queued()).containsExactly(" 0");
        assertThat(reason(job).toString()).doesNotContain("queued");
    }

    @Test
    void preemptibleWorkersHaveTheLabel() {
        FakeBackend backend = backend(small().preemptible(true).build());
        needs("count", 1, 2);
        started("local-1", "small");
        assertThat(cluster.details().workers().get(0).labels()).containsEntry("berth.preemptible", "true");
        assertThat(backend.needed("small")).isEqualTo(1);
    }

    @Test
    void aWorkerThatWasStartedBeforeTheSpecChangedTakesNoPlanOfANewOne() {
        FakeBackend backend = backend(small().build());
        FakeJobMaster before = needs("before", 1, 2);
        cluster.manager.workerStarted("local", new WorkerId("old"), "small");
        cluster.time.settle();
        offers(backend, small().labels(Map.of("disk", "ssd")).build());
        cluster.declare(before, 0, 0);
        FakeJobMaster needs = cluster.job("needs-ssd", 2);
        PlacementConstraints onSsd = new PlacementConstraints(
                List.of(new LabelRule("disk", PlacementConstraints.Operator.EXISTS, List.of())),
                List.of(),
                new TreeMap<>());
        cluster.declare(needs, new GroupRequirement("a", SLOT, 2, 2, onSsd));
        cluster.time.advance(200);
        assertThat(backend.needed("small")).as("the old one is of no use").isEqualTo(1);
        assertThat(backend.unwanted()).containsExactly(new WorkerId("old"));
        assertThat(cluster.pending()).isEqualTo(1);
    }
}
