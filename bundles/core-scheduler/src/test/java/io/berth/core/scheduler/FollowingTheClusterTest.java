package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.task.TaskState;
import io.berth.spi.AllocationId;
import java.util.List;
import org.junit.jupiter.api.Test;

class FollowingTheClusterTest {

    private final Harness harness = new Harness();

    private FakeWorker[] runOnTwoWorkers() {
        harness.start(wordCount(1, 4));
        FakeWorker first = harness.worker("w1");
        FakeWorker second = harness.worker("w2");
        first.offer(1, 2, "default", SLOT);
        second.offer(3, 4, "default", SLOT);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        return new FakeWorker[] {first, second};
    }

    @Test
    void scalesDownWhenAWorkerIsLostAndUpWhenSlotsReturn() {
        FakeWorker[] workers = runOnTwoWorkers();
        workers[1].away = true;
        harness.time.advance(2_000);
        assertThat(harness.status()).isIn(JobStatus.RESTARTING, JobStatus.WAITING_FOR_RESOURCES);
        assertThat(harness.details().restarts()).isEqualTo(1);
        assertThat(harness.details().history())
                .anySatisfy(transition -> assertThat(transition.reason())
                        .contains("worker w2 was lost: unreachable: 2 calls in a row failed"));
        assertThat(workers[0].canceled).isNotEmpty();

        harness.time.advance(4_000);
        JobDetails less = harness.details();
        assertThat(less.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(less.vertices())
                .allSatisfy(vertex -> assertThat(vertex.parallelism()).isEqualTo(2));

        FakeWorker third = harness.worker("w3");
        third.offer(5, 6, "default", SLOT);
        harness.time.advance(1_000);
        JobDetails again = harness.details();
        assertThat(again.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(again.rescales()).isEqualTo(1);
        assertThat(again.restarts()).isEqualTo(1);
        assertThat(again.vertices())
                .allSatisfy(vertex -> assertThat(vertex.parallelism()).isEqualTo(4));
        assertThat(third.deployments.keySet())
                .allSatisfy(attempt -> assertThat(attempt.execution()).isEqualTo(3));

        harness.finishAll();
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FINISHED);
    }

    @Test
    void restartsAtOnceWhenTheResourceManagerGivesAWorkerUp() {
        FakeWorker[] workers = runOnTwoWorkers();
        harness.giveUp(workers[1], "no heartbeat");
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        assertThat(harness.details().reason()).isEqualTo("worker w2 was lost: no heartbeat");
    }

    @Test
    void givesUpAWorkerThatDoesNotAnswerForTheTimeout() {
        FakeWorker[] workers = runOnTwoWorkers();
        workers[1].silent = true;
        harness.time.advance(9_999);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        harness.time.advance(1_000);
        assertThat(harness.details().history())
                .anySatisfy(
                        transition -> assertThat(transition.reason()).contains("worker w2 was lost: no heartbeat for"));
    }

    @Test
    void oneLostHeartbeatDoesNotLoseTheWorker() {
        FakeWorker[] workers = runOnTwoWorkers();
        int before = workers[1].reports.size();
        workers[1].silent = true;
        while (workers[1].reports.size() == before) {
            harness.time.advance(100);
        }
        workers[1].silent = false;
        harness.time.advance(20_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.details().history())
                .noneSatisfy(transition -> assertThat(transition.reason()).contains("was lost"));
    }

    @Test
    void aWorkerThatWasStartedAgainLosesItsOldSlots() {
        FakeWorker[] workers = runOnTwoWorkers();
        FakeWorker again = harness.worker("w2", 2);
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        assertThat(harness.details().reason()).isEqualTo("worker w2 was started again");
        assertThat(harness.details().slots()).hasSize(2);
        assertThat(workers[1].register()).isInstanceOf(RegistrationResponse.Rejected.class);
        assertThat(again.offer(5, 5, "default", SLOT)).hasSize(1);
    }

    @Test
    void c133_aFailedSlotRestartsTheJobWithoutIt() {
        FakeWorker[] workers = runOnTwoWorkers();
        harness.jobMaster().failSlot(workers[0].id, workers[0].session, new AllocationId(1, 1), "freed");
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        assertThat(harness.details().slots()).hasSize(3);
    }

    @Test
    void rescalesWithoutWaitingForTheMissingSlots() {
        harness.start(wordCount(1, 4));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 1, "default", SLOT);
        harness.time.advance(3_000);
        worker.offer(2, 3, "default", SLOT);
        harness.time.advance(1_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.details().vertices().get(0).parallelism()).isEqualTo(3);
        assertThat(harness.details().history())
                .anySatisfy(transition -> assertThat(transition.reason())
                        .isEqualTo("rescales from source 1, split 1, count 1, sink 1 to "
                                + "source 3, split 3, count 3, sink 3: as many as fit"));
    }

