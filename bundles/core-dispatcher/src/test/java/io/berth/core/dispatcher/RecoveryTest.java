package io.berth.core.dispatcher;

import static io.berth.core.dispatcher.TestControlPlane.JOB;
import static io.berth.core.dispatcher.TestControlPlane.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.JobMastersGateway.JobStart;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.Transition;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.operations.JobOperations.CancelResult;
import io.berth.core.api.operations.JobOperations.SubmitResult;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.dispatcher.bundle.TestBundles;
import io.berth.core.dispatcher.state.DispatcherSettings;
import io.berth.core.dispatcher.store.JobKey;
import io.berth.core.dispatcher.store.MemoryStore;
import io.berth.core.dispatcher.store.RecordWriter;
import io.berth.core.dispatcher.store.Submissions;
import io.berth.spi.JobId;
import io.berth.spi.ha.Versioned;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Dispatcher that restarts continues with the jobs that it had accepted. */
class RecoveryTest {

    @TempDir
    Path directory;

    private TestControlPlane plane;
    private FakeCluster cluster;
    private MemoryStore store;

    @BeforeEach
    void open() throws IOException {
        plane = new TestControlPlane(directory);
        plane.start();
        cluster = plane.cluster;
        store = plane.store;
    }

    private static String failure(CompletionStage<?> stage) {
        CompletableFuture<?> future = stage.toCompletableFuture();
        assertThat(future).isCompletedExceptionally();
        return future.handle((value, failure) -> Failures.text(failure)).join();
    }

