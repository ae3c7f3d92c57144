package io.berth.core.resources.explanation;

import static io.berth.core.resources.TestCluster.SLOT;
import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.resources.FakeBackend;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.spi.backend.WorkerSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ExplanationsTest {

    private static final long STARTED_UP = 6_000;

    private final TestCluster cluster = new TestCluster();

    private static List<ReasonCode> codes(FakeJobMaster job) {
        return job.reasons.stream().map(Reason::code).toList();
    }

    @Test
    void reportsThePoolLimitAndThenThatTheSlotsAreGranted() {
        cluster.time.advance(STARTED_UP);
        cluster.manager.backendAdded(new FakeBackend(
                WorkerSpec.of("small", TWO_SLOTS).defaultSlots(2).build()));
        FakeJobMaster first = cluster.job("first", 1);
        cluster.declare(first, 2, 2);
        cluster.time.advance(1_000);
        FakeJobMaster second = cluster.job("second", 2);
        cluster.declare(second, 1, 1);
        cluster.time.advance(1_000);
        assertThat(codes(first)).containsExactly(ReasonCode.STARTING_WORKERS);
        assertThat(codes(second)).containsExactly(ReasonCode.POOL_LIMIT);
        assertThat(second.notices.get(0))
                .isEqualTo("needs 1 x {1 cpu, 512 MiB}, 0 fit: 1 worker is being started for"
                        + " others, pool limit is reached with 1 worker of local/small");

        FakeWorker worker = cluster.worker("by-hand");
        cluster.time.advance(2_000);
        assertThat(worker.requested).isNotEmpty();
        assertThat(codes(first)).last().as("the older job takes it").isEqualTo(ReasonCode.SLOTS_REQUESTED);
        assertThat(codes(second)).last().as("and leaves it the other").isEqualTo(ReasonCode.STARTING_WORKERS);
    }

    @Test
    void workersOfASpecHaveItsLabelsBeforeTheyRegister() {
        cluster.time.advance(STARTED_UP);
        cluster.manager.backendAdded(new FakeBackend(
                WorkerSpec.of("small", TWO_SLOTS).label("zone", "a").build()));
        FakeJobMaster job = cluster.job("first", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(1_000);
        assertThat(cluster.details().workers()).singleElement().satisfies(worker -> {
            assertThat(worker.labels()).isEqualTo(Map.of("zone", "a", "berth.backend", "local", "berth.spec", "small"));
        });
    }

    @Test
    void tellsOfSlotsThatNoWorkerAcknowledges() {
        cluster.time.advance(STARTED_UP);
        FakeWorker worker = cluster.worker("w1");
        worker.mute = true;
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 2, 2);
        cluster.time.advance(100);
        assertThat(job.notices).as("a moment is nothing to speak of").isEmpty();
        cluster.time.advance(1_500);
        assertThat(job.notices)
                .containsExactly("2 of 2 slots are requested, but their workers have not acknowledged them yet");
    }

    @Test
    void tellsOfSlotsThatOneOfTwoWorkersDoesNotAcknowledge() {
        cluster.time.advance(STARTED_UP);
        FakeWorker late = cluster.worker("w1");
        late.holdAnswers = true;
        FakeWorker mute = cluster.worker("w2");
        mute.mute = true;
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 4, 4);
        cluster.time.advance(300);
        assertThat(late.requested).hasSize(2);
        late.answer();
        cluster.time.advance(2_000);
        assertThat(job.notices)
                .containsExactly("2 of 4 slots are requested, but their workers have not acknowledged them yet");
    }

    @Test
    void aJobThatIsServedAtOnceIsNotNotified() {
        cluster.time.advance(STARTED_UP);
        cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 2, 2);
        cluster.time.advance(10_000);
        assertThat(job.notices).isEmpty();
    }

    @Test
    void tellsAtOnceOfAnotherSituationAndLaterOfOtherNumbers() {
        cluster.time.advance(STARTED_UP);
        FakeJobMaster holder = cluster.job("holder", 1);
        cluster.worker("w1");
        cluster.declare(holder, 2, 2);
        cluster.time.advance(1_000);
        FakeJobMaster job = cluster.job("count", 2);
        cluster.declare(job, 1, 1);
        cluster.time.advance(600);
        assertThat(codes(job)).containsExactly(ReasonCode.FULL);

        cluster.worker("w2");
        FakeJobMaster hungry = cluster.job("hungry", 0);
        cluster.declare(hungry, 2, 2);
        cluster.time.advance(600);
        assertThat(job.notices).as("other numbers").hasSizeLessThanOrEqualTo(2);
        cluster.time.advance(Explanations.REFRESH_MILLIS + Explanations.PAUSE_MILLIS);
        assertThat(job.notices).last().asString().contains("2 workers have neither cpu nor memory");
        int told = job.notices.size();
        cluster.time.advance(60_000);
        assertThat(job.notices).as("quiet when nothing changes").hasSize(told);
    }

    @Test
    void manyWaitingJobsAreHandledInPassesAndAllAreNotified() {
        cluster.time.advance(STARTED_UP);
        List<FakeJobMaster> jobs = new ArrayList<>();
        for (int number = 0; number < 200; number++) {
            FakeJobMaster job = cluster.job("job-" + number, number);
            jobs.add(job);
            cluster.call(cluster.manager.declareRequirements(
                    job.requires(1, 1, io.berth.spi.ResourceProfile.of(1_000 + number, 1 << 20))));
        }
        cluster.time.advance(5_000);
        assertThat(jobs).allSatisfy(job -> assertThat(codes(job)).containsExactly(ReasonCode.NO_WORKERS));
    }

    @Test
    void aNewDeclarationIsExplainedAgain() {
        cluster.time.advance(STARTED_UP);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(1_000);
        cluster.call(cluster.manager.declareRequirements(job.requires(3, 3, SLOT)));
        cluster.time.advance(1_000);
        assertThat(job.notices).hasSize(2);
        assertThat(job.notices.get(1)).startsWith("needs 3 x");
        assertThat(job.numbers).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void f10_aNoticeThatDidNotArriveIsSentAgainUntilItDoes() {
        cluster.time.advance(STARTED_UP);
        FakeJobMaster job = cluster.job("count", 1);
        job.noticesLost = 2;
        cluster.declare(job, 1, 1);
        cluster.time.advance(1_000);
        assertThat(job.notices).isEmpty();
        cluster.time.advance(2 * (Explanations.REFRESH_MILLIS + Explanations.PAUSE_MILLIS));
        assertThat(codes(job)).containsExactly(ReasonCode.NO_WORKERS);
        cluster.time.advance(60_000);
        assertThat(job.notices).as("it has arrived").hasSize(1);
    }

    @Test
    void f10_aLateCopyOfTheRegistrationDoesNotHideThatANoticeWasLost() {
        cluster.time.advance(STARTED_UP);
        FakeJobMaster job = cluster.job("count", 1);
        CompletableFuture<Acknowledge> lost = new CompletableFuture<>();
        job.noticeOnItsWay = Optional.of(lost);
        cluster.declare(job, 1, 1);
        cluster.time.advance(1_000);
        assertThat(job.noticeOnItsWay).as("it is sent").isEmpty();
        cluster.register(job);
        lost.completeExceptionally(new RpcException(RpcException.Kind.DEADLINE, "no answer"));
        cluster.time.advance(2 * (Explanations.REFRESH_MILLIS + Explanations.PAUSE_MILLIS));
        assertThat(codes(job)).containsExactly(ReasonCode.NO_WORKERS);
    }

    @Test
    void f10_thatTheSlotsAreGrantedIsSentAgainUntilItArrives() {
        cluster.time.advance(STARTED_UP);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(1_000);
        job.noticesLost = 2;
        cluster.worker("w1");
        cluster.time.advance(3 * (Explanations.REFRESH_MILLIS + Explanations.PAUSE_MILLIS));
        assertThat(job.noticesLost).isZero();
        assertThat(codes(job)).last().isEqualTo(ReasonCode.SLOTS_REQUESTED);
    }
}