    @Test
    void doesNotRescaleWhenAllInputHasBeenRead() {
        harness.start(wordCount(1, 2));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 1, "default", SLOT);
        harness.time.advance(3_000);
        worker.update(harness.attempt("source", 0, 1), TaskState.FINISHED);
        worker.offer(2, 2, "default", SLOT);
        harness.time.advance(10_000);
        assertThat(harness.details().rescales()).isZero();
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
    }

    @Test
    void cancelsTasksThatDoNotBelongToTheCurrentExecution() {
        FakeWorker[] workers = runOnTwoWorkers();
        workers[0].tasks.put(harness.attempt("source", 0, 77), TaskState.RUNNING);
        harness.time.advance(1_000);
        assertThat(workers[0].canceled).containsExactly(harness.attempt("source", 0, 77));
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
    }

    @Test
    void failsTasksThatTheirWorkerDoesNotKnowTwiceInARow() {
        FakeWorker[] workers = runOnTwoWorkers();
        workers[0].tasks.remove(harness.attempt("source", 0, 1));
        harness.time.advance(1_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        harness.time.advance(1_000);
        assertThat(harness.details().history())
                .anySatisfy(transition -> assertThat(transition.reason())
                        .isEqualTo("task source[0] of execution 1 on worker w1 is no longer there"));
    }

    @Test
    void waitsForTheUpdateOfATaskThatItsWorkerReportsAsEnded() {
        FakeWorker[] workers = runOnTwoWorkers();
        workers[0].tasks.put(harness.attempt("source", 0, 1), TaskState.FINISHED);
        harness.time.advance(10_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.details().restarts()).isZero();
    }

    @Test
    void runsWithoutAResourceManagerAndDeclaresAgainToTheNextOne() {
        harness.resourceManager.heartbeatTimeoutMillis = 5_000;
        FakeWorker[] workers = runOnTwoWorkers();
        long sequence = harness.resourceManager.lastDeclaration().sequence();
        harness.resourceManager.away = true;
        harness.time.advance(600_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.details().restarts()).isZero();
        workers[1].away = true;
        harness.time.advance(3_000);
        assertThat(harness.details().reason()).contains("the ResourceManager");

        harness.resourceManager.away = false;
        harness.restartResourceManager();
        harness.directory.change();
        harness.time.advance(1_000);
        assertThat(harness.resourceManager.registrations).hasSize(2);
        assertThat(harness.resourceManager.lastDeclaration().sequence()).isGreaterThan(sequence);
        assertThat(harness.resourceManager
                        .lastDeclaration()
                        .units()
                        .get(0)
                        .groups()
                        .get(0)
                        .desired())
                .isEqualTo(4);
    }

    @Test
    void heartbeatsKeepTheResourceManagerRegistered() {
        harness.resourceManager.heartbeatTimeoutMillis = 5_000;
        runOnTwoWorkers();
        for (int second = 0; second < 20; second++) {
            harness.time.advance(1_000);
            assertThat(harness.jobMaster()
                            .heartbeatFromResourceManager(harness.resourceManagerId(), Long.MAX_VALUE, List.of())
                            .toCompletableFuture())
                    .isCompleted();
        }
        assertThat(harness.resourceManager.registrations).hasSize(1);
        harness.time.advance(5_001);
        assertThat(harness.resourceManager.registrations).hasSize(2);
    }

    @Test
    void registersAgainWhenTheResourceManagerDisconnectsIt() {
        runOnTwoWorkers();
        harness.jobMaster().disconnectResourceManager(harness.resourceManagerId(), "it ends");
        harness.time.advance(100);
        assertThat(harness.resourceManager.registrations).hasSize(2);
        harness.restartResourceManager();
        assertThat(harness.jobMaster()
                        .heartbeatFromResourceManager(harness.resourceManagerId(), Long.MAX_VALUE, List.of())
                        .toCompletableFuture())
                .isCompletedExceptionally();
    }

    @Test
    void triesUntilThereIsAResourceManager() {
        harness.resourceManager.away = true;
        harness.start(wordCount(1, 1));
        harness.time.advance(60_000);
        assertThat(harness.details().reason())
                .isEqualTo("waiting: needs 1 x {1 cpu, 512 MiB}, has 0: "
                        + "not registered at the ResourceManager: it is away");
        harness.resourceManager.away = false;
        harness.time.advance(10_000);
        assertThat(harness.resourceManager.declarations).hasSize(1);
    }

    @Test
    void endingAJobWhoseResourceManagerIsAwayDoesNotHang() {
        harness.start(wordCount(1, 1));
        harness.worker("w1").offer(1, 1, "default", SLOT);
        harness.resourceManager.away = true;
        harness.finishAll();
        harness.time.advance(5_000);
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FINISHED);
        assertThat(harness.rpc.served.keySet().stream().map(EndpointName::value))
                .noneMatch(name -> name.startsWith("job-master/"));
    }

    @Test
    void withdrawsItsRequirementsBeforeItFreesItsSlotsAndThenDisconnects() {
        harness.start(wordCount(1, 1));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 1, "default", SLOT);
        harness.resourceManager.silent = true;
        harness.finishAll();
        assertThat(harness.resourceManager.lastDeclaration().units()).isEmpty();
        assertThat(worker.disconnected).isEmpty();
        assertThat(harness.jobMaster()
                        .heartbeatFromResourceManager(harness.resourceManagerId(), Long.MAX_VALUE, List.of())
                        .toCompletableFuture())
                .as("registered until it disconnects")
                .isCompleted()
                .isNotCompletedExceptionally();

        harness.resourceManager.silent = false;
        harness.time.advance(1_000);
        assertThat(worker.disconnected).containsExactly(true);
        assertThat(harness.resourceManager.disconnected).hasSize(1);
        assertThat(harness.rpc.served.keySet().stream().map(EndpointName::value))
                .noneMatch(name -> name.startsWith("job-master/"));
    }

    @Test
    void asksAScalingPolicyAgainThatDidNotDecide() {
        harness.policies.decides = false;
        harness.start(wordCount(1, 1));
        harness.time.advance(10_000);
        assertThat(harness.details().reason()).isEqualTo("waiting: no scaling policy");
        harness.policies.decides = true;
        harness.time.advance(3_000);
        assertThat(harness.resourceManager.declarations).hasSize(1);
    }

    @Test
    void repeatsTheReportOfARunningJobWithoutChanges() {
        runOnTwoWorkers();
        harness.dispatcher.reports.clear();
        harness.time.advance(10_000);
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.EXECUTING);
    }
}