    private String key(JobId id) {
        return store.records.keySet().stream()
                .filter(key -> key.endsWith("." + id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aSubmissionRepeatedAfterACrashReturnsItsJob() throws IOException {
        SubmitResult first = now(plane.term.jobs().submit(JOB, Optional.of("key-1")));
        JobId id = ((SubmitResult.Submitted) first).job();
        plane.restart();

        assertThat(now(plane.term.jobs().submit(JOB, Optional.of("key-1")))).isEqualTo(new SubmitResult.Repeated(id));

        plane.report(id, JobStatus.FINISHED);
        plane.restart();
        assertThat(now(plane.term.jobs().submit(JOB, Optional.of("key-1"))))
                .as("also when the job has ended in the meantime")
                .isEqualTo(new SubmitResult.Repeated(id));
        assertThat(now(plane.term.jobs().jobs())).hasSize(1);
    }

    @Test
    void aJobWhoseJobMasterLivesContinuesUnderTheNewDispatcher() throws IOException {
        JobId id = plane.submit(JOB);
        plane.report(id, JobStatus.EXECUTING);
        JobMasterId before = cluster.jobMasterId(id);
        plane.wall = 9_000;
        plane.restart();

        assertThat(cluster.created).containsEntry(id.value(), 1);
        assertThat(cluster.jobMasterId(id)).isEqualTo(before);
        JobStart secondStart = cluster.started.get(1);
        assertThat(secondStart.dispatcher().token().epoch())
                .as("it learns the new Dispatcher")
                .isEqualTo(2);
        assertThat(secondStart.graph()).isEqualTo(cluster.started.get(0).graph());
        assertThat(secondStart.submittedMillis()).isEqualTo(1_000);
        assertThat(plane.job(id).status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(plane.job(id).restarts()).isZero();

        plane.report(id, JobStatus.FINISHED);
        assertThat(plane.job(id).status()).isEqualTo(JobStatus.FINISHED);
    }

    @Test
    void aJobThatLostItsJobMasterWithTheControlPlaneStartsAgain() throws IOException {
        JobId first = plane.submit(JOB);
        JobId second = plane.submit(JOB);
        plane.report(first, JobStatus.EXECUTING);
        plane.wall = 9_000;
        plane.restartAll();

        assertThat(cluster.runs(first)).isTrue();
        assertThat(cluster.runs(second)).isTrue();
        cluster.details.put(first.value(), plane.details(first, JobStatus.CREATED));
        JobDetails job = plane.job(first);
        assertThat(job.submittedMillis()).isEqualTo(1_000);
        assertThat(job.submissionIndex()).isEqualTo(1);
        assertThat(job.startedMillis()).as("start of its first run").isEqualTo(2_000);
        assertThat(job.restarts()).isEqualTo(1);
        assertThat(job.history()).extracting(Transition::reason).contains("started again: the control plane ended");
        assertThat(job.history()).extracting(Transition::status).contains(JobStatus.RESTARTING);
        assertThat(plane.job(second).restarts()).as("it never ran").isZero();
        assertThat(plane.jobs()).extracting(JobDetails::id).containsExactly(first, second);

        JobId third = plane.submit(JOB);
        assertThat(plane.job(third).submissionIndex()).isEqualTo(3);
    }

    @Test
    void restartsAreCountedAcrossControlPlanes() throws IOException {
        JobId id = plane.submit(JOB);
        plane.report(id, JobStatus.EXECUTING);
        for (int life = 1; life <= 3; life++) {
            plane.restartAll();
            plane.report(id, JobStatus.EXECUTING);
            assertThat(plane.job(id).restarts()).isEqualTo(life);
        }
        assertThat(plane.job(id).history().get(0)).isEqualTo(new Transition(1_000, JobStatus.CREATED, ""));
        assertThat(plane.job(id).history())
                .filteredOn(change -> change.status() == JobStatus.RESTARTING)
                .hasSize(3);
    }

    @Test
    void anEndedJobStaysEndedAfterARestart() throws IOException {
        JobId id = plane.submit(JOB);
        plane.report(id, JobStatus.EXECUTING);
        plane.report(id, JobStatus.FINISHED);
        JobDetails before = plane.job(id);
        plane.restart();

        assertThat(plane.job(id)).isEqualTo(before);
        assertThat(cluster.created).containsEntry(id.value(), 1);
        assertThat(now(plane.term.jobs().cancel(id, "late"))).isEqualTo(CancelResult.ALREADY_ENDED);
        assertThat(store.records.keySet()).noneMatch(key -> key.startsWith(JobKey.LIVE));
    }

    @Test
    void anAnsweredCancelSurvivesACrash() throws IOException {
        JobId gone = plane.submit(JOB);
        JobId lives = plane.submit(JOB);
        plane.report(gone, JobStatus.EXECUTING);
        plane.report(lives, JobStatus.EXECUTING);
        now(plane.term.jobs().cancel(gone, "by hand"));
        now(plane.term.jobs().cancel(lives, "by hand"));
        cluster.lose(gone);
        cluster.canceled.clear();
        plane.restart();

        assertThat(cluster.created).as("it is not started again to be canceled").containsEntry(gone.value(), 1);
        assertThat(plane.job(gone).status()).isEqualTo(JobStatus.CANCELED);
        assertThat(plane.job(gone).reason()).isEqualTo("by hand");
        assertThat(cluster.canceled).containsOnlyKeys(lives.value());
    }

    @Test
    void noJobIsLostOrRunsTwiceWhereverTheProcessDies() throws IOException {
        int changes = walk(0, false);
        assertThat(changes).isGreaterThan(8);
        for (int at = 1; at <= changes; at++) {
            walk(at, false);
            walk(at, true);
        }
    }

    /** Returns the number of changes of the store. */
    private int walk(int crash, boolean after) throws IOException {
        TestControlPlane walked = new TestControlPlane(directory);
        walked.store.crashBefore = after ? 0 : crash;
        walked.store.crashAfter = after ? crash : 0;
        walked.start();
        Optional<JobId> canceled = submitted(walked);
        Optional<JobId> finished = submitted(walked);
        boolean cancelAnswered = false;
        boolean endAcknowledged = false;
        if (canceled.isPresent() && walked.cluster.runs(canceled.get())) {
            reported(walked, canceled.get(), JobStatus.EXECUTING);
            cancelAnswered = isDone(walked.term.jobs().cancel(canceled.get(), "by hand"));
        }
        if (finished.isPresent() && walked.cluster.runs(finished.get())) {
            reported(walked, finished.get(), JobStatus.EXECUTING);
            endAcknowledged = reported(walked, finished.get(), JobStatus.FINISHED);
        }
        int changes = walked.store.changes;
        List<JobStart> before = List.copyOf(walked.cluster.started);
        walked.restartAll();

        String where = "change " + crash + (after ? " stored" : " not stored");
        List<JobDetails> jobs = walked.jobs();
        canceled.ifPresent(
                id -> assertThat(jobs).as(where).extracting(JobDetails::id).contains(id));
        finished.ifPresent(
                id -> assertThat(jobs).as(where).extracting(JobDetails::id).contains(id));
        if (cancelAnswered) {
            assertThat(walked.job(canceled.get()).status()).as(where).isEqualTo(JobStatus.CANCELED);
        }
        if (endAcknowledged) {
            assertThat(walked.job(finished.get()).status()).as(where).isEqualTo(JobStatus.FINISHED);
            assertThat(walked.cluster.created)
                    .as(where)
                    .containsEntry(finished.get().value(), 1);
        } else if (finished.isPresent()) {
            assertThat(walked.job(finished.get()).status().isTerminal() || walked.cluster.runs(finished.get()))
                    .as(where)
                    .isTrue();
        }
        JobId next = walked.submit(JOB);
        long place = walked.job(next).submissionIndex();
        assertThat(before).as(where).noneMatch(start -> start.graph().submissionIndex() >= place);
        assertThat(jobs).as(where).noneMatch(job -> job.submissionIndex() >= place);
        return changes;
    }

    private static Optional<JobId> submitted(TestControlPlane plane) {
        CompletionStage<SubmitResult> result = plane.term.jobs().submit(JOB);
        return isDone(result) ? Optional.of(((SubmitResult.Submitted) now(result)).job()) : Optional.empty();
    }

    private static boolean isDone(CompletionStage<?> stage) {
        CompletableFuture<?> future = stage.toCompletableFuture();
        return future.isDone() && !future.isCompletedExceptionally();
    }

    private static boolean reported(TestControlPlane plane, JobId id, JobStatus status) {
        return isDone(plane.gateway().jobChanged(id, plane.cluster.jobMasterId(id), plane.details(id, status)));
    }

    @Test
    void aDamagedRecordIsReportedAndBlocksNoOtherJob() throws IOException {
        JobId good = plane.submit(JOB);
        JobId torn = plane.submit(JOB);
        JobId unreadable = plane.submit(JOB);
        JobId newer = plane.submit(JOB);
        Versioned record = store.records.get(key(torn));
        store.records.put(key(torn), new Versioned(record.version(), Arrays.copyOf(record.value(), 40)));
        store.damaged.add(key(unreadable));
        byte[] other = new RecordWriter(10).bytes();
        store.records.put(key(newer), new Versioned(record.version(), other));
        plane.restartAll();

        assertThat(cluster.runs(good)).isTrue();
        assertThat(plane.jobs()).extracting(JobDetails::id).containsExactly(good, torn, unreadable, newer);
        assertThat(plane.job(torn).status()).isEqualTo(JobStatus.FAILED);
        assertThat(plane.job(torn).reason())
                .contains("cannot be read")
                .contains("is damaged")
                .contains(key(torn));
        assertThat(plane.job(torn).submissionIndex()).isEqualTo(2);
        assertThat(plane.job(unreadable).reason()).contains("cannot be read");
        assertThat(plane.job(newer).reason()).contains("has format 10").contains("reads formats 1 to 9");
        assertThat(cluster.runs(torn)).isFalse();

        store.damaged.clear();
        store.records.put(key(torn), record);
        plane.restart();
        assertThat(cluster.runs(torn)).as("the record was restored").isTrue();
        assertThat(cluster.runs(unreadable)).isTrue();
    }

    @Test
    void aJobWhoseResultIsDamagedIsNotRunAgain() throws IOException {
        JobId id = plane.submit(JOB);
        plane.report(id, JobStatus.EXECUTING);
        plane.report(id, JobStatus.FINISHED);
        store.damaged.add(key(id));
        plane.restart();

        assertThat(plane.job(id).status()).isEqualTo(JobStatus.FAILED);
        assertThat(cluster.created).containsEntry(id.value(), 1);
    }

    @Test
    void aLostOrderOfSubmissionOnlyBlocksNewJobs() throws IOException {
        JobId id = plane.submit(JOB);
        store.damaged.add(Submissions.KEY);
        plane.restartAll();

        assertThat(cluster.runs(id)).isTrue();
        assertThat(failure(plane.term.jobs().submit(JOB)))
                .contains(Submissions.KEY)
                .contains("restore the record");
        plane.report(id, JobStatus.FINISHED);
        assertThat(plane.job(id).status()).isEqualTo(JobStatus.FINISHED);

        store.damaged.clear();
        store.records.remove(Submissions.KEY);
        plane.restart();
        assertThat(plane.job(plane.submit(JOB)).submissionIndex())
                .as("no place is used twice")
                .isGreaterThan(100);
    }

    @Test
    void f40_aFullDiskRefusesJobsAndLosesNothing() throws IOException {
        JobId id = plane.submit(JOB);
        plane.report(id, JobStatus.EXECUTING);
        store.full = true;

        assertThat(failure(plane.term.jobs().submit(JOB)))
                .contains("no space left")
                .contains("nothing was submitted");
        assertThat(plane.jobs()).extracting(JobDetails::id).containsExactly(id);
        CompletableFuture<Acknowledge> ended = plane.gateway()
                .jobChanged(id, cluster.jobMasterId(id), plane.details(id, JobStatus.FINISHED))
                .toCompletableFuture();
        CompletableFuture<Acknowledge> again = plane.gateway()
                .jobChanged(id, cluster.jobMasterId(id), plane.details(id, JobStatus.FINISHED))
                .toCompletableFuture();
        assertThat(ended).as("its JobMaster waits until the result is stored").isNotDone();
        assertThat(plane.job(id).status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(plane.job(id).reason()).contains("has ended (Finished)").contains("no space left");

        store.full = false;
        plane.timers.jump(200);
        assertThat(ended).isCompleted();
        assertThat(again).isCompleted();
        assertThat(plane.job(id).status()).isEqualTo(JobStatus.FINISHED);
        assertThat(plane.job(plane.submit(JOB)).submissionIndex()).isEqualTo(2);
        assertThat(store.records.keySet().stream().filter(key -> key.startsWith(JobKey.LIVE)))
                .hasSize(1);
    }

    @Test
    void aCancelThatCannotBeStoredIsForwardedAndReported() throws IOException {
        JobId id = plane.submit(JOB);
        store.full = true;

        assertThat(failure(plane.term.jobs().cancel(id, "by hand")))
                .contains("is being canceled")
                .contains("no space");
        assertThat(cluster.canceled).containsEntry(id.value(), "by hand");
    }

    @Test
    void aRefusedJobDoesNotComeBackWhenItsRecordWasStored() throws IOException {
        for (int failing = 1; failing <= 2; failing++) {
            store.failAfter = store.changes + failing;
            assertThat(failure(plane.term.jobs().submit(JOB))).contains("nothing was submitted");
            plane.restart();
            assertThat(plane.jobs()).isEmpty();
        }
        assertThat(cluster.started).isEmpty();
        JobId id = plane.submit(JOB);
        assertThat(plane.job(id).submissionIndex()).as("no place is used twice").isEqualTo(2);
    }

    @Test
    void aJobTooLargeForTheStoreIsRefusedLikeABadDescription() {
        store.maxValueBytes = 100;

        SubmitResult result = now(plane.term.jobs().submit(JOB));

        assertThat(result).isInstanceOf(SubmitResult.Refused.class);
        assertThat(((SubmitResult.Refused) result).problems().get(0).toString()).contains("at most 100");
        assertThat(store.records.keySet()).containsExactly(Submissions.KEY);
    }

    @Test
    void callsFailWhileTheStoreCannotBeRead() throws IOException {
        JobId id = plane.submit(JOB);
        store.unreadable = true;
        plane.restart();

        assertThat(plane.term.jobs().isReady()).isFalse();
        assertThat(failure(plane.term.jobs().jobs()))
                .contains("the disk does not answer")
                .contains("tries again");
        assertThat(failure(plane.term.jobs().submit(JOB))).contains("the disk does not answer");
        assertThat(failure(plane.gateway()
                        .jobChanged(id, cluster.jobMasterId(id), plane.details(id, JobStatus.EXECUTING))))
                .as("its JobMaster reports again, and is not canceled")
                .contains("does not answer");
        assertThat(cluster.canceled).isEmpty();

        store.unreadable = false;
        plane.timers.jump(5_000);
        assertThat(plane.term.jobs().isReady()).isTrue();
        assertThat(plane.jobs()).extracting(JobDetails::id).containsExactly(id);
        plane.term.close();
        assertThat(plane.term.jobs().isReady()).isFalse();
    }

    @Test
    void keepsTheConfiguredNumberOfResults() throws IOException {
        plane.settings = new DispatcherSettings(2, true, 2_000);
        plane.term.configure(plane.settings);
        JobId last = null;
        for (int i = 0; i < 4; i++) {
            last = plane.submit(JOB);
            plane.report(last, JobStatus.FINISHED);
        }
        assertThat(store.records.keySet().stream().filter(key -> key.startsWith(JobKey.ENDED)))
                .hasSize(2);

        plane.settings = new DispatcherSettings(1, true, 2_000);
        plane.restart();
        assertThat(plane.jobs()).extracting(JobDetails::id).containsExactly(last);
        assertThat(store.records.keySet().stream().filter(key -> key.startsWith(JobKey.ENDED)))
                .hasSize(1);
    }

    @Test
    void bundlesOfLiveJobsSurviveARestart() throws IOException {
        byte[] content = TestBundles.bundle("words", "word-source");
        String hash = TestBundles.hash(content);
        plane.term.jobs().storeBundle(hash, new ByteArrayInputStream(content));
        plane.submit("{name: j, bundles: [" + hash + "], vertices: [{name: a, operator: word-source}]}");
        plane.restart();
        plane.timers.jump(10_000_000);

        assertThat(now(plane.gateway().readBundle(hash, 0, 1 << 20)).content()).isEqualTo(content);
    }

    @Test
    void f14_aDispatcherThatNoLongerLeadsAcceptsNothing() throws IOException {
        var zombie = plane.term;
        plane.start();
        int records = store.records.size();

        assertThat(failure(zombie.jobs().submit(JOB))).contains("no longer leads");

        assertThat(store.records).hasSize(records);
        assertThat(plane.job(plane.submit(JOB)).submissionIndex()).isEqualTo(1);
    }

    @Test
    void f14_aDispatcherThatNoLongerLeadsCancelsNothing() throws IOException {
        JobId id = plane.submit(JOB);
        var zombie = plane.term;
        plane.start();

        assertThat(failure(zombie.jobs().cancel(id, "at the wrong one"))).contains("no longer leads");

        assertThat(cluster.canceled).isEmpty();
        plane.restart();
        assertThat(cluster.canceled).isEmpty();
    }

    @Test
    void f14_aDispatcherThatNoLongerLeadsEndsNothing() throws IOException {
        JobId id = plane.submit(JOB);
        plane.report(id, JobStatus.EXECUTING);
        var zombie = plane.gateway();
        plane.start();

        assertThat(failure(zombie.jobChanged(id, cluster.jobMasterId(id), plane.details(id, JobStatus.FAILED))))
                .as("its JobMaster repeats the report and finds the new Dispatcher")
                .contains("no longer leads");

        assertThat(store.records.keySet()).noneMatch(key -> key.startsWith(JobKey.ENDED));
        assertThat(plane.job(id).status()).isEqualTo(JobStatus.EXECUTING);
    }

    @Test
    void anOlderDispatcherDoesNotStartAfterANewerOne() throws IOException {
        plane.epoch = 5;
        plane.restart();
        plane.epoch = 3;
        plane.restart();

        assertThat(failure(plane.term.jobs().jobs()))
                .contains("no longer leads")
                .contains(Submissions.KEY);
    }

    @Test
    void aRestartThatCannotBeStoredWaits() throws IOException {
        JobId id = plane.submit(JOB);
        store.full = true;
        cluster.lead();

        assertThat(cluster.runs(id)).isFalse();
        assertThat(plane.job(id).reason()).contains("cannot be stored").contains("no space left");
        store.full = false;
        plane.timers.jump(5_000);
        assertThat(cluster.runs(id)).isTrue();
    }

    @Test
    void aJobMasterWhoseStartWasAnsweredLateIsFound() {
        cluster.answerFailure = Optional.of(new RpcException(RpcException.Kind.DEADLINE, "no answer in time"));
        JobId id = plane.submit(JOB);
        cluster.answerFailure = Optional.empty();
        plane.timers.jump(200);

        assertThat(cluster.created).containsEntry(id.value(), 1);
        plane.report(id, JobStatus.EXECUTING);
        assertThat(plane.job(id).status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(plane.job(id).restarts()).isZero();
    }
}
