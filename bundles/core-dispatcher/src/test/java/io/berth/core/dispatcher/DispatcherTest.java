package io.berth.core.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Problem;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.JobOperations.CancelResult;
import io.berth.core.api.operations.JobOperations.SubmitResult;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.dispatcher.bundle.TestBundles;
import io.berth.core.dispatcher.state.DispatcherSettings;
import io.berth.spi.JobId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DispatcherTest {

    private static final String JOB =
            "{name: short, vertices: [{name: a, operator: file-source, parallelism: {min: 1, max: 2},"
                    + " configuration: {path: /t}}]}";

    @TempDir
    Path directory;

    private TestControlPlane plane;
    private FakeCluster cluster;
    private ManualTime timers;

    @BeforeEach
    void open() throws IOException {
        plane = new TestControlPlane(directory);
        plane.settings = new DispatcherSettings(2, true, 2_000);
        plane.start();
        cluster = plane.cluster;
        timers = plane.timers;
    }

    private static <T> T now(CompletionStage<T> stage) {
        return TestControlPlane.now(stage);
    }

    private JobOperations dispatcher() {
        return plane.term.jobs();
    }

    private JobId submit(String description) {
        JobId id = plane.submit(description);
        cluster.details.put(id.value(), plane.details(id, JobStatus.CREATED));
        return id;
    }

    private JobDetails ended(JobId id, JobStatus status) {
        return plane.details(id, status);
    }

    private JobDetails job(JobId id) {
        return plane.job(id);
    }

    @Test
    void startsAJobMasterWithAPlaceInTheOrderOfSubmission() {
        JobId first = submit(JOB);
        JobId second = submit(JOB);

        assertThat(first).isNotEqualTo(second);
        assertThat(first.value()).startsWith("short-");
        assertThat(cluster.started).extracting(start -> start.graph().id()).containsExactly(first, second);
        assertThat(cluster.started)
                .extracting(start -> start.graph().submissionIndex())
                .containsExactly(1L, 2L);
        assertThat(cluster.started.get(0).submittedMillis()).isEqualTo(1000);
        assertThat(now(dispatcher().jobs())).extracting(JobDetails::id).containsExactly(first, second);
    }

    @Test
    void submitsNoJobForABadDescription() {
        SubmitResult result = now(dispatcher().submit("name: x\n"));

        assertThat(result).isInstanceOf(SubmitResult.Refused.class);
        assertThat(cluster.started).isEmpty();
        assertThat(now(dispatcher().jobs())).isEmpty();
    }

    @Test
    void aSubmissionRepeatedWithItsKeyIsOneJob() {
        SubmitResult first = now(dispatcher().submit(JOB, Optional.of("key-1")));
        SubmitResult second = now(dispatcher().submit(JOB, Optional.of("key-1")));
        SubmitResult other = now(dispatcher().submit(JOB, Optional.of("key-2")));

        JobId id = ((SubmitResult.Submitted) first).job();
        assertThat(second).isEqualTo(new SubmitResult.Repeated(id));
        assertThat(other).isInstanceOf(SubmitResult.Submitted.class);
        assertThat(now(dispatcher().jobs())).hasSize(2);
    }

    @Test
    void aSubmissionRepeatedDuringTheFirstWaitsForIt() throws IOException {
        List<Runnable> queued = new ArrayList<>();
        plane.io = queued::add;
        plane.restart();
        while (!queued.isEmpty()) {
            queued.remove(0).run();
        }
        CompletionStage<SubmitResult> first = dispatcher().submit(JOB, Optional.of("key-1"));
        CompletionStage<SubmitResult> second = dispatcher().submit(JOB, Optional.of("key-1"));
        assertThat(second.toCompletableFuture()).isNotDone();

        while (!queued.isEmpty()) {
            queued.remove(0).run();
        }

        JobId id = ((SubmitResult.Submitted) now(first)).job();
        assertThat(now(second)).isEqualTo(new SubmitResult.Repeated(id));
        assertThat(cluster.started).hasSize(1);
    }

    @Test
    void aKeyOfAFailedSubmissionMayBeUsedAgain() {
        assertThat(now(dispatcher().submit("name: x\n", Optional.of("key-1"))))
                .isInstanceOf(SubmitResult.Refused.class);
        assertThat(now(dispatcher().submit(JOB, Optional.of("key-1")))).isInstanceOf(SubmitResult.Submitted.class);
        assertThat(now(dispatcher().submit(JOB, Optional.of("a b"))))
                .isEqualTo(new SubmitResult.Refused(List.of(
                        new Problem("key of the submission", "'a b'", "allowed are " + JobOperations.KEY_ALLOWED))));
    }

    @Test
    void acceptsAJobBeforeItsJobMasterCanStart() {
        cluster.startFailure = Optional.of(new RpcException(RpcException.Kind.UNREACHABLE, "nobody at 7077"));
        JobId id = submit(JOB);
        assertThat(job(id).status()).isEqualTo(JobStatus.CREATED);
        assertThat(job(id).reason()).contains("nobody at 7077").contains("trying again");
        assertThat(job(id).waiting().current().code()).isEqualTo(ReasonCode.NO_JOB_MASTER);
        assertThat(job(id).waiting().current().line()).isEqualTo(job(id).reason());

        cluster.startFailure = Optional.empty();
        timers.jump(200);

        assertThat(cluster.started).hasSize(1);
        assertThat(job(id).waiting().first().code())
                .as("the first cause stays when the JobMaster reports another one")
                .isEqualTo(ReasonCode.NO_JOB_MASTER);
    }

    @Test
    void failsAJobWhoseJobMasterIsRefusedRepeatedly() {
        cluster.startFailure = Optional.of(new RpcException(RpcException.Kind.FAILED, "no scaling policy"));

        JobId id = submit(JOB);
        assertThat(job(id).status()).as("the process may be stopping").isEqualTo(JobStatus.CREATED);
        timers.jump(200);
        timers.jump(400);

        assertThat(job(id).status()).isEqualTo(JobStatus.FAILED);
        assertThat(job(id).reason()).contains("no scaling policy");
        assertThat(job(id).endedMillis()).isEqualTo(1000);
    }

    @Test
    void failsAJobAtOnceWhenNoProcessCanAcceptIt() {
        cluster.startFailure = Optional.of(new RpcException(RpcException.Kind.REFUSED, "the message is too large"));

        JobId id = submit(JOB);

        assertThat(job(id).status()).isEqualTo(JobStatus.FAILED);
        assertThat(job(id).reason()).contains("its JobMaster cannot start").contains("too large");
    }

    @Test
    void forwardsACancelAndReturnsItsResult() {
        JobId id = submit(JOB);

        assertThat(now(dispatcher().cancel(id, "by hand"))).isEqualTo(CancelResult.CANCELING);
        assertThat(cluster.canceled).containsEntry(id.value(), "by hand");
        now(plane.gateway().jobChanged(id, cluster.jobMasterId(id), ended(id, JobStatus.CANCELED)));
        assertThat(now(dispatcher().cancel(id, "again"))).isEqualTo(CancelResult.ALREADY_ENDED);
        assertThat(now(dispatcher().cancel(new JobId("nobody"), "x"))).isEqualTo(CancelResult.UNKNOWN);
    }

    @Test
    void repeatsACancelThatDidNotArrive() {
        JobId id = submit(JOB);
        cluster.cancelFailure = Optional.of(new RpcException(RpcException.Kind.DEADLINE, "no answer in time"));
        now(dispatcher().cancel(id, "by hand"));
        cluster.cancelFailure = Optional.empty();
        timers.jump(1_000);

        assertThat(cluster.canceled).containsEntry(id.value(), "by hand");
    }

    @Test
    void cancelsAnUnknownJobThatReports() {
        JobId running = new JobId("of-an-earlier-life");
        JobId over = new JobId("over");
        now(plane.gateway().jobChanged(running, cluster.addStray(running), ended(running, JobStatus.EXECUTING)));
        now(plane.gateway().jobChanged(over, cluster.addStray(over), ended(over, JobStatus.FINISHED)));

        assertThat(cluster.canceled).containsOnlyKeys(running.value());
    }

    @Test
    void cancelsAJobThatHasNoJobMasterYet() {
        cluster.startFailure = Optional.of(new RpcException(RpcException.Kind.UNREACHABLE, "nobody"));
        JobId id = submit(JOB);

        now(dispatcher().cancel(id, "by hand"));
        cluster.startFailure = Optional.empty();
        timers.jump(60_000);

        assertThat(job(id).status()).isEqualTo(JobStatus.CANCELED);
        assertThat(cluster.started).isEmpty();
    }

    @Test
    void ignoresReportsOfAnotherJobMasterAndOfAnEndedJob() {
        JobId id = submit(JOB);
        JobMasterId stranger = new JobMasterId(FakeCluster.token(0, "stranger"));

        now(plane.gateway().jobChanged(id, stranger, ended(id, JobStatus.FAILED)));
        assertThat(job(id).status()).isEqualTo(JobStatus.CREATED);

        now(plane.gateway().jobChanged(id, cluster.jobMasterId(id), ended(id, JobStatus.FINISHED)));
        now(plane.gateway().jobChanged(id, cluster.jobMasterId(id), ended(id, JobStatus.FAILED)));
        assertThat(job(id).status()).isEqualTo(JobStatus.FINISHED);
    }

    @Test
    void keepsBundlesWhileTheirJobLivesAndForTheCacheTimeAfter() throws IOException {
        byte[] content = TestBundles.bundle("words", "word-source");
        String hash = TestBundles.hash(content);
        dispatcher().storeBundle(hash, new ByteArrayInputStream(content));
        JobId id = submit("{name: j, bundles: [" + hash + "], vertices: [{name: a, operator: word-source}]}");
        timers.jump(10_000_000);
        assertThat(now(plane.gateway().readBundle(hash, 0, 100)).content()).hasSize(100);

        now(plane.gateway().jobChanged(id, cluster.jobMasterId(id), ended(id, JobStatus.FINISHED)));
        timers.jump(60_000);

        assertThat(dispatcher().bundle(hash)).isEmpty();
    }

    @Test
    void refusesToReadOutOfBounds() {
        assertThatThrownBy(() -> plane.gateway()
                        .readBundle("0".repeat(64), 0, (1 << 20) + 1)
                        .toCompletableFuture()
                        .join())
                .hasMessageContaining("1 to 1048576");
        assertThatThrownBy(() -> plane.gateway()
                        .readBundle("0".repeat(64), 0, 1)
                        .toCompletableFuture()
                        .join())
                .hasMessageContaining("not stored");
    }

    @Test
    void keepsOnlyTheLastEndedJobs() {
        JobId first = submit(JOB);
        JobId running = submit(JOB);
        JobId third = submit(JOB);
        JobId fourth = submit(JOB);
        for (JobId id : List.of(first, third, fourth)) {
            now(plane.gateway().jobChanged(id, cluster.jobMasterId(id), ended(id, JobStatus.FINISHED)));
        }

        assertThat(now(dispatcher().jobs())).extracting(JobDetails::id).containsExactly(running, third, fourth);
    }

    @Test
    void showsWhatIsKnownWhenAJobMasterDoesNotAnswerInTime() {
        JobId id = submit(JOB);
        cluster.detailsHang = true;

        CompletionStage<Optional<JobDetails>> details = dispatcher().job(id);
        assertThat(details.toCompletableFuture()).isNotDone();
        timers.jump(2_000);

        assertThat(now(details).orElseThrow().status()).isEqualTo(JobStatus.CREATED);
    }

    @Test
    void aListShowsTheLastReportsAndCallsNoJobMaster() {
        JobId id = submit(JOB);
        plane.report(id, JobStatus.EXECUTING);
        cluster.detailsHang = true;

        assertThat(now(dispatcher().jobs())).extracting(JobDetails::status).containsExactly(JobStatus.EXECUTING);
    }
}
