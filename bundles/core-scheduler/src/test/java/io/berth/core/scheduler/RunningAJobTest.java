package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.JobMasterGateway.NotEnoughResources;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.Transition;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.SplitPart;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import io.berth.core.api.task.TaskState;
import io.berth.spi.JobId;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunningAJobTest {

    private final Harness harness = new Harness();

    @Test
    void runsFromCreatedToFinishedAndReturnsAllSlots() {
        harness.start(wordCount(1, 2));
        assertThat(harness.resourceManager.lastDeclaration().units())
                .singleElement()
                .satisfies(
                        unit -> assertThat(unit.groups()).containsExactly(new GroupRequirement("default", SLOT, 1, 2)));
        assertThat(harness.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);

        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 2, "default", SLOT);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(worker.deployments).hasSize(4);
        assertThat(harness.details().vertices())
                .allSatisfy(vertex -> assertThat(vertex.running()).isEqualTo(2));

        harness.time.advance(2_500);
        harness.finishAll();
        JobDetails report = harness.lastReport();
        assertThat(report.status()).isEqualTo(JobStatus.FINISHED);
        assertThat(report.slots()).as("an ended job has no slots").isEmpty();
        assertThat(report.runMillis()).isEqualTo(2_500);
        assertThat(report.history())
                .extracting(Transition::status)
                .containsExactly(
                        JobStatus.CREATED,
                        JobStatus.WAITING_FOR_RESOURCES,
                        JobStatus.CREATING_EXECUTION_GRAPH,
                        JobStatus.EXECUTING,
                        JobStatus.FINISHED);
        assertThat(harness.resourceManager.lastDeclaration().units()).isEmpty();
        assertThat(harness.resourceManager.disconnected).containsExactly(new JobId("job-1"));
        assertThat(worker.disconnected).containsExactly(true);
        assertThat(harness.rpc.served).doesNotContainKey(EndpointName.jobMaster(new JobId("job-1")));
        assertThat(harness.policies.open).hasValue(0);
    }

    @Test
    void c115_startsWithFewerSlotsThanDesiredOnlyWhenTheyAreStable() {
        harness.start(wordCount(1, 4));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 1, "default", SLOT);
        harness.time.advance(2_999);
        worker.offer(2, 2, "default", SLOT);
        harness.time.advance(2_999);
        assertThat(harness.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
        harness.time.advance(1);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.details().vertices())
                .allSatisfy(vertex -> assertThat(vertex.parallelism()).isEqualTo(2));
    }

    @Test
    void reportsWhatItWaitsForAndTheReasonFromTheResourceManager() {
        harness.start(wordCount(4, 4));
        harness.worker("w1").offer(1, 1, "default", SLOT);
        assertThat(harness.details().reason())
                .isEqualTo("waiting: needs 4 x {1 cpu, 512 MiB}, has 1: not attempted yet: it is declared, and"
                        + " no decision about it is known");
        harness.jobMaster()
                .notEnoughResources(new NotEnoughResources(
                        harness.resourceManagerId(),
                        harness.resourceManager.lastDeclaration().sequence(),
                        0,
                        1,
                        Reason.of(
                                ReasonCode.NO_CPU,
                                "needs 4 x {1 cpu, 512 MiB}, has 1",
                                List.of(Reason.of(ReasonCode.NO_CPU, "no worker has 1 cpu free")))));
        assertThat(harness.details().reason())
                .isEqualTo("waiting: needs 4 x {1 cpu, 512 MiB}, has 1: no worker has 1 cpu free");
    }

    @Test
    void c119_waitsForeverByDefault() {
        harness.start(wordCount(1, 1));
        harness.time.advance(1_000_000);
        assertThat(harness.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
    }

    @Test
    void c119_c147_failsWhenTheMinimumIsNotFulfilledWithinTheWaitTimeout() {
        Harness impatient = new Harness(Configurations.resourceWait(5_000));
        impatient.start(wordCount(2, 2));
        impatient.time.advance(4_999);
        assertThat(impatient.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
        impatient.time.advance(1);
        assertThat(impatient.lastReport().status()).isEqualTo(JobStatus.FAILED);
        assertThat(impatient.lastReport().reason())
                .isEqualTo("its minimum was not there within 5000 ms (resource.wait.timeout.ms): needs 2 x {1 cpu, 512"
                        + " MiB}, has 0: not attempted yet: it is declared, and no decision about it is known");
    }

    @Test
    void c119_startsWithItsMinimumWhenTheWaitTimeoutComesBeforeTheSlotsAreStable() {
        Harness impatient = new Harness(Configurations.resourceWait(2_000));
        impatient.start(wordCount(1, 4));
        impatient.time.advance(1_000);
        impatient.worker("w1").offer(1, 1, "default", SLOT);
        impatient.time.advance(1_000);
        assertThat(impatient.status()).isEqualTo(JobStatus.EXECUTING);
    }

    @Test
    void theWaitTimeoutBeginsOnlyWithAScalingPolicy() {
        Harness impatient = new Harness(Configurations.resourceWait(5_000));
        impatient.policies.decides = false;
        impatient.start(wordCount(1, 1));
        impatient.time.advance(60_000);
        assertThat(impatient.details().reason()).isEqualTo("waiting: no scaling policy");

        impatient.policies.decides = true;
        impatient.policies.changed.run();
        impatient.time.advance(4_999);
        assertThat(impatient.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
        impatient.time.advance(1);
        assertThat(impatient.lastReport().status()).isEqualTo(JobStatus.FAILED);
    }

    @Test
    void slotsThatKeepComingDelayTheStartOnlyUpToABound() {
        harness.start(wordCount(1, 40));
        FakeWorker worker = harness.worker("w1");
        for (int slot = 1; slot <= 15; slot++) {
            worker.offer(slot, slot, "default", SLOT);
            harness.time.advance(2_000);
        }
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.details().vertices().get(0).parallelism()).isEqualTo(15);
    }

    @Test
    void slotsThatKeepComingDelayARescaleOnlyUpToABound() {
        harness.start(wordCount(1, 90));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 1, "default", SLOT);
        harness.time.advance(3_000);
        for (int slot = 2; slot <= 61; slot++) {
            worker.offer(slot, slot, "default", SLOT);
            harness.time.advance(500);
        }
        assertThat(harness.details().rescales()).isEqualTo(1);
        assertThat(harness.details().vertices().get(0).parallelism()).isEqualTo(61);
    }

    @Test
    void c117_slotsThatAreGoneBeforeTheyAreStableRescaleNothing() {
        harness.start(wordCount(1, 2));
        harness.worker("w1").offer(1, 1, "default", SLOT);
        harness.time.advance(3_000);
        FakeWorker second = harness.worker("w2");
        second.offer(2, 2, "default", SLOT);
        harness.time.advance(999);
        harness.giveUp(second, "killed");
        harness.time.advance(60_000);
        assertThat(harness.details().rescales()).isZero();

        FakeWorker third = harness.worker("w3");
        third.offer(3, 3, "default", SLOT);
        harness.time.advance(500);
        harness.giveUp(third, "killed");
        harness.worker("w4").offer(4, 4, "default", SLOT);
        harness.time.advance(1_000);
        assertThat(harness.details().rescales()).as("gone, and there again").isEqualTo(1);
    }

    @Test
    void aLostMinimumRestartsTheStabilizationTimeout() {
        harness.start(wordCount(1, 4));
        FakeWorker first = harness.worker("w1");
        first.offer(1, 1, "default", SLOT);
        harness.time.advance(2_000);
        harness.giveUp(first, "killed");
        harness.worker("w2").offer(2, 2, "default", SLOT);
        harness.time.advance(2_999);
        assertThat(harness.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
        harness.time.advance(1);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
    }

    @Test
    void c125_aTimerOfAPreviousStateHasNoEffect() {
        harness.start(wordCount(1, 2));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 1, "default", SLOT);
        harness.time.advance(1_000);
        worker.offer(2, 2, "default", SLOT);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        harness.time.advance(10_000);
        assertThat(harness.details().history())
                .filteredOn(transition -> transition.status() == JobStatus.CREATING_EXECUTION_GRAPH)
                .hasSize(1);
    }

    @Test
    void waitsWithoutAScalingPolicyAndContinuesWhenOneAppears() {
        harness.policies.decides = false;
        harness.start(wordCount(1, 1));
        assertThat(harness.details().reason()).isEqualTo("waiting: no scaling policy");
        assertThat(harness.resourceManager.declarations).isEmpty();
        harness.policies.decides = true;
        harness.policies.changed.run();
        assertThat(harness.resourceManager.declarations).hasSize(1);
        harness.worker("w1").offer(1, 1, "default", SLOT);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
    }

    @Test
    void showsLiveMetricsOfTheTasks() {
        harness.start(wordCount(2, 2));
        harness.worker("w1").offer(1, 2, "default", SLOT);
        harness.time.advance(1_000);
        JobDetails details = harness.details();
        assertThat(details.vertices().get(0).recordsIn()).isEqualTo(200);
        assertThat(details.vertices().get(0).recordsOut()).isEqualTo(400);
        assertThat(details.vertices().get(2).exchangedIn()).isEqualTo(100);
        assertThat(details.counters()).containsEntry("words", 12L);
        assertThat(details.runMillis()).isEqualTo(1_000);
    }

    @Test
    void assignsSplitsInOrderOnlyToTheCurrentExecution() {
        harness.start(wordCount(1, 1));
        harness.worker("w1").offer(1, 1, "default", SLOT);
        AttemptId attempt = harness.attempt("source", 0, 1);
        assertThat(next(attempt, 1)).isEqualTo("not yet");
        harness.jobMaster()
                .reportSplits(attempt, "source", new SplitPart(0, List.of(new byte[] {1}, new byte[] {2}), true));
        harness.jobMaster().reportSplits(attempt, "source", new SplitPart(0, List.of(new byte[] {3}), true));
        assertThat(next(harness.attempt("source", 0, 9), 1)).isEqualTo("exhausted");
        assertThat(next(attempt, 1)).isEqualTo("1");
        assertThat(next(attempt, 1)).as("repeated after a lost answer").isEqualTo("1");
        assertThat(next(attempt, 2)).isEqualTo("2");
        assertThat(next(attempt, 3)).isEqualTo("exhausted");
    }

    private String next(AttemptId attempt, long number) {
        SplitAnswer answer = Harness.now(harness.jobMaster().nextSplit(attempt, "source", number));
        if (answer instanceof SplitAnswer.Assigned one) {
            return String.valueOf(one.split()[0]);
        }
        return answer instanceof SplitAnswer.NotYet ? "not yet" : "exhausted";
    }

    @Test
    void repeatsTheFinalReportUntilTheDispatcherAcknowledges() {
        harness.start(wordCount(1, 1));
        harness.worker("w1").offer(1, 1, "default", SLOT);
        harness.dispatcher.away = true;
        harness.finishAll();
        harness.time.advance(60_000);
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.status()).isEqualTo(JobStatus.FINISHED);
        harness.dispatcher.away = false;
        harness.time.advance(10_000);
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FINISHED);
        assertThat(harness.rpc.served).doesNotContainKey(EndpointName.jobMaster(new JobId("job-1")));
    }

    @Test
    void rejectsWorkersAfterTheJobHasEnded() {
        harness.start(wordCount(1, 1));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 1, "default", SLOT);
        harness.dispatcher.away = true;
        harness.finishAll();
        assertThat(worker.register()).isInstanceOf(RegistrationResponse.Rejected.class);
        assertThat(worker.offer(2, 2, "default", SLOT)).isEmpty();
    }

    @Test
    void runsOneTaskOfEachChainInEachSlot() {
        harness.start(wordCount(3, 3));
        FakeWorker first = harness.worker("w1");
        FakeWorker second = harness.worker("w2");
        first.offer(1, 2, "default", SLOT);
        second.offer(3, 3, "default", SLOT);
        assertThat(first.deployments.keySet())
                .containsExactlyInAnyOrder(
                        harness.attempt("source", 0, 1),
                        harness.attempt("source", 2, 1),
                        harness.attempt("count", 0, 1),
                        harness.attempt("count", 2, 1));
        assertThat(second.deployments.keySet())
                .containsExactlyInAnyOrder(harness.attempt("source", 1, 1), harness.attempt("count", 1, 1));
        assertThat(first.tasks.values()).containsOnly(TaskState.RUNNING);
    }
}
