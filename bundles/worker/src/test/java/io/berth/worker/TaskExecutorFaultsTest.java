package io.berth.worker;

import static io.berth.worker.WorkerFixture.JOB;
import static io.berth.worker.WorkerFixture.ONE;
import static io.berth.worker.WorkerFixture.attempt;
import static io.berth.worker.WorkerFixture.now;
import static io.berth.worker.WorkerFixture.ref;
import static io.berth.worker.WorkerFixture.request;
import static io.berth.worker.WorkerFixture.slot;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.JobMasterGateway.AcceptedSlots;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway.AllocatedSlots;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentVerdict;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.task.TaskHandle.Outcome;
import io.berth.core.api.task.TaskState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a worker handles lost, repeated and late messages. */
class TaskExecutorFaultsTest {

    private final WorkerFixture fixture = new WorkerFixture();
    private final FakeJobMaster jobMaster = fixture.jobMaster;

    private List<SlotReport.Slot> slots() {
        return fixture.report().slots();
    }

    @Test
    void f05_aSlotRequestThatComesAgainAfterTheSlotWasFreedAllocatesNothing() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.free(1, "not needed");

        assertThat(fixture.allocate(fixture.request(1))).containsExactly("allocation 1-1 has ended here: not needed");
        assertThat(slots()).isEmpty();
    }

    @Test
    void f05_aRefusedSlotRequestIsRefusedAgainEvenWhenThereIsRoom() {
        fixture.registered();
        fixture.allocate(request(1, ONE.times(4), fixture.leader));
        assertThat(fixture.allocate(fixture.request(2)).get(0)).contains("free is");
        fixture.free(1, "not needed");

        assertThat(fixture.allocate(fixture.request(2)).get(0)).contains("allocation 1-2 has ended here");
        assertThat(slots()).isEmpty();
    }

    @Test
    void f07_anOfferToAJobMasterThatDiedIsMadeToItsSuccessor() {
        fixture.registered();
        jobMaster.holdOffers = true;
        fixture.allocate(fixture.request(1));
        EndpointRef next = ref(fixture.leader.name(), 2);
        FakeJobMaster successor = new FakeJobMaster();
        fixture.rpc.connect(next, successor);
        fixture.rpc.publish(next);

        jobMaster.held.get(0).completeExceptionally(new RpcException(RpcException.Kind.FENCED, "another token"));
        fixture.passTime(1_000);

        assertThat(successor.offers).hasSize(1);
        assertThat(slots()).extracting(SlotReport.Slot::active).containsExactly(true);
    }

    @Test
    void f08_aDeploymentActivatesASlotWhoseAcceptanceWasLost() {
        fixture.registered();
        jobMaster.holdOffers = true;
        fixture.allocate(fixture.request(1));

        assertThat(fixture.deploy(0, 1)).isEmpty();
        fixture.passTime(12_000, 1);

        assertThat(slots()).extracting(SlotReport.Slot::active).containsExactly(true);
        assertThat(jobMaster.states()).containsExactly(TaskState.RUNNING);
    }

    @Test
    void f08_theTimerFreesASlotWhoseRejectionWasLost() {
        fixture.registered();
        jobMaster.holdOffers = true;
        fixture.allocate(fixture.request(1));

        fixture.passTime(9_000);
        assertThat(slots()).hasSize(1);
        fixture.jobHeartbeat();
        fixture.passTime(1_000);

        assertThat(slots()).isEmpty();
    }

    @Test
    void f09_aRepeatedRequestToFreeASlotDoesNotFreeTheNextAllocation() {
        fixture.registered();
        fixture.allocate(request(1, ONE.times(4), fixture.leader));
        fixture.free(1, "restart");
        fixture.allocate(request(2, ONE.times(4), fixture.leader));

        for (int again = 0; again < 100; again++) {
            fixture.free(1, "restart");
        }

        assertThat(slots()).extracting(SlotReport.Slot::allocation).containsExactly(slot(2));
        assertThat(fixture.resourceManager.freed).hasSize(1);
    }

    @Test
    void f09_aRepeatedDeploymentOfAnEndedTaskStartsNothing() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);
        fixture.runtime.tasks.remove(attempt(0)).end.complete(new Outcome.Finished());
        assertThat(jobMaster.states()).containsExactly(TaskState.RUNNING, TaskState.FINISHED);

        assertThat(fixture.deploy(0, 1)).isEmpty();

        assertThat(fixture.runtime.tasks).isEmpty();
        assertThat(slots()).extracting(SlotReport.Slot::tasks).containsExactly(0);
    }

    @Test
    void f09_aRefusedDeploymentMayBeRepeated() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        assertThat(fixture.deploy(fixture.leaderId, 0, 1, "process")).contains("is not on worker");

        assertThat(fixture.deploy(0, 1)).isEmpty();
        assertThat(fixture.runtime.tasks).containsOnlyKeys(attempt(0));
    }

    @Test
    void f09_aTaskDoesNotStartWhenItsCancellationArrivesBeforeItsDeployment() {
        fixture.registered();
        fixture.allocate(fixture.request(1));

        now(fixture.worker.cancelTasks(fixture.leaderId, List.of(attempt(0))));

        assertThat(fixture.deploy(0, 1)).contains("was canceled before its deployment came");
        assertThat(fixture.deploy(1, 1)).isEmpty();
        assertThat(fixture.runtime.tasks).containsOnlyKeys(attempt(1));
    }

    @Test
    void f20_slotsAreOfferedToTheNextJobMasterWhenTheTasksOfThePreviousOneHaveEnded() {
        fixture.registered();
        fixture.runtime.slowCancel = true;
        fixture.allocate(fixture.request(1), fixture.request(2));
        fixture.deploy(0, 1);
        EndpointRef next = ref(fixture.leader.name(), 2);
        FakeJobMaster successor = new FakeJobMaster();
        fixture.rpc.connect(next, successor);

        fixture.jobMasterChanged(next, false);
        assertThat(successor.offers).hasSize(1);
        assertThat(successor.offers.get(0).offers())
                .extracting(offer -> offer.allocation())
                .containsExactly(slot(2));
        fixture.runtime.tasks.get(attempt(0)).end.complete(new Outcome.Canceled());

        assertThat(successor.offers.get(1).offers())
                .extracting(offer -> offer.allocation())
                .containsExactly(slot(1));
        assertThat(slots()).extracting(SlotReport.Slot::active).containsExactly(true, true);
    }

    @Test
    void f20_aTaskIsRefusedWhileATaskWithTheSameIdIsEndingAndRunsAfterwards() {
        fixture.registered();
        fixture.runtime.slowCancel = true;
        fixture.allocate(fixture.request(1), fixture.request(2));
        fixture.deploy(0, 1);
        FakeRuntime.Task before = fixture.runtime.tasks.get(attempt(0));
        EndpointRef next = ref(fixture.leader.name(), 2);
        JobMasterId nextId = new JobMasterId(next.token());
        FakeJobMaster successor = new FakeJobMaster();
        fixture.rpc.connect(next, successor);
        fixture.jobMasterChanged(next, false);

        assertThat(fixture.deploy(nextId, 0, 2, "dataflow")).contains("is still ending on worker w-1");
        assertThat(fixture.answerTo(nextId, 0, 2, "dataflow").verdict()).isEqualTo(DeploymentVerdict.NOT_NOW);
        before.end.complete(new Outcome.Canceled());
        assertThat(fixture.deploy(nextId, 0, 2, "dataflow")).isEmpty();

        assertThat(fixture.runtime.tasks.get(attempt(0))).isNotSameAs(before);
        assertThat(successor.states()).containsExactly(TaskState.RUNNING);
    }

    @Test
    void f20_aTaskWhoseEndWasNeverReportedIsForgottenWithTheConnectionToItsJobMaster() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);
        jobMaster.unreachable = true;
        fixture.rpc.withdraw(fixture.leader.name());
        jobMaster.updateFailures.add(new RpcException(RpcException.Kind.DEADLINE, "no answer"));
        fixture.runtime.tasks.get(attempt(0)).end.complete(new Outcome.Finished());
        fixture.free(1, "not needed");
        jobMaster.updateFailures.addAll(
                java.util.Collections.nCopies(100, new RpcException(RpcException.Kind.DEADLINE, "no answer")));
        fixture.disconnectJobMaster(1);
        fixture.passTime(5_000);
        EndpointRef next = ref(fixture.leader.name(), 2);
        FakeJobMaster successor = new FakeJobMaster();
        fixture.rpc.connect(next, successor);
        fixture.allocate(request(2, ONE, next));

        assertThat(fixture.deploy(new JobMasterId(next.token()), 0, 2, "dataflow"))
                .isEmpty();

        assertThat(successor.states()).containsExactly(TaskState.RUNNING);
        assertThat(now(fixture.worker.heartbeatFromJobMaster(new AllocatedSlots(
                                JOB, new JobMasterId(next.token()), 1, List.of(slot(2)), Optional.empty())))
                        .tasks())
                .hasSize(1);
    }

    @Test
    void f11_aHundredHeartbeatsAtOnceDoNotFreeASlotThatWasJustAccepted() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);

        for (int again = 0; again < 100; again++) {
            fixture.jobHeartbeat();
        }
        fixture.time.advance(2_000);
        fixture.jobHeartbeat(1);
        fixture.jobHeartbeat();

        assertThat(slots()).extracting(SlotReport.Slot::active).containsExactly(true);
    }

    @Test
    void f11_anOutdatedHeartbeatFreesNoSlot() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);
        AllocatedSlots overtaken = new AllocatedSlots(JOB, fixture.leaderId, 0, List.of(), Optional.empty());

        fixture.jobHeartbeat(1);
        now(fixture.worker.heartbeatFromJobMaster(overtaken));
        fixture.time.advance(2_000);
        now(fixture.worker.heartbeatFromJobMaster(overtaken));

        assertThat(slots()).hasSize(1);
    }

    @Test
    void f11_tasksOfASlotThatItsJobMasterForgotFailWithTheReason() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);

        fixture.jobHeartbeat();
        fixture.time.advance(2_000);
        fixture.jobHeartbeat();

        assertThat(slots()).isEmpty();
        assertThat(jobMaster.updates.get(1).cause()).isEqualTo("its slot was freed: its JobMaster does not list it");
    }

    @Test
    void f12_repeatedLossNoticesDoNotRestartTheTimersOfTheSlots() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.rpc.withdraw(fixture.leader.name());

        for (int second = 0; second < 10; second++) {
            fixture.disconnectJobMaster(1);
            assertThat(slots()).hasSize(1);
            fixture.passTime(1_000);
        }

        assertThat(slots()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 100})
    void f12_aRepeatedDisconnectDoesNotEndALaterRegistration(int copies) {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        jobMaster.instance = 2;
        fixture.disconnectJobMaster(1);
        fixture.passTime(1_000, 1);
        assertThat(jobMaster.registrations).hasSize(2);
        fixture.deploy(0, 1);

        for (int copy = 1; copy < copies; copy++) {
            fixture.disconnectJobMaster(1);
        }

        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isFalse();
        assertThat(jobMaster.registrations).hasSize(2);
        fixture.disconnectJobMaster(2);
        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isTrue();
    }

    @Test
    void f12_aDisconnectBeforeTheAnswerToTheRegistrationEndsIt() {
        CompletableFuture<RegistrationResponse> late = new CompletableFuture<>();
        RegistrationResponse accepted = now(jobMaster.answer);
        jobMaster.answer = late;
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.disconnectJobMaster(1);
        jobMaster.answer = CompletableFuture.completedStage(accepted);
        late.complete(accepted);
        assertThat(jobMaster.offers).isEmpty();
        jobMaster.instance = 2;
        fixture.passTime(1_000, 1);

        assertThat(jobMaster.offers).hasSize(1);
        assertThat(slots()).extracting(SlotReport.Slot::active).containsExactly(true);
    }

    @Test
    void f12_aDeploymentAfterTheDisconnectDoesNotKeepTheSlot() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.rpc.withdraw(fixture.leader.name());
        fixture.disconnectJobMaster(1);

        assertThat(fixture.answerTo(fixture.leaderId, 0, 1, "dataflow").verdict())
                .isEqualTo(DeploymentVerdict.NOT_NOW);
        fixture.passTime(10_000);

        assertThat(slots()).isEmpty();
    }

    @Test
    void f12_aJobMasterThatAnswersWithAnotherRegistrationHasForgottenTheWorker() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);
        jobMaster.instance = 2;

        fixture.jobMasterChanged(fixture.leader, true);

        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isTrue();
        fixture.passTime(1_000, 1);
        assertThat(jobMaster.offers).hasSize(2);
    }

    @Test
    void f12_aDisconnectFromAnotherJobMasterHasNoEffect() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        JobMasterId previous = new JobMasterId(ref(fixture.leader.name(), 0).token());

        now(fixture.worker.disconnectJobMaster(JOB, previous, new InstanceId(1), true, "finished"));
        now(fixture.worker.disconnectJobMaster(JOB, previous, new InstanceId(1), false, "lost"));

        assertThat(slots()).extracting(SlotReport.Slot::active).containsExactly(true);
        assertThat(jobMaster.registrations).hasSize(1);
    }

    @Test
    void f14_theWorkerDoesNotRegisterAtAResourceManagerOfAnOlderEpoch() {
        fixture.registered();
        EndpointRef older = ref(EndpointName.RESOURCE_MANAGER, 0);
        FakeResourceManager deposed = new FakeResourceManager();
        fixture.rpc.connect(older, deposed);
        fixture.rpc.publish(older);

        now(fixture.worker.disconnectResourceManager(fixture.masterId, "stopping"));
        fixture.time.advance(10_000);
        assertThat(deposed.registrations).isEmpty();
        fixture.rpc.publish(fixture.master);
        fixture.time.advance(2_000);

        assertThat(fixture.resourceManager.registrations).hasSize(2);
    }

    @Test
    void f24_aJobMasterIsLostAfterTwoFailedCallsInARowBeforeTheHeartbeatTimeout() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);
        for (int call = 0; call < 10; call++) {
            jobMaster.updateFailures.add(new RpcException(RpcException.Kind.UNREACHABLE, "no route"));
        }

        fixture.runtime.tasks.get(attempt(0)).context.readyToCommit(List.of());
        fixture.passTime(1_000);
        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled)
                .as("retries at the same time count as one failure")
                .isFalse();
        fixture.passTime(3_000);

        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isTrue();
    }

    @Test
    void f24_aHeartbeatBetweenFailedCallsResetsTheCount() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);
        for (int call = 0; call < 10; call++) {
            jobMaster.updateFailures.add(new RpcException(RpcException.Kind.UNREACHABLE, "no route"));
        }

        fixture.runtime.tasks.get(attempt(0)).context.readyToCommit(List.of());
        fixture.passTime(8_000, 1);

        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isFalse();
    }

    @Test
    void f24_aJobMasterIsLostAtOnceWhenAnotherOneAnswersInstead() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);
        jobMaster.updateFailures.add(new RpcException(RpcException.Kind.FENCED, "another token"));

        fixture.runtime.tasks.get(attempt(0)).context.readyToCommit(List.of());

        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isTrue();
        assertThat(jobMaster.registrations).as("the worker registers again").hasSize(2);
    }

    @Test
    void f24_theWorkerOnlyRegistersAgainWhenAnotherResourceManagerAnswersInstead() {
        fixture.registered();
        fixture.allocate(fixture.request(1), fixture.request(2));
        fixture.deploy(0, 2);
        fixture.resourceManager.failure = new RpcException(RpcException.Kind.FENCED, "another token");

        fixture.free(1, "not needed");

        assertThat(fixture.resourceManager.registrations).hasSize(2);
        assertThat(fixture.resourceManager.registrations.get(1).slots().slots())
                .extracting(SlotReport.Slot::allocation)
                .containsExactly(slot(2));
        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isFalse();
    }

    @Test
    void aRegistrationThatFailsAtTheJobMasterIsRepeatedWhileTheSlotsWait() {
        RegistrationResponse accepted = now(jobMaster.answer);
        jobMaster.answer = CompletableFuture.failedStage(new RpcException(RpcException.Kind.FAILED, "oops"));
        fixture.registered();
        fixture.allocate(fixture.request(1));

        fixture.passTime(2_000);
        assertThat(jobMaster.registrations).hasSize(1);
        jobMaster.answer = CompletableFuture.completedStage(accepted);
        fixture.passTime(1_000);

        assertThat(jobMaster.registrations).hasSize(2);
        assertThat(slots()).extracting(SlotReport.Slot::active).containsExactly(true);
    }

    @Test
    void aLateAcceptanceOfASlotThatIsGoneFailsItAtTheJobMaster() {
        fixture.registered();
        jobMaster.holdOffers = true;
        fixture.allocate(fixture.request(1));
        fixture.free(1, "not needed");

        jobMaster.held.get(0).complete(new AcceptedSlots(List.of(slot(1))));

        assertThat(jobMaster.failed).containsExactly(slot(1));
    }
}
