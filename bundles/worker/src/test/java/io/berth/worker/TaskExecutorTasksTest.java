package io.berth.worker;

import static io.berth.worker.WorkerFixture.JOB;
import static io.berth.worker.WorkerFixture.attempt;
import static io.berth.worker.WorkerFixture.now;
import static io.berth.worker.WorkerFixture.ref;
import static io.berth.worker.WorkerFixture.slot;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentVerdict;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotsToFree;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskStatus;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskHandle.Outcome;
import io.berth.core.api.task.TaskState;
import io.berth.spi.ResourceProfile;
import io.berth.worker.code.UserCode;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TaskExecutorTasksTest {

    private final WorkerFixture fixture = new WorkerFixture().registered();
    private final TaskExecutor worker = fixture.worker;
    private final FakeJobMaster jobMaster = fixture.jobMaster;

    @BeforeEach
    void allocate() {
        fixture.allocate(fixture.request(1));
    }

    @Test
    void deploymentIsRefusedUnlessJobAndJobMasterOwnTheSlot() {
        JobMasterId other = new JobMasterId(ref(fixture.leader.name(), 9).token());

        assertThat(fixture.deploy(other, 0, 1, "dataflow")).contains("does not own slot 1-1 on worker w-1");
        assertThat(fixture.deploy(0, 2)).contains("does not own slot 1-2 on worker w-1");
        assertThat(fixture.answerTo(other, 0, 1, "dataflow").verdict()).isEqualTo(DeploymentVerdict.SLOT_NOT_OWNED);
        assertThat(fixture.answerTo(fixture.leaderId, 0, 2, "dataflow").verdict())
                .isEqualTo(DeploymentVerdict.SLOT_NOT_OWNED);
        assertThat(fixture.runtime.tasks).isEmpty();
    }

    @Test
    void refusalOfADeploymentForAnUnknownRuntimeNamesTheKnownOnes() {
        assertThat(fixture.deploy(fixture.leaderId, 0, 1, "process"))
                .isEqualTo("task runtime 'process' is not on worker w-1: there are [dataflow]");
        assertThat(fixture.answerTo(fixture.leaderId, 0, 1, "process").verdict())
                .isEqualTo(DeploymentVerdict.REFUSED);
        assertThat(fixture.report().slots()).extracting(SlotReport.Slot::tasks).containsExactly(0);
    }

    @Test
    void repeatedDeploymentStartsOneTask() {
        assertThat(fixture.deploy(0, 1)).isEmpty();
        FakeRuntime.Task first = fixture.runtime.tasks.get(attempt(0));

        assertThat(fixture.deploy(0, 1)).isEmpty();

        assertThat(fixture.runtime.tasks.get(attempt(0))).isSameAs(first);
        assertThat(jobMaster.states()).containsExactly(TaskState.RUNNING);
    }

    @Test
    void aTaskKnowsTheSizeOfItsSlot() {
        fixture.deploy(0, 1);
        ResourceProfile slot = fixture.report().slots().get(0).profile();
        assertThat(slot.cpuMillis()).isPositive();
        assertThat(fixture.runtime.tasks.get(attempt(0)).context.resources()).isEqualTo(slot);
    }

    @Test
    void aTaskReadsTheSecretsOfTheWorker() {
        fixture.secrets.put("db.password", "hunter2");
        fixture.deploy(0, 1);
        FakeRuntime.Task task = fixture.runtime.tasks.get(attempt(0));

        assertThat(task.context.secret("db.password")).contains("hunter2");
        assertThat(task.context.secret("other")).isEmpty();
    }

    @Test
    void statesAreReportedInOrderAndTheCommitReachesTheTask() {
        fixture.deploy(0, 1);
        FakeRuntime.Task task = fixture.runtime.tasks.get(attempt(0));
        Committable part = new Committable("sink", new byte[] {1});

        task.context.readyToCommit(List.of(part));
        assertThat(fixture.commit(0, List.of(part))).isTrue();
        task.end.complete(new Outcome.Finished());

        assertThat(task.committed).containsExactly(part);
        assertThat(jobMaster.states())
                .containsExactly(TaskState.RUNNING, TaskState.READY_TO_COMMIT, TaskState.FINISHED);
        assertThat(jobMaster.updates.get(1).committables()).containsExactly(part);
        assertThat(jobMaster.updates.get(2).metrics().exchangedOut()).isEqualTo(9);
        assertThat(fixture.jobHeartbeat(1).tasks()).isEmpty();
    }

    @Test
    void aCommitThatMayBeOlderThanTheTimeoutOfTheJobMasterHasNoEffect() {
        fixture.deploy(0, 1);
        FakeRuntime.Task task = fixture.runtime.tasks.get(attempt(0));
        List<Committable> parts = List.of(new Committable("sink", new byte[] {1}));
        task.context.readyToCommit(parts);
        fixture.passTime(1_000, 1);
        long heard = fixture.lastHeartbeat();
        fixture.passTime(10_000, 1);

        fixture.jobHeartbeat(heard, List.of(slot(1)));

        assertThat(fixture.commit(0, parts)).as("as old as the registration").isFalse();
        assertThat(fixture.commit(heard, parts))
                .as("10 s old, with a late copy")
                .isFalse();
        assertThat(fixture.commit(99, parts))
                .as("a heartbeat of another registration")
                .isFalse();
        assertThat(fixture.commit(99, fixture.lastHeartbeat(), parts))
                .as("another registration")
                .isFalse();
        assertThat(task.committed).isEmpty();
        assertThat(fixture.commit(heard + 1, parts)).as("9 s old").isTrue();
        assertThat(task.committed).isEqualTo(parts);
    }

    @Test
    void updateIsRepeatedUntilItIsAcknowledgedAndTheReportListsTheTaskUntilThen() {
        fixture.deploy(0, 1);
        jobMaster.updateFailures.add(new RpcException(RpcException.Kind.UNREACHABLE, "gone"));
        jobMaster.updateFailures.add(new RpcException(RpcException.Kind.DEADLINE, "slow"));

        fixture.runtime
                .tasks
                .get(attempt(0))
                .end
                .complete(new Outcome.Failed("disk full", FailureKind.TRANSIENT, "java.io.IOException: disk full"));
        assertThat(fixture.jobHeartbeat(1).tasks())
                .extracting(TaskStatus::state)
                .containsExactly(TaskState.FAILED);
        fixture.passTime(1_000);

        assertThat(jobMaster.states()).containsExactly(TaskState.RUNNING, TaskState.FAILED);
        assertThat(jobMaster.updates.get(1).cause()).isEqualTo("disk full");
        assertThat(jobMaster.updates.get(1).stack()).isEqualTo("java.io.IOException: disk full");
        assertThat(fixture.jobHeartbeat(1).tasks()).isEmpty();
    }

    @Test
    void updateThatIsAlwaysRefusedDoesNotBlockLaterOnes() {
        fixture.allocate(fixture.request(2));
        fixture.deploy(0, 1);
        fixture.deploy(1, 2);
        for (int refusal = 0; refusal < 10; refusal++) {
            jobMaster.updateFailures.add(new RpcException(RpcException.Kind.REFUSED, "too large"));
        }

        fixture.runtime.tasks.get(attempt(0)).end.complete(new Outcome.Finished());
        fixture.runtime.tasks.get(attempt(1)).end.complete(new Outcome.Finished());
        fixture.passTime(30_000, 1, 2);

        assertThat(jobMaster.states()).containsExactly(TaskState.RUNNING, TaskState.RUNNING, TaskState.FINISHED);
        assertThat(jobMaster.updates.get(2).attempt()).isEqualTo(attempt(1));
        assertThat(fixture.jobHeartbeat(1, 2).tasks()).isEmpty();
    }

    @Test
    void codeThatCannotBeLoadedFailsTheTaskWithTheReason() {
        fixture.userCode.code = CompletableFuture.failedFuture(new IOException("bundle x 1.0.0 does not resolve"));

        assertThat(fixture.deploy(0, 1)).isEmpty();

        assertThat(jobMaster.states()).containsExactly(TaskState.FAILED);
        assertThat(jobMaster.updates.get(0).cause()).isEqualTo("bundle x 1.0.0 does not resolve");
    }

    @Test
    void taskThatIsCanceledWhileItsCodeIsLoadedNeverStarts() {
        CompletableFuture<UserCode.JobCode> code = fixture.userCode.code;
        fixture.userCode.code = new CompletableFuture<>();
        CompletableFuture<UserCode.JobCode> later = fixture.userCode.code;
        fixture.deploy(0, 1);

        now(worker.cancelTasks(fixture.leaderId, List.of(attempt(0))));
        later.complete(code.join());

        assertThat(jobMaster.states()).containsExactly(TaskState.CANCELED);
        assertThat(fixture.runtime.tasks).isEmpty();
    }

    @Test
    void taskThatDoesNotEndAfterItWasCanceledEndsTheProcess() {
        fixture.runtime.slowCancel = true;
        fixture.deploy(0, 1);
        fixture.deploy(1, 1);

        now(worker.cancelTasks(fixture.leaderId, List.of(attempt(0), attempt(1))));
        fixture.runtime.tasks.get(attempt(0)).end.complete(new Outcome.Canceled());
        fixture.passTime(179_000, 1);
        assertThat(fixture.exits).isEmpty();
        fixture.time.advance(5_000);

        assertThat(fixture.exits).containsExactly(WorkerShutdown.EXIT_TASK_STUCK);
    }

    @Test
    void taskThatEndsInTimeAfterItWasCanceledDoesNotEndTheProcess() {
        fixture.runtime.slowCancel = true;
        fixture.deploy(0, 1);

        now(worker.cancelTasks(fixture.leaderId, List.of(attempt(0))));
        fixture.passTime(100_000, 1);
        fixture.runtime.tasks.get(attempt(0)).end.complete(new Outcome.Canceled());
        fixture.passTime(200_000, 1);

        assertThat(fixture.exits).isEmpty();
    }

    @Test
    void slotWithTasksIsReleasingUntilTheLastEnds() {
        fixture.runtime.slowCancel = true;
        fixture.deploy(0, 1);
        fixture.deploy(1, 1);

        now(worker.freeSlots(new SlotsToFree(JOB, fixture.leaderId, List.of(slot(1)), "restart")));
        fixture.runtime.tasks.get(attempt(0)).end.complete(new Outcome.Canceled());
        assertThat(fixture.report().slots()).hasSize(1);
        assertThat(fixture.resourceManager.freed).isEmpty();
        assertThat(fixture.deploy(2, 1)).contains("does not own");
        fixture.runtime.tasks.get(attempt(1)).end.complete(new Outcome.Canceled());

        assertThat(fixture.report().slots()).isEmpty();
        assertThat(fixture.resourceManager.freed).hasSize(1);
    }

    @Test
    void flip6_losingTheResourceManagerKeepsTasksAndSlotsAndReportsThemAgain() {
        fixture.deploy(0, 1);

        for (int second = 0; second < 12; second++) {
            fixture.time.advance(1_000);
            fixture.jobHeartbeat(1);
        }

        assertThat(fixture.resourceManager.registrations).hasSize(2);
        assertThat(fixture.resourceManager.registrations.get(1).slots().slots())
                .extracting(SlotReport.Slot::tasks)
                .containsExactly(1);
        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isFalse();
    }

    @Test
    void endOfTheJobFreesSlotsTasksAndCodeAtOnce() {
        fixture.runtime.slowCancel = true;
        fixture.deploy(0, 1);

        now(worker.disconnectJobMaster(JOB, fixture.leaderId, new InstanceId(1), true, "finished"));
        assertThat(fixture.userCode.released).as("a task still runs").isEmpty();
        fixture.runtime.tasks.get(attempt(0)).end.complete(new Outcome.Canceled());

        assertThat(fixture.report().slots()).isEmpty();
        assertThat(fixture.userCode.released).containsOnly(JOB);
    }

    @Test
    void codeIsKeptForAWhileAfterTheLastSlotAndForANewSlot() {
        fixture.deploy(0, 1);
        now(worker.freeSlots(new SlotsToFree(JOB, fixture.leaderId, List.of(slot(1)), "restart")));

        fixture.passTime(9_000);
        fixture.allocate(fixture.request(2));
        fixture.passTime(9_000, 2);
        assertThat(fixture.userCode.released).isEmpty();
        now(worker.freeSlots(new SlotsToFree(JOB, fixture.leaderId, List.of(slot(2)), "done")));
        fixture.passTime(10_000);

        assertThat(fixture.userCode.released).containsExactly(JOB);
    }
}
