package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.edge;
import static io.berth.core.scheduler.Jobs.graph;
import static io.berth.core.scheduler.Jobs.vertex;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.TaskExecutorGateway.Commit;
import io.berth.core.api.job.JobFailure;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.SplitPart;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import io.berth.core.api.task.TaskState;
import io.berth.spi.AllocationId;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A job of three pipelines that exchange nothing: read[i] -> write[i], in slots of two groups. */
class FailingRegionsTest {

    private final Harness harness = new Harness();
    private FakeWorker readers;
    private FakeWorker writers;

    @BeforeEach
    void run() {
        harness.start(graph(
                List.of(vertex("read", 1, 3, "in"), vertex("write", 1, 3, "out")),
                List.of(edge("read", "write", Partitioning.FORWARD))));
        readers = harness.worker("w1");
        writers = harness.worker("w2");
        readers.offer(1, 3, "in", SLOT);
        writers.offer(4, 6, "out", SLOT);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
    }

    private AttemptId attempt(String chain, int subtask, int restart) {
        AttemptId attempt = harness.attempt(chain, subtask, 1);
        for (int again = 0; again < restart; again++) {
            attempt = attempt.next();
        }
        return attempt;
    }

    private FakeWorker worker(String chain) {
        return chain.equals("read") ? readers : writers;
    }

    private void fail(String chain, int subtask, int restart, String cause) {
        worker(chain).fail(attempt(chain, subtask, restart), cause, false);
    }

