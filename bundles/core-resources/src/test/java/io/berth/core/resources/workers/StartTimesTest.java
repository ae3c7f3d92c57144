package io.berth.core.resources.workers;

import static io.berth.core.resources.TestCluster.SLOT;
import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.berth.core.api.gateway.ClusterDetails.SpecDetails;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.resources.FakeBackend;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.WorkerSpec;
import org.junit.jupiter.api.Test;

/** How long starts of workers take, learned for specs whose backend does not say it. */
class StartTimesTest {

    private static final ResourceSettings SETTINGS = ResourceSettings.defaults();

    private final TestCluster cluster = new TestCluster();
    private final FakeBackend backend = new FakeBackend(small().build());
    private final FakeJobMaster job = cluster.job("count", 1);
    private int slots;
    private int workers;

    StartTimesTest() {
        cluster.manager.backendAdded(backend);
        cluster.time.settle();
    }

    private static WorkerSpec.Builder small() {
        return WorkerSpec.of("small", TWO_SLOTS).defaultSlots(2).maximum(50);
    }

    private void offers(WorkerSpec... specs) {
        cluster.manager.backendSpecsChanged(backend.offers(specs), () -> {});
        cluster.time.advance(200);
    }

    /** One more worker is requested, now. */
    private void requests() {
        slots += 2;
        cluster.declare(job, slots, slots);
        cluster.time.advance(SETTINGS.requirementCheckDelayMillis());
        assertThat(cluster.pending()).isEqualTo(1);
    }

    private FakeWorker process() {
        return new FakeWorker("local-" + ++workers, 1);
    }

    private void registers(FakeWorker worker) {
        assertThat(cluster.register(worker, "local", "small")).isInstanceOf(RegistrationResponse.Accepted.class);
        cluster.time.advance(200);
    }

    /** A worker is requested; its backend starts it at the half of the time. */
    private void starts(long millis) {
        requests();
        FakeWorker worker = process();
        cluster.time.advance(millis / 2);
        cluster.manager.workerStarted("local", worker.id, "small");
        cluster.time.advance(millis - millis / 2);
        registers(worker);
    }

    /** As the last plan had it. */
    private long seen() {
        var inputs = cluster.planner.inputs;
        return inputs.get(inputs.size() - 1).specs().get(0).startMillis();
    }

    private SpecDetails shown() {
        return cluster.details().pools().get(0).specs().get(0);
    }

    @Test
    void isTheTimeFromTheRequestToTheRegistration() {
        requests();
        assertThat(seen()).as("not known").isZero();
        FakeWorker worker = process();
        cluster.time.advance(10_000);
        cluster.manager.workersQueued("local", "small", "3 requests before it");
        cluster.time.advance(20_000);
        cluster.manager.workerStarted("local", worker.id, "small");
        cluster.time.advance(5_000);
        registers(worker);
        assertThat(seen()).isEqualTo(35_000);
        assertThat(shown()).isEqualTo(new SpecDetails("local", "small", TWO_SLOTS.toString(), 2, 1, 50, 0, 35_000, 1));
    }

    @Test
    void isTheMedianOfTheLastFiveStarts() {
        for (long millis : new long[] {10_000, 60_000, 10_000, 1_000}) {
            starts(millis);
            assertThat(seen()).as("after " + millis).isEqualTo(10_000);
        }
        starts(60_000);
        starts(60_000);
        assertThat(seen()).as("of 10, 1, and three times 60 s").isEqualTo(60_000);
        assertThat(shown().startLearnedFrom()).isEqualTo(5);
    }

    @Test
    void aSmallDifferenceChangesNothingForPolicies() {
        starts(10_000);
        for (int start = 0; start < 5; start++) {
            starts(12_000);
            assertThat(seen()).isEqualTo(10_000);
        }
        for (int start = 0; start < 3; start++) {
            starts(12_001);
        }
        assertThat(seen()).as("a fifth more is noticeable").isEqualTo(12_001);
    }

    @Test
    void whatTheBackendSaysWins() {
        starts(10_000);
        offers(small().startMillis(90_000).build());
        assertThat(seen()).isEqualTo(90_000);
        assertThat(shown().startMillis()).isEqualTo(90_000);
        assertThat(shown().startLearnedFrom()).isZero();

        offers(small().costPerHour(3).maximum(40).build());
        assertThat(seen()).as("it says nothing any longer").isEqualTo(10_000);
    }

    @Test
    void anotherKindOfWorkerStartsInAnotherTime() {
        starts(10_000);
        offers(WorkerSpec.of("small", SLOT.times(3)).defaultSlots(3).maximum(50).build());
        assertThat(seen()).isZero();
    }

    @Test
    void aWorkerOfTheFormerKindThatIsStillStartingIsNoStartOfTheNewOne() {
        requests();
        FakeWorker worker = process();
        cluster.manager.workerStarted("local", worker.id, "small");
        offers(WorkerSpec.of("small", SLOT.times(3)).defaultSlots(3).maximum(50).build());
        cluster.time.advance(4_000);
        registers(worker);
        assertThat(seen()).isZero();
        assertThat(shown().startLearnedFrom()).isZero();
    }

    @Test
    void theNextBackendOfTheNameStartsWorkersInAnotherTime() {
        starts(10_000);
        cluster.manager.backendRemoved(backend);
        cluster.manager.backendAdded(new FakeBackend(small().build()));
        cluster.time.advance(200);
        assertThat(seen()).isZero();
    }

    @Test
    void countsFromTheRequestForTheProcessThatRegisters() {
        requests();
        WorkerId lost = new WorkerId("local-lost");
        cluster.manager.workerStarted("local", lost, "small");
        cluster.time.advance(20_000);
        cluster.manager.workerEnded("local", lost, "killed");
        cluster.time.settle();
        FakeWorker worker = process();
        cluster.manager.workerStarted("local", worker.id, "small");
        cluster.time.advance(4_000);
        registers(worker);
        assertThat(seen()).isEqualTo(4_000);
    }

    @Test
    void aPauseOfRequestsIsNoStart() {
        requests();
        for (int failure = 0; failure <= SETTINGS.startFailuresPerMinute(); failure++) {
            cluster.manager.workerStartFailed("local", "small", TestCluster.failed("no disk"));
        }
        cluster.time.settle();
        assertThat(backend.needed()).isZero();
        cluster.time.advance(SETTINGS.startPauseMillis() + 1_000);
        assertThat(backend.needed()).isEqualTo(1);
        FakeWorker worker = process();
        cluster.manager.workerStarted("local", worker.id, "small");
        registers(worker);
        assertThat(seen()).isZero();
    }

    @Test
    void aWorkerThatNobodyRequestedIsNoStart() {
        FakeWorker worker = process();
        cluster.manager.workerStarted("local", worker.id, "small");
        cluster.time.advance(20);
        registers(worker);
        assertThat(seen()).isZero();
    }

    @Test
    void aWorkerOfAnEarlierTermIsNoStart() {
        requests();
        FakeWorker worker = process();
        cluster.manager.workerSurvived("local", worker.id, "small");
        cluster.time.advance(3_000);
        registers(worker);
        assertThat(seen()).isZero();
    }

    @Test
    void eachSpecHasItsOwnTime() {
        starts(10_000);
        offers(
                small().build(),
                WorkerSpec.of("tiny", SLOT).defaultSlots(1).maximum(0).build());
        assertThat(cluster.details().pools().get(0).specs())
                .extracting(SpecDetails::spec, SpecDetails::startMillis)
                .containsExactly(tuple("small", 10_000L), tuple("tiny", 0L));
    }
}
