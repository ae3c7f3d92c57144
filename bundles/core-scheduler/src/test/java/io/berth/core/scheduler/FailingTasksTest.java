package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.berth.core.api.gateway.TaskExecutorGateway.Commit;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentVerdict;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskState;
import io.berth.spi.AllocationId;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailingTasksTest {

    private final Harness harness = new Harness();
    private FakeWorker first;
    private FakeWorker second;

    @BeforeEach
    void run() {
        harness.start(wordCount(1, 2));
        first = harness.worker("w1");
        second = harness.worker("w2");
        first.offer(1, 1, "default", SLOT);
        second.offer(2, 2, "default", SLOT);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
    }

    @Test
    void restartsFromTheBeginningWithANewExecutionNumber() {
        first.fail(harness.attempt("source", 0, 1), "no such file", false);
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        assertThat(harness.details().reason())
                .isEqualTo("task source[0] of execution 1 on worker w1 failed: no such file");
        harness.time.advance(199);
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        harness.time.advance(1);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.tasks().keySet())
                .hasSize(4)
                .allSatisfy(attempt -> assertThat(attempt.execution()).isEqualTo(2));
    }

    @Test
    void c121_ignoresUpdatesOfAnEarlierExecution() {
        first.fail(harness.attempt("source", 0, 1), "no such file", false);
        harness.time.advance(200);
        first.fail(harness.attempt("source", 0, 1), "again", false);
        first.fail(harness.attempt("count", 0, 1), "late", false);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.details().restarts()).isEqualTo(1);
    }

    @Test
    void c121_ignoresUpdatesOfAWorkerThatDoesNotRunTheTask() {
        second.fail(harness.attempt("source", 0, 1), "not mine", false);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
    }

    @Test
    void reportsARootCauseThatArrivesAfterItsConsequence() {
        second.fail(harness.attempt("count", 1, 1), "connection broken", true);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        harness.time.advance(100);
        first.fail(harness.attempt("source", 0, 1), "no such file", false);
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        assertThat(harness.details().reason()).endsWith("failed: no such file");
    }

    @Test
    void reportsTheConsequenceWhenNoRootCauseArrives() {
        second.fail(harness.attempt("count", 1, 1), "connection broken", true);
        harness.time.advance(300);
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        assertThat(harness.details().reason()).endsWith("failed: connection broken");
    }

    @Test
    void reportsTheLossOfAWorkerInsteadOfItsConsequence() {
        first.away = true;
        second.fail(harness.attempt("count", 1, 1), "connection broken", true);
        harness.time.advance(300);
        harness.giveUp(first, "killed");
        assertThat(harness.details().reason()).isEqualTo("worker w1 was lost: killed");
        assertThat(harness.lastReport().history())
                .filteredOn(transition -> transition.status() == JobStatus.RESTARTING)
                .singleElement()
                .satisfies(transition -> assertThat(transition.reason()).isEqualTo("worker w1 was lost: killed"));
    }

    @Test
    void lostWorkersDoNotUseUpRestartsWhenTheirPeersReportFirst() {
        for (int round = 1; round <= 12; round++) {
            assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
            // The tasks alternate: a task that loses its worker each time would be blamed.
            int lost = round % 2;
            FakeWorker killed = harness.tasks().get(harness.attempt("count", lost, round));
            FakeWorker peer = harness.tasks().get(harness.attempt("count", 1 - lost, round));
            killed.away = true;
            peer.fail(harness.attempt("count", 1 - lost, round), "connection broken", true);
            harness.time.advance(300);
            assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
            harness.giveUp(killed, "killed");
            killed.tasks.clear();
            harness.worker("v" + round).offer(round + 10, round + 10, "default", SLOT);
            harness.time.advance(15_000);
        }
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.details().restarts()).isEqualTo(12);
    }

    @Test
    void consequencesWithoutARootCauseUseUpTheRestarts() {
        for (int execution = 1; execution <= 11; execution++) {
            assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
            second.fail(harness.attempt("count", 1, execution), "connection broken", true);
            harness.time.advance(15_000);
        }
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FAILED);
        assertThat(harness.lastReport().reason())
                .startsWith("failed again after 10 restarts without progress: task count[1]")
                .endsWith("connection broken");
    }

    @Test
    void aTaskThatEndsItsWorkerEachTimeFailsTheJob() {
        Harness other = new Harness();
        other.start(wordCount(1, 1));
        for (int execution = 1; execution <= 11; execution++) {
            FakeWorker worker = other.worker("w" + execution);
            worker.offer(execution, execution, "default", SLOT);
            assertThat(other.status()).isEqualTo(JobStatus.EXECUTING);
            other.giveUp(worker, "it ended with exit code 3");
            other.time.advance(15_000);
        }
        assertThat(other.lastReport().status()).isEqualTo(JobStatus.FAILED);
        assertThat(other.lastReport().reason())
                .isEqualTo("task count[0] has lost its worker in 11 executions in a row, so it may be what ends them,"
                        + " by an OutOfMemoryError or System.exit: see the logs of these workers"
                        + " (task.worker.kills.max is 10): worker w11 was lost: it ended with exit code 3");
    }

    @Test
    void aTaskWhoseWorkerEndsAfterLongRunsIsNotBlamed() {
        Harness other = new Harness();
        other.start(wordCount(1, 1));
        for (int execution = 1; execution <= 20; execution++) {
            FakeWorker worker = other.worker("w" + execution);
            worker.offer(execution, execution, "default", SLOT);
            other.time.advance(60_000);
            assertThat(other.status()).isEqualTo(JobStatus.EXECUTING);
            other.giveUp(worker, "killed");
            other.time.advance(15_000);
        }
        assertThat(other.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
    }

    @Test
    void failsAfterTooManyRestartsWithoutProgress() {
        for (int execution = 1; execution <= 11; execution++) {
            assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
            first.fail(harness.attempt("source", 0, execution), "bad record", false);
            harness.time.advance(10_000);
        }
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FAILED);
        assertThat(harness.lastReport().reason())
                .isEqualTo("failed again after 10 restarts without progress: "
                        + "task source[0] of execution 11 on worker w1 failed: bad record");
        assertThat(harness.lastReport().restarts()).isEqualTo(10);
        assertThat(first.disconnected).containsExactly(true);
    }

    @Test
    void aPermanentFailureFailsTheJobAtOnceWithItsCause() {
        first.fail(harness.attempt("source", 0, 1), "no such file", FailureKind.PERMANENT);
        harness.time.advance(1_000);
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FAILED);
        assertThat(harness.lastReport().restarts()).isZero();
        assertThat(harness.lastReport().reason())
                .isEqualTo("not restarted, another attempt would fail in the same way: "
                        + "task source[0] of execution 1 on worker w1 failed: no such file");
    }

    @Test
    void aPermanentFailureThatArrivesAfterItsConsequenceFailsTheJob() {
        first.ignoresCancel = true;
        second.fail(harness.attempt("count", 1, 1), "connection broken", true);
        harness.time.advance(300);
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        first.fail(harness.attempt("source", 0, 1), "no such file", FailureKind.PERMANENT);
        harness.time.advance(60_000);
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FAILED);
        assertThat(harness.lastReport().reason()).endsWith("failed: no such file");
    }

    @Test
    void c121_aRefusedDeploymentRestartsTheJob() {
        first.refusal = "the slot is not allocated";
        first.fail(harness.attempt("source", 0, 1), "x", false);
        harness.time.advance(200);
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        assertThat(harness.details().reason())
                .startsWith("worker w1 refused task")
                .endsWith("the slot is not allocated");
    }

    /** A job whose worker refuses more deployments than the job has restarts. */
    private Harness refusedRepeatedly(DeploymentVerdict verdict) {
        Harness other = new Harness();
        other.start(wordCount(1, 1));
        FakeWorker worker = other.worker("w1");
        worker.refusal = "no";
        worker.refusing = verdict;
        for (int slot = 1; slot <= 12; slot++) {
            worker.register();
            worker.offer(slot, slot, "default", SLOT);
            other.time.advance(15_000);
        }
        return other;
    }

    @Test
    void aSlotThatItsWorkerDoesNotOwnIsDroppedAndCountsAsNoFailureOfTheJob() {
        Harness other = refusedRepeatedly(DeploymentVerdict.SLOT_NOT_OWNED);
        FakeWorker worker = other.workers.get(0);
        assertThat(other.details().restarts()).isEqualTo(12);
        assertThat(other.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
        assertThat(other.details().slots()).isEmpty();
        assertThat(worker.disconnected)
                .as("disconnected with its last slot")
                .hasSize(12)
                .containsOnly(false);
        worker.refusal = "";
        worker.register();
        worker.offer(13, 13, "default", SLOT);
        assertThat(other.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(worker.deployments.keySet()).extracting(AttemptId::execution).containsOnly(13L);
    }

    @Test
    void aTemporarilyRefusedDeploymentCountsAsNoFailureOfTheJob() {
        Harness other = refusedRepeatedly(DeploymentVerdict.NOT_NOW);
        other.workers.get(0).refusal = "";
        other.time.advance(15_000);
        assertThat(other.details().restarts()).isGreaterThan(10);
        assertThat(other.status()).isEqualTo(JobStatus.EXECUTING);
    }

    @Test
    void aDeploymentThatTheWorkerCannotRunCountsAsAFailureOfTheJob() {
        Harness other = new Harness();
        other.start(wordCount(1, 1));
        FakeWorker worker = other.worker("w1");
        worker.refusal = "no";
        worker.offer(1, 1, "default", SLOT);
        other.time.advance(120_000);
        assertThat(other.lastReport().status()).isEqualTo(JobStatus.FAILED);
        assertThat(other.lastReport().restarts()).isEqualTo(10);
    }

    @Test
    void returnsSlotsWhoseTasksDoNotEnd() {
        second.ignoresCancel = true;
        first.fail(harness.attempt("source", 0, 1), "x", false);
        harness.time.advance(29_999);
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        harness.time.advance(1);
        assertThat(second.freed).containsExactly(new AllocationId(1, 2));
        harness.time.advance(3_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.details().slots()).hasSize(1);
    }

    @Test
    void commitsAChainInItsFirstTaskBeforeItsOtherTasksEnd() {
        readyToCommit();
        assertThat(second.commits).isEmpty();
        assertThat(first.commits).hasSize(1);
        assertThat(first.commits.get(0).attempt()).isEqualTo(harness.attempt("count", 0, 1));
        assertThat(first.commits.get(0).committables())
                .extracting(committable -> committable.content()[0])
                .containsExactly((byte) 0, (byte) 1);

        first.update(harness.attempt("count", 0, 1), TaskState.FINISHED);
        assertThat(second.commits)
                .extracting(Commit::attempt, Commit::committables)
                .containsExactly(tuple(harness.attempt("count", 1, 1), List.of()));
        second.update(harness.attempt("count", 1, 1), TaskState.FINISHED);
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FINISHED);
    }

    @Test
    void repeatsACommitThatAWorkerMayHaveReceivedTooLate() {
        harness.time.advance(20_000);
        long heard = first.reports.get(first.reports.size() - 1);
        first.wasPaused = true;
        readyToCommit();
        assertThat(first.commits).extracting(Commit::heartbeat).containsExactly(heard);
        first.wasPaused = false;
        harness.time.advance(20_000);
        assertThat(first.commits).extracting(Commit::attempt).containsOnly(harness.attempt("count", 0, 1));
        assertThat(first.commits).as("the second one was in time").hasSize(2);
    }

    @Test
    void endsTheOtherTasksOfAChainOnlyAfterTheCommitOfThatChain() {
        Harness other = new Harness();
        other.start(Jobs.graph(
                List.of(Jobs.vertex("left", 2, 2, "default"), Jobs.vertex("right", 2, 2, "default")), List.of()));
        FakeWorker worker = other.worker("w1");
        worker.offer(1, 2, "default", SLOT);
        for (int subtask = 0; subtask < 2; subtask++) {
            worker.ready(other.attempt("left", subtask, 1));
            worker.ready(other.attempt("right", subtask, 1));
        }
        worker.update(other.attempt("left", 0, 1), TaskState.FINISHED);
        assertThat(worker.commits)
                .extracting(Commit::attempt)
                .containsExactly(
                        other.attempt("left", 0, 1), other.attempt("right", 0, 1), other.attempt("left", 1, 1));
    }

    @Test
    void ignoresAnUpdateThatArrivesAfterANewerOne() {
        first.update(harness.attempt("source", 0, 1), TaskState.FINISHED);
        second.update(harness.attempt("source", 1, 1), TaskState.FINISHED);
        first.ready(harness.attempt("count", 0, 1));
        first.update(harness.attempt("count", 0, 1), TaskState.RUNNING);
        second.ready(harness.attempt("count", 1, 1));
        assertThat(first.commits).hasSize(1);
    }

    private void readyToCommit() {
        first.update(harness.attempt("source", 0, 1), TaskState.FINISHED);
        second.update(harness.attempt("source", 1, 1), TaskState.FINISHED);
        second.ready(harness.attempt("count", 1, 1), new Committable("sink", new byte[] {1}));
        assertThat(second.commits).isEmpty();
        first.ready(harness.attempt("count", 0, 1), new Committable("sink", new byte[] {0}));
    }

    @Test
    void writesEverythingAgainWhenTheCommittingWorkerIsLost() {
        readyToCommit();
        harness.giveUp(first, "killed");
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        assertThat(second.canceled).contains(harness.attempt("count", 1, 1));
        harness.time.advance(3_300);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(second.tasks.keySet()).extracting(AttemptId::execution).containsOnly(2L);
        second.ready(harness.attempt("count", 0, 2), new Committable("sink", new byte[] {2}));
        second.update(harness.attempt("source", 0, 2), TaskState.FINISHED);
        assertThat(second.commits)
                .last()
                .satisfies(commit -> assertThat(commit.attempt()).isEqualTo(harness.attempt("count", 0, 2)));
    }

    @Test
    void losingATaskAfterTheCommitDoesNotRestartTheJob() {
        readyToCommit();
        first.update(harness.attempt("count", 0, 1), TaskState.FINISHED);
        harness.giveUp(second, "killed");
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FINISHED);
        assertThat(harness.lastReport().restarts()).isZero();
    }

    @Test
    void aTaskWhoseCommitFailedKeepsItsSlotUntilItsWorkerReportsItsEnd() {
        first.failsCommits = true;
        first.ignoresCancel = true;
        readyToCommit();
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        assertThat(first.canceled).contains(harness.attempt("count", 0, 1));
        harness.time.advance(10_000);
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        first.update(harness.attempt("count", 0, 1), TaskState.CANCELED);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.lastReport().history())
                .filteredOn(transition -> transition.status() == JobStatus.RESTARTING)
                .last()
                .satisfies(transition -> assertThat(transition.reason()).endsWith("failed: no commits now"));
    }

    @Test
    void doesNotWaitForATaskWhoseDeploymentFailedAndThatIsNotReported() {
        first.fail(harness.attempt("source", 0, 1), "no such file", false);
        first.away = true;
        harness.time.advance(200);
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        first.away = false;
        first.tasks.clear();
        harness.time.advance(3_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
    }

    @Test
    void repeatsALostCommit() {
        first.update(harness.attempt("source", 0, 1), TaskState.FINISHED);
        second.update(harness.attempt("source", 1, 1), TaskState.FINISHED);
        second.ready(harness.attempt("count", 1, 1));
        first.away = true;
        first.ready(harness.attempt("count", 0, 1));
        first.away = false;
        harness.time.advance(1_000);
        assertThat(first.commits).hasSize(1);
    }

    @Test
    void doesNotRescaleWhileItCommits() {
        readyToCommit();
        first.offer(7, 8, "default", SLOT);
        harness.time.advance(20_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.details().rescales()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Created", "WaitingForResources", "Executing", "Restarting", "Failing", "Canceling"})
    void canBeCanceledInEachState(String state) {
        Harness other = new Harness();
        if (state.equals("Created") || state.equals("WaitingForResources")) {
            other.policies.decides = state.equals("WaitingForResources");
            other.start(wordCount(1, 1));
        } else {
            other.start(wordCount(1, 1));
            FakeWorker worker = other.worker("w1");
            worker.offer(1, 1, "default", SLOT);
            worker.ignoresCancel = true;
            if (state.equals("Restarting")) {
                worker.fail(other.attempt("source", 0, 1), "x", false);
                assertThat(other.status()).isEqualTo(JobStatus.RESTARTING);
            } else if (state.equals("Failing")) {
                worker.ignoresCancel = false;
                for (int execution = 1; execution <= 10; execution++) {
                    worker.fail(other.attempt("source", 0, execution), "x", false);
                    other.time.advance(10_000);
                }
                worker.ignoresCancel = true;
                worker.fail(other.attempt("source", 0, 11), "x", false);
                assertThat(other.status()).isEqualTo(JobStatus.FAILING);
            } else if (state.equals("Canceling")) {
                other.jobMaster().cancel("once");
            }
            other.jobMaster().cancel("by user");
            assertThat(other.status()).isEqualTo(JobStatus.CANCELING);
            worker.ignoresCancel = false;
            other.time.advance(1_000);
            assertThat(other.lastReport().status()).isEqualTo(JobStatus.CANCELED);
            assertThat(worker.disconnected).containsExactly(true);
            assertThat(worker.tasks).isEmpty();
            return;
        }
        other.jobMaster().cancel("by user");
        assertThat(other.lastReport().status()).isEqualTo(JobStatus.CANCELED);
        assertThat(other.lastReport().reason()).isEqualTo("by user");
    }
}