    @Test
    void c135_onlyTheRegionOfTheTaskIsRestarted() {
        fail("write", 1, 0, "disk full");
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.details().reason())
                .isEqualTo("restarts 2 of 6 tasks: task write[1] of execution 1 on worker w2 failed: disk full");
        assertThat(readers.canceled).containsExactly(attempt("read", 1, 0));
        assertThat(writers.canceled).isEmpty();
        harness.time.advance(199);
        assertThat(harness.tasks()).hasSize(4);
        harness.time.advance(1);
        assertThat(harness.tasks().keySet())
                .containsExactlyInAnyOrder(
                        attempt("read", 0, 0),
                        attempt("read", 1, 1),
                        attempt("read", 2, 0),
                        attempt("write", 0, 0),
                        attempt("write", 1, 1),
                        attempt("write", 2, 0));
        assertThat(writers.deployments
                        .get(attempt("write", 1, 1))
                        .inputs()
                        .get(0)
                        .producers())
                .extracting(producer -> producer.partition().producer())
                .containsExactly(attempt("read", 1, 1));
        assertThat(harness.details().reason()).isEmpty();
        assertThat(harness.lastReport().reason())
                .as("the Dispatcher knows that it is over")
                .isEmpty();
        assertThat(harness.details().restarts()).as("the job was not restarted").isZero();
        assertThat(harness.details().events().rescales()).isEmpty();
        assertThat(harness.details().events().failures()).singleElement().satisfies(failure -> {
            assertThat(failure.cause().task()).isEqualTo("write[1]");
            assertThat(failure.others()).as("canceled on purpose").isEmpty();
        });
    }

    @Test
    void aRegionThatFailsAgainAfterItsRestartHasASecondEntryInTheHistory() {
        fail("write", 1, 0, "disk full");
        harness.time.advance(200);
        fail("write", 1, 1, "disk still full");
        assertThat(harness.details().events().failures())
                .extracting(failure -> failure.cause().text())
                .satisfiesExactly(
                        first -> assertThat(first).endsWith("disk full"),
                        second -> assertThat(second).endsWith("disk still full"));
    }

    @Test
    void theJobFinishesWithTheLastAttempts() {
        fail("write", 1, 0, "disk full");
        harness.time.advance(200);
        for (int subtask = 0; subtask < 3; subtask++) {
            readers.update(attempt("read", subtask, subtask == 1 ? 1 : 0), TaskState.FINISHED);
        }
        for (int subtask = 0; subtask < 3; subtask++) {
            writers.ready(
                    attempt("write", subtask, subtask == 1 ? 1 : 0),
                    new Committable("write", new byte[] {(byte) subtask}));
        }
        Commit commit = writers.commits.get(0);
        assertThat(commit.committables()).hasSize(3);
        writers.update(commit.attempt(), TaskState.FINISHED);
        harness.finishAll();
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FINISHED);
    }

    @Test
    void aRegionThatWasFinishedButForOneTaskReadsItsSplitsAgain() {
        harness.jobMaster()
                .reportSplits(attempt("read", 0, 0), "read", new SplitPart(0, List.of(new byte[] {7}), true));
        assertThat(split(attempt("read", 1, 0), 1)).isEqualTo(7);
        readers.update(attempt("read", 1, 0), TaskState.FINISHED);
        fail("write", 1, 0, "disk full");
        assertThat(readers.canceled).as("it had finished").isEmpty();
        harness.time.advance(200);
        assertThat(split(attempt("read", 1, 1), 1)).isEqualTo(7);
    }

    private int split(AttemptId task, int number) {
        SplitAnswer answer = Harness.now(harness.jobMaster().nextSplit(task, "read", number));
        return answer instanceof SplitAnswer.Assigned assigned ? assigned.split()[0] : -1;
    }

    @Test
    void lateReportsOfTheFormerAttemptHaveNoEffect() {
        fail("write", 1, 0, "disk full");
        harness.time.advance(200);
        fail("write", 1, 0, "again");
        fail("read", 1, 0, "late");
        harness.time.advance(1_000);
        assertThat(failures()).isEqualTo(1);
        assertThat(harness.tasks()).hasSize(6);
    }

    private int failures() {
        return harness.details().events().failures().size();
    }

    @Test
    void twoRegionsFailAndReturnIndependently() {
        fail("write", 0, 0, "disk full");
        harness.time.advance(100);
        fail("read", 2, 0, "no such file");
        harness.time.advance(100);
        assertThat(harness.tasks().keySet())
                .contains(attempt("write", 0, 1), attempt("write", 1, 0))
                .doesNotContain(attempt("read", 2, 1));
        harness.time.advance(100);
        assertThat(harness.tasks().keySet()).contains(attempt("read", 2, 1), attempt("write", 2, 1));
        assertThat(harness.details().events().failures())
                .as("two causes")
                .extracting(failure -> failure.cause().task())
                .containsExactly("write[0]", "read[2]");
    }

    @Test
    void aConsequenceWaitsForItsCauseInTheSameRegion() {
        writers.fail(attempt("write", 1, 0), "connection broken", true);
        harness.time.advance(100);
        assertThat(harness.details().reason()).isEmpty();
        fail("read", 1, 0, "no such file");
        assertThat(harness.details().reason()).endsWith("failed: no such file");
        harness.time.advance(200);
        assertThat(harness.tasks().keySet()).contains(attempt("write", 1, 1));
        harness.time.advance(10_000);
        assertThat(harness.tasks().keySet())
                .as("the wait for the cause is over")
                .contains(attempt("write", 1, 1));
        assertThat(harness.details().events().failures())
                .singleElement()
                .extracting(JobFailure::othersInAll)
                .isEqualTo(1);
    }

    @Test
    void aConsequenceWithoutACauseRestartsItsRegionToo() {
        writers.fail(attempt("write", 1, 0), "connection broken", true);
        harness.time.advance(300 + 200);
        assertThat(harness.tasks().keySet()).contains(attempt("write", 1, 1), attempt("write", 0, 0));
    }

    @Test
    void aLostSlotRestartsTheJob() {
        harness.jobMaster().failSlot(writers.id, writers.session, new AllocationId(1, 5), "freed");
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
    }

    @Test
    void aSlotThatIsLostWhileItsRegionIsRestartedRestartsTheJob() {
        fail("write", 1, 0, "disk full");
        harness.jobMaster().failSlot(writers.id, writers.session, new AllocationId(1, 5), "freed");
        assertThat(harness.status()).as("no task runs in it").isEqualTo(JobStatus.EXECUTING);
        harness.time.advance(200);
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        assertThat(harness.details().reason())
                .isEqualTo(
                        "task write[1] of execution 1 on worker w2 failed: disk full; its tasks cannot stay in their slots");
    }

    @Test
    void tasksThatDoNotEndRestartTheJobWhichGivesUpTheirSlots() {
        readers.ignoresCancel = true;
        fail("write", 1, 0, "disk full");
        harness.time.advance(29_999);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        harness.time.advance(1);
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        assertThat(harness.details().reason())
                .endsWith("failed: disk full; tasks have not ended within 30000 ms of their cancellation");
        assertThat(readers.freed).as("at once").containsExactly(new AllocationId(1, 2));
    }

    @Test
    void aRegionThatFailsAgainAndAgainFailsTheJob() {
        for (int restart = 0; restart <= 10; restart++) {
            assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
            fail("write", 1, restart, "disk full");
            harness.time.advance(15_000);
        }
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FAILED);
        assertThat(harness.lastReport().reason())
                .startsWith("failed again after 10 restarts without progress: task write[1]");
    }

    @Test
    void eachRegionHasRestartsOfItsOwn() {
        for (int restart = 0; restart < 10; restart++) {
            for (int subtask = 0; subtask < 3; subtask++) {
                fail("write", subtask, restart, "disk full");
            }
            harness.time.advance(15_000);
        }
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.details().restarts()).isZero();
        assertThat(harness.details().history())
                .as("restarts in a row are one entry")
                .hasSizeLessThan(10)
                .last()
                .satisfies(last -> assertThat(last.reason()).endsWith("; 29 such restarts before it"));
    }

    @Test
    void aPermanentFailureFailsTheJob() {
        writers.fail(attempt("write", 1, 0), "no such directory", FailureKind.PERMANENT);
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FAILED);
    }

    @Test
    void theLossOfAWorkerWhileARegionIsRestartedRestartsTheJob() {
        fail("write", 1, 0, "disk full");
        harness.giveUp(writers, "killed");
        writers.tasks.clear();
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        FakeWorker other = harness.worker("w3");
        other.offer(7, 9, "out", SLOT);
        harness.time.advance(60_000);
        assertThat(harness.tasks().keySet())
                .as("no timer of the region has an effect later")
                .hasSize(6)
                .allSatisfy(attempt -> assertThat(attempt.execution()).isEqualTo(2))
                .allSatisfy(attempt -> assertThat(attempt.restart()).isZero());
    }

    @Test
    void aSlotOnABlockedWorkerIsNotUsedAgain() {
        harness.jobMaster().blockWorkers(harness.resourceManagerId(), 1, List.of(writers.id), List.of());
        fail("write", 1, 0, "disk full");
        harness.time.advance(200);
        assertThat(harness.status()).isNotEqualTo(JobStatus.EXECUTING);
        assertThat(harness.details().restarts()).isEqualTo(1);
    }

    @Test
    void aSlotThatWasLostAndOfferedAgainIsAnotherOne() {
        fail("write", 1, 0, "disk full");
        harness.jobMaster().failSlot(writers.id, writers.session, new AllocationId(1, 5), "freed");
        writers.offer(5, 5, "out", SLOT);
        harness.time.advance(200);
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
    }

    @Test
    void nothingIsCommittedWhileARegionIsRestarted() {
        readers.ignoresCancel = true;
        for (int subtask = 0; subtask < 3; subtask++) {
            readers.update(attempt("read", subtask, 0), TaskState.FINISHED);
        }
        fail("write", 1, 0, "disk full");
        writers.ready(attempt("write", 0, 0), new Committable("write", new byte[1]));
        writers.ready(attempt("write", 2, 0), new Committable("write", new byte[1]));
        assertThat(writers.commits).isEmpty();
        harness.time.advance(200);
        assertThat(writers.commits).isEmpty();
        readers.update(attempt("read", 1, 1), TaskState.FINISHED);
        writers.ready(attempt("write", 1, 1), new Committable("write", new byte[1]));
        assertThat(writers.commits).hasSize(1);
        assertThat(writers.commits.get(0).committables()).hasSize(3);
    }

    @Test
    void aTaskThatIsNoLongerThereWhileItIsEndedRestartsOnlyItsRegion() {
        readers.ignoresCancel = true;
        fail("write", 1, 0, "disk full");
        readers.tasks.remove(attempt("read", 1, 0));
        harness.time.advance(5_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.tasks().keySet()).contains(attempt("read", 1, 1), attempt("write", 0, 0));
    }

    @Test
    void aPeerThatNeverEndsDoesNotKeepTheJobFromFailing() {
        for (int round = 1; round <= 11 && harness.lastReport().status() != JobStatus.FAILED; round++) {
            assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
            long execution = harness.tasks().lastKey().execution();
            FakeWorker reader = harness.tasks().get(harness.attempt("read", 1, execution));
            reader.ignoresCancel = true;
            harness.tasks()
                    .get(harness.attempt("write", 1, execution))
                    .fail(harness.attempt("write", 1, execution), "disk full", false);
            harness.time.advance(30_000);
            if (harness.lastReport().status() == JobStatus.FAILED) {
                break;
            }
            reader.ignoresCancel = false;
            reader.tasks.clear();
            FakeWorker more = harness.worker("r" + round);
            more.offer(20 + round, 20 + round, "in", SLOT);
            harness.time.advance(40_000);
        }
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FAILED);
    }
}
