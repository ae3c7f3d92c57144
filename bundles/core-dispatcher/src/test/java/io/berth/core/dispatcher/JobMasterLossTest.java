package io.berth.core.dispatcher;

import static io.berth.core.dispatcher.TestControlPlane.JOB;
import static io.berth.core.dispatcher.TestControlPlane.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.job.JobDetails.Transition;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.rpc.RpcException;
import io.berth.spi.JobId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JobMaster that is gone is replaced; one that only seems to be gone is not. */
class JobMasterLossTest {

    @TempDir
    Path directory;

    private TestControlPlane plane;
    private FakeCluster cluster;
    private JobId id;

    @BeforeEach
    void run() throws IOException {
        plane = new TestControlPlane(directory);
        plane.start();
        cluster = plane.cluster;
        id = plane.submit(JOB);
        plane.report(id, JobStatus.EXECUTING);
    }

    @Test
    void aJobMasterThatIsGoneIsStartedAgainAndCounted() {
        JobMasterId before = cluster.jobMasterId(id);
        cluster.lose(id);
        plane.job(id);

        assertThat(cluster.created).containsEntry(id.value(), 2);
        assertThat(cluster.jobMasterId(id)).isGreaterThan(before);
        cluster.details.put(id.value(), plane.details(id, JobStatus.CREATED));
        assertThat(plane.job(id).restarts()).isEqualTo(1);
        assertThat(plane.job(id).history())
                .extracting(Transition::reason)
                .anyMatch(reason -> reason.contains("its JobMaster is gone") && reason.contains("is not served"));
    }

    @Test
    void jobsMoveToTheNextProcessThatLeadsTheRole() {
        cluster.die();
        assertThat(cluster.runs(id)).isFalse();
        plane.timers.jump(100);
        assertThat(plane.job(id).status()).as("the loss is not known yet").isEqualTo(JobStatus.EXECUTING);

        cluster.lead();
        assertThat(cluster.runs(id)).isTrue();
        plane.report(id, JobStatus.WAITING_FOR_RESOURCES);
        assertThat(plane.job(id).restarts()).isEqualTo(1);
        assertThat(plane.job(id).history())
                .extracting(Transition::reason)
                .anyMatch(reason -> reason.startsWith("started again: "));
    }

