package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.JobMasterGateway.NotEnoughResources;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.job.Waiting;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskState;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitingReasonsTest {

    private final Harness harness = new Harness();

    private Waiting waiting() {
        return harness.details().waiting();
    }

    private ReasonCode code() {
        return waiting().current().code();
    }

    private void sendNotice(ReasonCode code, String text) {
        sendNotice(0, code, text);
    }

    private void sendNotice(long number, ReasonCode code, String text) {
        harness.jobMaster()
                .notEnoughResources(new NotEnoughResources(
                        harness.resourceManagerId(),
                        harness.resourceManager.lastDeclaration().sequence(),
                        number,
                        0,
                        Reason.of(code, text)));
    }

    @Test
    void reportsThatNothingWasAttemptedYet() {
        harness.start(wordCount(1, 1));
        assertThat(code()).isEqualTo(ReasonCode.NOT_ATTEMPTED);
        assertThat(waiting().current().line())
                .isEqualTo("needs 1 x {1 cpu, 512 MiB}, has 0: not attempted yet: it is declared, and no decision about"
                        + " it is known");
    }

    @Test
    void keepsTheFirstKnownCauseOfTheWait() {
        harness.start(wordCount(1, 1));
        harness.time.advance(10);
        sendNotice(ReasonCode.POOL_LIMIT, "needs 1: pool limit is reached");
        long seen = waiting().firstMillis();
        harness.time.advance(10);
        sendNotice(ReasonCode.NO_MEMORY, "needs 1: no memory");
        assertThat(waiting().first().code()).isEqualTo(ReasonCode.POOL_LIMIT);
        assertThat(waiting().firstMillis()).isEqualTo(seen);
        assertThat(code()).isEqualTo(ReasonCode.NO_MEMORY);
        assertThat(waiting().currentMillis()).isEqualTo(seen + 10);
        harness.time.advance(10);
        sendNotice(ReasonCode.NO_MEMORY, "needs 1: no memory, 2 workers");
        assertThat(waiting().currentMillis()).as("the same code").isEqualTo(seen + 10);

        harness.worker("w1").offer(1, 1, "default", SLOT);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(waiting()).isEqualTo(Waiting.NOT);
    }

    @Test
    void f10_aNoticeThatArrivesAfterANewerOneIsNotShown() {
        harness.start(wordCount(1, 1));
        sendNotice(2, ReasonCode.STARTING_WORKERS, "a worker is being started");
        sendNotice(1, ReasonCode.NO_CPU, "no cpu");
        assertThat(code()).isEqualTo(ReasonCode.STARTING_WORKERS);
        sendNotice(3, ReasonCode.FULL, "full");
        assertThat(code()).isEqualTo(ReasonCode.FULL);
    }

    @Test
    void aReasonForAnEarlierDeclarationIsNotShown() {
        harness.start(wordCount(1, 1));
        sendNotice(ReasonCode.NO_CPU, "no cpu");
        harness.jobMaster().disconnectResourceManager(harness.resourceManagerId(), "it ends");
        harness.time.advance(60_000);
        assertThat(code()).isEqualTo(ReasonCode.NOT_ATTEMPTED);
        assertThat(waiting().first().code()).isEqualTo(ReasonCode.NO_CPU);
    }

    @Test
    void detectsAMissingResourceManagerWithoutAQuery() {
        harness.start(wordCount(1, 1));
        harness.resourceManager.away = true;
        harness.jobMaster().disconnectResourceManager(harness.resourceManagerId(), "it ends");
        harness.time.advance(60_000);
        harness.resourceManager.away = false;
        harness.time.advance(60_000);
        sendNotice(ReasonCode.NO_CPU, "no cpu");
        assertThat(code()).isEqualTo(ReasonCode.NO_CPU);
        assertThat(waiting().first().code()).isEqualTo(ReasonCode.NO_RESOURCE_MANAGER);
    }

    @Test
    void detectsAResourceManagerThatIsBrieflyAway() {
        harness.start(wordCount(1, 1));
        harness.time.advance(6_000);
        harness.resourceManager.away = true;
        harness.jobMaster().disconnectResourceManager(harness.resourceManagerId(), "it ends");
        harness.time.advance(200);
        harness.resourceManager.away = false;
        harness.time.advance(10_000);
        sendNotice(ReasonCode.NO_CPU, "no cpu");
        assertThat(code()).isEqualTo(ReasonCode.NO_CPU);
        assertThat(waiting().first().code()).isEqualTo(ReasonCode.NO_RESOURCE_MANAGER);
    }

    @Test
    void aJobThatWaitsWithoutWorkersRunsFewTimers() {
        harness.start(wordCount(1, 1));
        harness.time.advance(20_000);
        long before = harness.time.ran();
        harness.time.advance(60_000);
        assertThat(harness.time.ran() - before)
                .as("a round every 5 s and a report every 10 s")
                .isEqualTo(60 / 5 + 60 / 10);

        harness.worker("w1");
        long alone = harness.time.ran();
        harness.time.advance(60_000);
        assertThat(harness.time.ran() - alone).as("with a worker").isEqualTo(60 + 60 / 10);
    }

    @Test
    void reportsAMissingScalingPolicy() {
        harness.policies.decides = false;
        harness.start(wordCount(1, 1));
        assertThat(code()).isEqualTo(ReasonCode.NO_SCALING);
        assertThat(waiting().first().code()).isEqualTo(ReasonCode.NO_SCALING);
    }

    @Test
    void reportsThatItHasItsMinimumAndWaitsForMore() {
        harness.start(wordCount(1, 4));
        harness.worker("w1").offer(1, 2, "default", SLOT);
        assertThat(code()).isEqualTo(ReasonCode.STABILIZING);
        assertThat(waiting().current().line())
                .isEqualTo("the minimum is there, starts when no slot has come for 3000 ms, and within 30000 ms at"
                        + " most: needs 4 (at least 1) x {1 cpu, 512 MiB}, has 2 (not attempted yet: it is"
                        + " declared, and no decision about it is known)");
    }

    @Test
    void reportsThatSlotsAreRequested() {
        harness.start(wordCount(1, 1));
        sendNotice(ReasonCode.SLOTS_REQUESTED, "1 of 1 slots are requested");
        assertThat(code()).isEqualTo(ReasonCode.SLOTS_REQUESTED);
        assertThat(waiting().current().line())
                .isEqualTo("needs 1 x {1 cpu, 512 MiB}, has 0: 1 of 1 slots are requested");
    }

    @Test
    void aFailureIsTheFirstCauseOfTheWaitAfterIt() {
        harness.start(wordCount(1, 1));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 1, "default", SLOT);
        worker.fail(harness.attempt("source", 0, 1), "no such file", false);
        assertThat(code()).isEqualTo(ReasonCode.BACKOFF);
        assertThat(waiting().current().line()).contains("200 ms").contains("no such file");
        harness.giveUp(worker, "killed");
        harness.time.advance(1_000);
        assertThat(harness.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
        assertThat(code()).isEqualTo(ReasonCode.NOT_ATTEMPTED);
        assertThat(waiting().first().line()).contains("no such file");
    }

    @Test
    void reportsTheFailedTaskUntilTheBackoffBegins() {
        harness.start(wordCount(1, 1));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 1, "default", SLOT);
        worker.fail(harness.attempt("count", 0, 1), "connection broken", true);
        assertThat(code()).as("waits for the root cause").isEqualTo(ReasonCode.TASK_FAILED);
        harness.time.advance(400);
        assertThat(code()).isEqualTo(ReasonCode.BACKOFF);
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
    }

    @Test
    void reportsTasksThatDoNotEndAfterACancel() {
        harness.start(wordCount(1, 2));
        FakeWorker worker = harness.worker("w1");
        worker.ignoresCancel = true;
        worker.offer(1, 2, "default", SLOT);
        harness.jobMaster().cancel("by user");
        assertThat(code()).isEqualTo(ReasonCode.CANCELING);
        assertThat(waiting().current().line()).isEqualTo("is being canceled, by user: 4 tasks are being ended");
        assertThat(waiting().current().causes().get(0))
                .isEqualTo(Reason.counted(ReasonCode.ENDING_TASKS, 4, "4 tasks are being ended"));
    }

    /** After any sequence of events, a job that does not run has a reason, in its details and in its reports. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void aWaitingJobAlwaysHasAReason(long seed) {
        Random random = new Random(seed);
        Set<JobStatus> seen = EnumSet.noneOf(JobStatus.class);
        for (int round = 0; round < 4; round++) {
            Harness own = new Harness();
            own.policies.decides = random.nextInt(5) > 0;
            own.resourceManager.away = random.nextInt(5) == 0;
            own.start(wordCount(1 + random.nextInt(2), 2 + random.nextInt(2)));
            int slots = 0;
            for (int step = 0; step < 60; step++) {
                JobDetails details = own.lastReport();
                if (details.status().isTerminal()) {
                    break;
                }
                slots = step(own, random, slots);
                if (!own.lastReport().status().isTerminal()) {
                    check(own.details(), seed, step);
                    seen.add(own.details().status());
                }
            }
            own.dispatcher.reports.forEach(report -> check(report, seed, -1));
            own.dispatcher.reports.forEach(report -> seen.add(report.status()));
        }
        assertThat(seen).contains(JobStatus.WAITING_FOR_RESOURCES, JobStatus.EXECUTING);
    }

    private static int step(Harness own, Random random, int slots) {
        List<AttemptId> tasks = new ArrayList<>(own.tasks().keySet());
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> {
                FakeWorker worker = own.workers.isEmpty() || random.nextInt(3) == 0
                        ? own.worker("w" + own.workers.size())
                        : own.workers.get(random.nextInt(own.workers.size()));
                worker.ignoresCancel = random.nextInt(3) == 0;
                worker.offer(slots + 1, slots + 1, "default", SLOT);
                return slots + 1;
            }
            case 3 ->
                own.jobMaster()
                        .notEnoughResources(new NotEnoughResources(
                                own.resourceManagerId(), random.nextInt(3), 0, 0, Reason.of(ReasonCode.FULL, "full")));
            case 4 -> {
                own.policies.decides = !own.policies.decides;
                own.policies.changed.run();
            }
            case 5 -> own.resourceManager.away = !own.resourceManager.away;
            case 6 -> own.jobMaster().disconnectResourceManager(own.resourceManagerId(), "it ends");
            case 7 -> {
                if (!own.workers.isEmpty()) {
                    FakeWorker lost = own.workers.get(random.nextInt(own.workers.size()));
                    own.giveUp(lost, "killed");
                }
            }
            case 8 -> {
                if (!tasks.isEmpty()) {
                    AttemptId attempt = tasks.get(random.nextInt(tasks.size()));
                    own.tasks().get(attempt).fail(attempt, "broken", random.nextBoolean());
                }
            }
            case 9 -> {
                if (!tasks.isEmpty()) {
                    AttemptId attempt = tasks.get(random.nextInt(tasks.size()));
                    own.tasks().get(attempt).update(attempt, TaskState.CANCELED);
                }
            }
            case 10 -> {
                if (random.nextInt(10) == 0) {
                    own.jobMaster().cancel("by user");
                }
            }
            default -> own.time.advance(random.nextInt(4_000));
        }
        own.time.advance(random.nextInt(50));
        return slots;
    }

    private static void check(JobDetails details, long seed, int step) {
        String where = "seed " + seed + " step " + step + ": " + details.status() + " " + details.waiting();
        if (details.status().isTerminal()) {
            assertThat(details.waiting()).as(where).isEqualTo(Waiting.NOT);
        } else if (details.status() != JobStatus.EXECUTING) {
            assertThat(details.waiting().current().code()).as(where).isNotEqualTo(ReasonCode.NONE);
            assertThat(details.waiting().first().code()).as(where).isNotEqualTo(ReasonCode.NONE);
            assertThat(details.waiting().current().line()).as(where).isNotBlank();
            assertThat(details.waiting().firstMillis()).as(where).isPositive();
            assertThat(details.waiting().currentMillis()).as(where).isPositive();
        }
    }
}
