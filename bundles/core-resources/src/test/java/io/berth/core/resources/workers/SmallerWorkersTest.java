package io.berth.core.resources.workers;

import static io.berth.core.resources.TestCluster.SLOT;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.resources.FakeBackend;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.spi.ResourceProfile;
import io.berth.spi.backend.WorkerSpec;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers that register with less than their spec has. */
class SmallerWorkersTest {

    private static final ResourceProfile GPU = with(SLOT, 1);
    private static final WorkerSpec SPEC = WorkerSpec.of("gpu", with(SLOT.times(2), 2))
            .defaultSlots(2)
            .maximum(4)
            .build();

    private final TestCluster cluster = TestCluster.withRealPolicies();
    private final FakeBackend backend = new FakeBackend(SPEC);
    private FakeJobMaster job;

    private static ResourceProfile with(ResourceProfile base, long gpus) {
        return new ResourceProfile(
                base.cpuMillis(),
                base.heapBytes(),
                base.offHeapBytes(),
                base.managedBytes(),
                new TreeMap<>(Map.of("gpu", gpus)));
    }

    @BeforeEach
    void aJobNeedsAWorker() {
        cluster.manager.backendAdded(backend);
        job = cluster.job("count", 1);
        cluster.declare(job, new GroupRequirement("a", GPU, 2, 2));
        cluster.time.advance(200);
        assertThat(backend.needed("gpu")).isEqualTo(1);
    }

    private RegistrationResponse starts(FakeWorker worker, ResourceProfile total) {
        cluster.manager.workerStarted("local", worker.id, "gpu");
        return registers(worker, total);
    }

    private RegistrationResponse registers(FakeWorker worker, ResourceProfile total) {
        RegistrationResponse answer = cluster.register(worker, worker.registration(total, 2, "local", "gpu"));
        cluster.time.advance(200);
        return answer;
    }

    @Test
    void oneThatCameSmallerIsStoppedAndTheWaitingJobSaysWhichAmountIsMissing() {
        FakeWorker worker = new FakeWorker("local-1", 1);

        RegistrationResponse answer = starts(worker, with(SLOT, 0));

        assertThat(answer)
                .isInstanceOfSatisfying(
                        RegistrationResponse.Rejected.class,
                        rejected -> assertThat(rejected.reason())
                                .isEqualTo("worker local-1 registered with cpu=1 gpu=0 heap=512MiB,"
                                        + " and its spec has cpu=2 gpu=2 heap=1GiB"));
        assertThat(backend.unwanted()).containsExactly(worker.id);
        assertThat(backend.needed("gpu")).as("its spec is paused").isZero();
        assertThat(cluster.details().workers()).isEmpty();
        cluster.time.advance(2_000);
        assertThat(backend.needed("gpu")).isZero();
        // After the time in which jobs get no reasons.
        cluster.time.advance(10_000);
        assertThat(job.reasons)
                .last()
                .asString()
                .contains("a worker of local/gpu could not be started: worker local-1 registered with");
    }

    @Test
    void eachStartThatBringsASmallerOneIsFollowedByAPauseTwiceAsLongUpToAnHour() {
        long pause = 3_000;
        for (int start = 1; start <= 14; start++) {
            assertThat(backend.needed("gpu")).as("start %s", start).isEqualTo(1);
            FakeWorker worker = new FakeWorker("local-" + start, 1);
            starts(worker, SLOT.times(2));
            cluster.manager.workerEnded("local", worker.id, "unwanted");
            cluster.time.advance(pause - 1_000);
            assertThat(backend.needed("gpu")).as("before %s ms", pause).isZero();
            cluster.time.advance(1_000);
            pause = Math.min(2 * pause, 3_600_000);
        }
        assertThat(pause).isEqualTo(3_600_000);
    }

    @Test
    void oneThatCameWholeIsTakenAndEndsTheDoubling() {
        for (int start = 1; start <= 3; start++) {
            FakeWorker worker = new FakeWorker("local-" + start, 1);
            starts(worker, SLOT.times(2));
            cluster.manager.workerEnded("local", worker.id, "unwanted");
            cluster.time.advance(60_000);
        }
        FakeWorker whole = new FakeWorker("local-whole", 1);
        assertThat(starts(whole, SPEC.total())).isInstanceOf(RegistrationResponse.Accepted.class);
        assertThat(whole.requested).hasSize(2);

        cluster.declare(job, new GroupRequirement("a", GPU, 4, 4));
        cluster.time.advance(200);
        assertThat(backend.needed("gpu")).isEqualTo(2);
        starts(new FakeWorker("local-next", 1), SLOT.times(2));
        assertThat(backend.needed("gpu")).isEqualTo(1);
        cluster.time.advance(3_500);
        assertThat(backend.needed("gpu")).as("after the first pause").isEqualTo(2);
    }

    @Test
    void oneThatIsLargerIsTaken() {
        FakeWorker larger = new FakeWorker("local-1", 1);

        assertThat(starts(larger, with(SLOT.times(3), 5))).isInstanceOf(RegistrationResponse.Accepted.class);
        assertThat(larger.requested).hasSize(2);
        assertThat(backend.needed("gpu")).isEqualTo(1);
    }

    @Test
    void oneThatRegisteredBeforeItsBackendSaidThatItStartedIsStoppedToo() {
        FakeWorker early = new FakeWorker("local-1", 1);
        registers(early, SLOT.times(2));
        assertThat(backend.unwanted()).isEmpty();

        cluster.manager.workerStarted("local", early.id, "gpu");
        cluster.time.advance(200);

        assertThat(backend.unwanted()).containsExactly(early.id);
        assertThat(early.told).last().asString().contains("worker local-1 registered with gpu=0");
        assertThat(backend.needed("gpu")).isZero();
        assertThat(cluster.details().workers()).isEmpty();
    }

    @Test
    void oneOfAnEarlierBackendWhoseSpecWasAnotherOneIsTaken() {
        FakeWorker earlier = new FakeWorker("local-1", 1);
        cluster.manager.workerSurvived("local", earlier.id, "gpu");

        assertThat(registers(earlier, SLOT.times(2))).isInstanceOf(RegistrationResponse.Accepted.class);
        assertThat(backend.unwanted()).isEmpty();
    }

    @Test
    void anotherSpecOfThatNameEndsThePause() {
        starts(new FakeWorker("local-1", 1), SLOT.times(2));
        assertThat(backend.needed("gpu")).isZero();

        backend.offers(WorkerSpec.of("gpu", with(SLOT.times(4), 4)).maximum(4).build());
        cluster.manager.backendSpecsChanged(backend, () -> {});
        cluster.time.advance(200);

        assertThat(backend.needed("gpu")).isEqualTo(1);
    }
}