    @Test
    void reportsOfEarlierJobMastersChangeNothing() {
        JobMasterId before = cluster.jobMasterId(id);
        cluster.lead();
        plane.report(id, JobStatus.WAITING_FOR_RESOURCES);

        now(plane.gateway().jobChanged(id, before, plane.details(id, JobStatus.FINISHED)));

        assertThat(plane.job(id).status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
        plane.report(id, JobStatus.FINISHED);
        assertThat(plane.job(id).status()).isEqualTo(JobStatus.FINISHED);
    }

    @Test
    void reportsWaitUntilTheirJobMasterIsKnown() {
        JobMasterId before = cluster.jobMasterId(id);
        cluster.answersHang = true;
        cluster.lead();
        CompletableFuture<Acknowledge> old = plane.gateway()
                .jobChanged(id, before, plane.details(id, JobStatus.FINISHED))
                .toCompletableFuture();
        CompletableFuture<Acknowledge> current = plane.gateway()
                .jobChanged(id, cluster.jobMasterId(id), plane.details(id, JobStatus.WAITING_FOR_RESOURCES))
                .toCompletableFuture();
        assertThat(old).isNotDone();
        assertThat(current).isNotDone();
        assertThat(plane.job(id).status()).isEqualTo(JobStatus.RESTARTING);
        assertThat(plane.job(id).waiting().current().code()).isEqualTo(ReasonCode.NO_JOB_MASTER);

        cluster.lateAnswers.forEach(Runnable::run);
        assertThat(old).isCompleted();
        assertThat(current).isCompleted();
        cluster.details.put(id.value(), plane.details(id, JobStatus.WAITING_FOR_RESOURCES));
        assertThat(plane.job(id).status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
    }

    @Test
    void f21_aPausedProcessKeepsNoJobFromTheNextOne() {
        cluster.answersHang = true;
        JobId late = plane.submit(JOB);
        JobMasterId frozen = cluster.jobMasterId(late);
        cluster.answersHang = false;
        cluster.lead();
        assertThat(cluster.runs(late))
                .as("before the call to the first one fails")
                .isTrue();
        assertThat(cluster.created).containsEntry(late.value(), 2);

        cluster.lateAnswers.forEach(Runnable::run);
        now(plane.gateway().jobChanged(late, frozen, plane.details(late, JobStatus.FAILED)));

        plane.report(late, JobStatus.EXECUTING);
        assertThat(plane.job(late).status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(cluster.created).containsEntry(late.value(), 2);
    }

    @Test
    void aJobMasterThatIsBrieflyUnreachableContinues() {
        JobMasterId before = cluster.jobMasterId(id);
        cluster.unreachable = true;
        cluster.detailsFailure = Optional.of(new RpcException(RpcException.Kind.UNREACHABLE, "connection refused"));
        for (int i = 0; i < 8; i++) {
            plane.timers.jump(5_000);
        }
        assertThat(plane.job(id).reason()).contains("does not answer").contains("trying again");
        assertThat(plane.job(id).status()).isEqualTo(JobStatus.EXECUTING);

        cluster.unreachable = false;
        cluster.detailsFailure = Optional.empty();
        plane.timers.jump(5_000);
        assertThat(plane.job(id).restarts()).isZero();
        assertThat(plane.job(id).reason()).isEqualTo("because");
        assertThat(cluster.jobMasterId(id)).isEqualTo(before);
        assertThat(cluster.created).containsEntry(id.value(), 1);
    }

    @Test
    void aSilentJobMasterIsCheckedWithoutAQuery() {
        cluster.lose(id);
        for (int i = 0; i < 4; i++) {
            plane.timers.jump(5_000);
        }
        assertThat(cluster.runs(id)).as("it may be slow").isFalse();
        plane.timers.jump(5_000);
        plane.timers.jump(5_000);
        assertThat(cluster.runs(id)).isTrue();
    }

    @Test
    void aNewerJobMasterThatReportsIsCheckedBeforeItCounts() {
        cluster.lose(id);
        JobMasterId newer = new JobMasterId(FakeCluster.token(50_000, id.value()));

        CompletableFuture<Acknowledge> answer = plane.gateway()
                .jobChanged(id, newer, plane.details(id, JobStatus.FINISHED))
                .toCompletableFuture();

        assertThat(answer).isCompletedExceptionally();
        assertThat(cluster.runs(id))
                .as("it did not exist, so another one was started")
                .isTrue();
        cluster.details.put(id.value(), plane.details(id, JobStatus.CREATED));
        assertThat(plane.job(id).status().isTerminal()).isFalse();
    }

    @Test
    void aCanceledJobWhoseJobMasterIsGoneEnds() {
        cluster.cancelFailure = Optional.of(new RpcException(RpcException.Kind.UNREACHABLE, "connection refused"));
        now(plane.term.jobs().cancel(id, "by hand"));
        cluster.cancelFailure = Optional.empty();
        cluster.lose(id);
        plane.timers.jump(1_000);

        assertThat(plane.job(id).status()).isEqualTo(JobStatus.CANCELED);
        assertThat(cluster.created).containsEntry(id.value(), 1);
    }

    @Test
    void aJobThatStartsWhileItsCancelIsStoredIsCanceled() {
        cluster.answersHang = true;
        JobId slow = plane.submit(JOB);
        now(plane.term.jobs().cancel(slow, "by hand"));
        cluster.lateAnswers.forEach(Runnable::run);

        assertThat(cluster.canceled).containsEntry(slow.value(), "by hand");
    }
}
