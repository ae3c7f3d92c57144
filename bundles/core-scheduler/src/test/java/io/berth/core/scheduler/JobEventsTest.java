package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobEvents;
import io.berth.core.api.job.JobFailure;
import io.berth.core.api.job.JobFailure.TaskFailure;
import io.berth.core.api.job.JobRescale;
import io.berth.core.api.job.JobRescale.Change;
import io.berth.core.api.job.JobRescale.Kind;
import io.berth.core.api.job.JobRescale.Outcome;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.task.TaskState;
import io.berth.spi.AllocationId;
import org.junit.jupiter.api.Test;

/** What a job remembers of its failures and rescales. */
class JobEventsTest {

    private final Harness harness = new Harness();
    private FakeWorker first;
    private FakeWorker second;

    private void run() {
        harness.start(wordCount(1, 2));
        first = harness.worker("w1");
        second = harness.worker("w2");
        first.offer(1, 1, "default", SLOT);
        second.offer(2, 2, "default", SLOT);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
    }

    private JobEvents events() {
        return harness.details().events();
    }

    @Test
    void aFailureHasItsTaskWorkerTimeAndStackTrace() {
        run();
        long failed = harness.time.wallMillis();
        first.fail(
                harness.attempt("source", 0, 1), "no such file", "java.io.IOException: no such file\n\tat Source.open");
        harness.time.advance(200);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(events().failures()).singleElement().satisfies(failure -> {
            assertThat(failure.execution()).isEqualTo(1);
            assertThat(failure.cause())
                    .isEqualTo(new TaskFailure(
                            failed,
                            "source[0]",
                            "w1",
                            "task source[0] of execution 1 on worker w1 failed: no such file",
                            "java.io.IOException: no such file\n\tat Source.open"));
            assertThat(failure.others())
                    .as("the tasks that were canceled have not failed")
                    .isEmpty();
        });
    }

    @Test
    void failuresOfOneExecutionAreMergedUnderTheirCause() {
        run();
        second.fail(harness.attempt("count", 1, 1), "connection broken", true);
        second.fail(harness.attempt("count", 1, 1), "a repeated update", true);
        harness.time.advance(100);
        first.ignoresCancel = true;
        first.fail(harness.attempt("source", 0, 1), "no such file", false);
        first.fail(harness.attempt("count", 0, 1), "connection broken", true);
        assertThat(events().failures()).singleElement().satisfies(failure -> {
            assertThat(failure.cause().task()).isEqualTo("source[0]");
            assertThat(failure.others()).extracting(TaskFailure::task).containsExactly("count[1]", "count[0]");
            assertThat(failure.othersInAll()).isEqualTo(2);
        });
        assertThat(harness.lastReport().events().failures())
                .extracting(failure -> failure.cause().task())
                .containsExactly("source[0]");
    }

    @Test
    void tasksThatFailBecauseOthersAreCanceledForARescaleAreNoFailures() {
        harness.start(wordCount(1, 4));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 1, "default", SLOT);
        harness.time.advance(3_000);
        worker.ignoresCancel = true;
        worker.offer(2, 3, "default", SLOT);
        harness.time.advance(1_000);
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        worker.fail(harness.attempt("count", 0, 1), "its producer was canceled", true);
        worker.fail(harness.attempt("source", 0, 1), "the disk is full", false);
        assertThat(events().failures()).singleElement().satisfies(failure -> {
            assertThat(failure.cause().task()).isEqualTo("source[0]");
            assertThat(failure.othersInAll()).isZero();
        });
    }

    @Test
    void tasksThatFailBecauseOthersAreCanceledWithTheJobAreNoFailures() {
        run();
        first.ignoresCancel = true;
        second.ignoresCancel = true;
        harness.jobMaster().cancel("a user wants it");
        assertThat(harness.status()).isEqualTo(JobStatus.CANCELING);
        second.fail(harness.attempt("count", 1, 1), "its producer was canceled", true);
        assertThat(events().failures()).isEmpty();
        first.fail(harness.attempt("source", 0, 1), "the disk is full", false);
        assertThat(events().failures()).hasSize(1);
    }

    @Test
    void onlyTheLastFailuresAreKept() {
        run();
        for (int execution = 1; execution <= JobEvents.MAX_FAILURES + 1; execution++) {
            // The loss of a slot does not use up the restarts.
            AllocationId used = new AllocationId(1, execution == 1 ? 1 : 9 + execution);
            harness.jobMaster().failSlot(first.id, first.session, used, "loss " + execution);
            // It lost its last slot, and with it its registration.
            first.register();
            first.offer(10 + execution, 10 + execution, "default", SLOT);
            harness.time.advance(15_000);
            assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        }
        assertThat(events().failures())
                .extracting(JobFailure::execution)
                .hasSize(JobEvents.MAX_FAILURES)
                .startsWith(2L)
                .endsWith(JobEvents.MAX_FAILURES + 1L);
    }

    @Test
    void c129_aRescaleSaysWhoDecidedAndWhatChanged() {
        harness.start(wordCount(1, 4));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 1, "default", SLOT);
        harness.time.advance(3_000);
        worker.offer(2, 3, "default", SLOT);
        harness.time.advance(1_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(events().rescales()).singleElement().satisfies(rescale -> {
            assertThat(rescale.kind()).isEqualTo(Kind.RESCALE);
            assertThat(rescale.outcome()).isEqualTo(Outcome.DONE);
            assertThat(rescale.trigger()).isEqualTo("as many as fit");
            assertThat(rescale.policy()).contains("fake").contains("generation 1");
            assertThat(rescale.vertices()).hasSize(4).contains(new Change("count", 1, 3));
            assertThat(rescale.groups()).containsExactly(new Change("default", 1, 3));
            assertThat(rescale.phases())
                    .extracting(JobRescale.Phase::status)
                    .containsExactly(JobStatus.RESTARTING, JobStatus.CREATING_EXECUTION_GRAPH, JobStatus.EXECUTING);
        });
    }

    @Test
    void c129_aJobThatLostAWorkerAndRunsWithLessHasRescaled() {
        run();
        second.away = true;
        harness.giveUp(second, "killed");
        harness.time.advance(15_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(events().rescales()).singleElement().satisfies(rescale -> {
            assertThat(rescale.kind()).isEqualTo(Kind.FAILURE);
            assertThat(rescale.trigger()).isEqualTo("worker w2 was lost: killed");
            assertThat(rescale.vertices()).contains(new Change("count", 2, 1));
            assertThat(rescale.phases()).extracting(JobRescale.Phase::status).contains(JobStatus.WAITING_FOR_RESOURCES);
        });
    }

    @Test
    void theLastReportHasTheRescaleThatTheEndOfTheJobInterrupted() {
        harness.start(wordCount(1, 2));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 1, "default", SLOT);
        harness.time.advance(3_000);
        worker.ignoresCancel = true;
        worker.offer(2, 2, "default", SLOT);
        harness.time.advance(1_000);
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        assertThat(events().rescales()).extracting(JobRescale::outcome).containsExactly(Outcome.UNDER_WAY);
        harness.jobMaster().cancel("by the user");
        worker.tasks.keySet().stream().toList().forEach(attempt -> worker.update(attempt, TaskState.CANCELED));
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.CANCELED);
        assertThat(harness.lastReport().events().rescales())
                .extracting(JobRescale::outcome)
                .containsExactly(Outcome.JOB_ENDED);
    }
}
