package io.berth.core.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.operations.JobOperations.CancelResult;
import io.berth.core.api.operations.JobOperations.SubmitResult;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
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

    private final FakeCluster cluster = new FakeCluster();
    private final ManualTimers timers = new ManualTimers();
    private BundleStore bundles;
    private Dispatcher dispatcher;
    private long wall = 1000;

    @BeforeEach
    void open() throws IOException {
        Clock clock = new Clock() {
            @Override
            public long nanos() {
                return 0;
            }

            @Override
            public long wallMillis() {
                return wall;
            }
        };
        bundles = new BundleStore(directory, timers);
        bundles.limits(100_000, 60_000, 600_000);
        dispatcher = new Dispatcher(
                new MainThread("test", Runnable::run, timers),
                new DispatcherTerm.Environment(
                        clock,
                        timers,
                        Runnable::run,
                        Runnable::run,
                        new Random(1),
                        cluster,
                        new ConfiguredAddresses(FakeCluster.ADDRESS),
                        new MemoryStore(),
                        bundles,
                        kind -> kind == PolicyKind.SCALING ? List.of("reactive") : List.of()),
                new DispatcherSettings(2, 2_000));
        dispatcher.servedAt(new EndpointRef(
                FakeCluster.ADDRESS, EndpointName.DISPATCHER, FakeCluster.token("dispatcher")));
    }

    private static <T> T now(CompletionStage<T> stage) {
        assertThat(stage.toCompletableFuture()).isDone();
        return stage.toCompletableFuture().join();
    }

    private JobId submit(String description) {
        SubmitResult result = now(dispatcher.submit(description));
        assertThat(result).isInstanceOf(SubmitResult.Submitted.class);
        JobId id = ((SubmitResult.Submitted) result).job();
        cluster.details.put(id.value(), details(id));
        return id;
    }

    private JobDetails details(JobId id) {
        JobRecord record = new JobRecord(
                DescriptionParser.parse(JOB, DescriptionParserTest.CATALOGUE).draft().orElseThrow().toGraph(id, 1), 1);
        return record.details();
    }

    private JobDetails ended(JobId id, JobStatus status) {
        JobRecord record = new JobRecord(
                DescriptionParser.parse(JOB, DescriptionParserTest.CATALOGUE).draft().orElseThrow().toGraph(id, 1), 1);
        record.end(status, "because", 5);
        return record.details();
    }

    private JobDetails job(JobId id) {
        return now(dispatcher.job(id)).orElseThrow();
    }

    @Test
    void startsAJobMasterWithAPlaceInTheOrderOfSubmission() {
        JobId first = submit(JOB);
        JobId second = submit(JOB);

        assertThat(first).isNotEqualTo(second);
        assertThat(first.value()).startsWith("short-");
        assertThat(cluster.started).extracting(start -> start.graph().id()).containsExactly(first, second);
        assertThat(cluster.started).extracting(start -> start.graph().submissionIndex()).containsExactly(1L, 2L);
        assertThat(cluster.started.get(0).submittedMillis()).isEqualTo(1000);
        assertThat(now(dispatcher.jobs())).extracting(JobDetails::id).containsExactly(first, second);
    }

    @Test
    void submitsNothingOfABadDescription() {
        SubmitResult result = now(dispatcher.submit("name: x\n"));

        assertThat(result).isInstanceOf(SubmitResult.Refused.class);
        assertThat(cluster.started).isEmpty();
        assertThat(now(dispatcher.jobs())).isEmpty();
    }

    @Test
    void answersASubmissionThoughNoJobMasterCanBeStartedYetAndTriesAgain() {
        cluster.startFailure = Optional.of(new RpcException(RpcException.Kind.UNREACHABLE, "nobody at 7077"));
        JobId id = submit(JOB);
        assertThat(job(id).status()).isEqualTo(JobStatus.CREATED);
        assertThat(job(id).reason()).contains("nobody at 7077").contains("trying again");
        assertThat(job(id).waiting().current().code()).isEqualTo(ReasonCode.NO_JOB_MASTER);
        assertThat(job(id).waiting().current().line()).isEqualTo(job(id).reason());

        cluster.startFailure = Optional.empty();
        timers.pass(200);

        assertThat(cluster.started).hasSize(1);
        assertThat(job(id).waiting().first().code())
                .as("the first cause is kept when the JobMaster tells another one")
                .isEqualTo(ReasonCode.NO_JOB_MASTER);
    }

    @Test
    void failsAJobWhoseJobMasterIsRefused() {
        cluster.startFailure = Optional.of(new RpcException(RpcException.Kind.FAILED, "no scaling policy"));

        JobId id = submit(JOB);

        assertThat(job(id).status()).isEqualTo(JobStatus.FAILED);
        assertThat(job(id).reason()).contains("no scaling policy");
        assertThat(job(id).endedMillis()).isEqualTo(1000);
    }

    @Test
    void passesACancelOnAndTellsWhatThereWasToCancel() {
        JobId id = submit(JOB);

        assertThat(now(dispatcher.cancel(id, "by hand"))).isEqualTo(CancelResult.CANCELING);
        assertThat(cluster.canceled).containsEntry(id.value(), "by hand");
        now(dispatcher.jobChanged(id, FakeCluster.jobMasterId(id), ended(id, JobStatus.CANCELED)));
        assertThat(now(dispatcher.cancel(id, "again"))).isEqualTo(CancelResult.ALREADY_ENDED);
        assertThat(now(dispatcher.cancel(new JobId("nobody"), "x"))).isEqualTo(CancelResult.UNKNOWN);
    }

    @Test
    void passesACancelOnAgainThatDidNotArrive() {
        JobId id = submit(JOB);
        cluster.cancelFailure = Optional.of(new RpcException(RpcException.Kind.DEADLINE, "no answer in time"));
        now(dispatcher.cancel(id, "by hand"));
        cluster.cancelFailure = Optional.empty();
        timers.pass(1_000);

        assertThat(cluster.canceled).containsEntry(id.value(), "by hand");
    }

    @Test
    void cancelsAJobThatReportsButIsNotKnown() {
        JobId running = new JobId("of-an-earlier-life");
        JobId over = new JobId("over");
        now(dispatcher.jobChanged(running, FakeCluster.jobMasterId(running), details(running)));
        now(dispatcher.jobChanged(over, FakeCluster.jobMasterId(over), ended(over, JobStatus.FINISHED)));

        assertThat(cluster.canceled).containsOnlyKeys(running.value());
    }

    @Test
    void cancelsAJobThatHasNoJobMasterYet() {
        cluster.startFailure = Optional.of(new RpcException(RpcException.Kind.UNREACHABLE, "nobody"));
        JobId id = submit(JOB);

        now(dispatcher.cancel(id, "by hand"));
        cluster.startFailure = Optional.empty();
        timers.pass(60_000);

        assertThat(job(id).status()).isEqualTo(JobStatus.CANCELED);
        assertThat(cluster.started).isEmpty();
    }

    @Test
    void ignoresNewsOfAnotherJobMasterAndOfAnEndedJob() {
        JobId id = submit(JOB);
        JobMasterId stranger = new JobMasterId(FakeCluster.token("stranger"));

        now(dispatcher.jobChanged(id, stranger, ended(id, JobStatus.FAILED)));
        assertThat(job(id).status()).isEqualTo(JobStatus.CREATED);

        now(dispatcher.jobChanged(id, FakeCluster.jobMasterId(id), ended(id, JobStatus.FINISHED)));
        now(dispatcher.jobChanged(id, FakeCluster.jobMasterId(id), ended(id, JobStatus.FAILED)));
        assertThat(job(id).status()).isEqualTo(JobStatus.FINISHED);
    }

    @Test
    void keepsBundlesWhileTheirJobLivesAndForTheCacheTimeAfter() throws IOException {
        byte[] content = TestBundles.bundle("words", "word-source");
        String hash = TestBundles.hash(content);
        dispatcher.storeBundle(hash, new ByteArrayInputStream(content));
        JobId id = submit("{name: j, bundles: [" + hash + "], vertices: [{name: a, operator: word-source}]}");
        timers.pass(10_000_000);
        assertThat(now(dispatcher.readBundle(hash, 0, 100)).content()).hasSize(100);

        now(dispatcher.jobChanged(id, FakeCluster.jobMasterId(id), ended(id, JobStatus.FINISHED)));
        timers.pass(60_000);

        assertThat(dispatcher.bundle(hash)).isEmpty();
    }

    @Test
    void refusesToReadOutOfBounds() {
        assertThatThrownBy(() -> dispatcher.readBundle("0".repeat(64), 0, (1 << 20) + 1).toCompletableFuture().join())
                .hasMessageContaining("1 to 1048576");
        assertThatThrownBy(() -> dispatcher.readBundle("0".repeat(64), 0, 1).toCompletableFuture().join())
                .hasMessageContaining("not stored");
    }

    @Test
    void remembersOnlyTheLastEndedJobs() {
        JobId first = submit(JOB);
        JobId running = submit(JOB);
        JobId third = submit(JOB);
        JobId fourth = submit(JOB);
        for (JobId id : List.of(first, third, fourth)) {
            now(dispatcher.jobChanged(id, FakeCluster.jobMasterId(id), ended(id, JobStatus.FINISHED)));
        }

        assertThat(now(dispatcher.jobs())).extracting(JobDetails::id).containsExactly(running, third, fourth);
    }

    @Test
    void showsWhatIsKnownWhenAJobMasterDoesNotAnswerInTime() {
        JobId id = submit(JOB);
        cluster.detailsHang = true;

        CompletionStage<Optional<JobDetails>> details = dispatcher.job(id);
        assertThat(details.toCompletableFuture()).isNotDone();
        timers.pass(2_000);

        assertThat(now(details).orElseThrow().status()).isEqualTo(JobStatus.CREATED);
    }

    @Test
    void failsAJobWhoseJobMasterIsGoneWithoutAWord() {
        JobId id = submit(JOB);
        cluster.detailsFailure = Optional.of(new RpcException(RpcException.Kind.NOT_FOUND, "no endpoint job-master"));

        assertThat(job(id).status()).isEqualTo(JobStatus.CREATED);
        timers.pass(5_000);

        assertThat(job(id).status()).isEqualTo(JobStatus.FAILED);
        assertThat(job(id).reason()).contains("its JobMaster is gone").contains("submit it again");
    }
}
