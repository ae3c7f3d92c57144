package io.berth.worker;

import static io.berth.worker.WorkerFixture.JOB;
import static io.berth.worker.WorkerFixture.ONE;
import static io.berth.worker.WorkerFixture.attempt;
import static io.berth.worker.WorkerFixture.now;
import static io.berth.worker.WorkerFixture.ref;
import static io.berth.worker.WorkerFixture.request;
import static io.berth.worker.WorkerFixture.slot;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.JobMasterGateway.AcceptedSlots;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffers;
import io.berth.core.api.gateway.JobMasterGateway.TaskUpdate;
import io.berth.core.api.gateway.ResourceManagerGateway.SlotFreed;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.task.TaskHandle.Outcome;
import io.berth.core.api.task.TaskState;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Behaviors 79 to 89 of docs/conformance.md. */
class TaskExecutorConformanceTest {

    private final WorkerFixture fixture = new WorkerFixture();
    private final FakeJobMaster jobMaster = fixture.jobMaster;

    private List<SlotReport.Slot> slots() {
        return fixture.report().slots();
    }

    @Test
    void c79_anAllocationOfAnotherJobOrProfileIsRefusedAndTheSlotStaysAsItWas() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        SlotRequest otherJob = new SlotRequest(slot(1), new JobId("other"), fixture.leader, "all", "default", ONE, 6);

        assertThat(fixture.allocate(otherJob).get(0)).contains("allocation 1-1 is ACTIVE for job words");
        assertThat(fixture.allocate(request(1, ONE.times(2), fixture.leader)).get(0))
                .contains("allocation 1-1 is ACTIVE for job words with {1 cpu, 1 GiB}");

        assertThat(slots()).singleElement().satisfies(slot -> {
            assertThat(slot.job()).isEqualTo(JOB);
            assertThat(slot.profile()).isEqualTo(ONE);
        });
    }

    @Test
    void c81_anUnknownProfileGetsTheDefaultSlotOfTheWorker() {
        fixture.registered();

        assertThat(fixture.allocate(request(1, ResourceProfile.UNKNOWN, fixture.leader)))
                .containsExactly("");
        assertThat(fixture.allocate(request(1, ResourceProfile.UNKNOWN, fixture.leader)))
                .containsExactly("");

        assertThat(slots()).extracting(SlotReport.Slot::profile).containsExactly(ONE);
        assertThat(jobMaster.offers.get(0).offers().get(0).profile()).isEqualTo(ONE);
        assertThat(fixture.allocate(request(2, ONE.times(3), fixture.leader), request(3, ONE, fixture.leader)))
                .as("it uses capacity like any other slot")
                .satisfiesExactly(
                        granted -> assertThat(granted).isEmpty(),
                        refused -> assertThat(refused).contains("free"));
    }

    @Test
    void c83_freeingASlotFailsItsTasksAndTheSlotIsGoneAfterTheLast() {
        fixture.registered();
        fixture.runtime.slowCancel = true;
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);
        fixture.deploy(1, 1);

        fixture.free(1, "restart");
        fixture.runtime.tasks.get(attempt(0)).end.complete(new Outcome.Canceled());
        assertThat(slots()).extracting(SlotReport.Slot::tasks).containsExactly(1);
        assertThat(fixture.resourceManager.freed).isEmpty();
        fixture.runtime.tasks.get(attempt(1)).end.complete(new Outcome.Canceled());

        assertThat(slots()).isEmpty();
        assertThat(fixture.resourceManager.freed)
                .extracting(SlotFreed::allocation)
                .containsExactly(slot(1));
        assertThat(jobMaster.states())
                .containsExactly(TaskState.RUNNING, TaskState.RUNNING, TaskState.FAILED, TaskState.FAILED);
        assertThat(jobMaster.updates.get(3)).extracting(TaskUpdate::cause).isEqualTo("its slot was freed: restart");
    }

    @Test
    void c83_aTaskThatIsBeingCanceledWhenItsSlotIsFreedEndsAsCanceled() {
        fixture.registered();
        fixture.runtime.slowCancel = true;
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);

        now(fixture.worker.cancelTasks(fixture.leaderId, List.of(attempt(0))));
        fixture.free(1, "restart");
        fixture.runtime.tasks.get(attempt(0)).end.complete(new Outcome.Canceled());

        assertThat(jobMaster.states()).containsExactly(TaskState.RUNNING, TaskState.CANCELED);
    }

    @Test
    void c85_aRejectedSlotIsNotFreedWhileAnotherOfferIsPending() {
        fixture.registered();
        jobMaster.holdOffers = true;
        fixture.allocate(fixture.request(1));
        fixture.allocate(fixture.request(2));

        jobMaster.held.get(0).complete(new AcceptedSlots(List.of()));
        assertThat(slots()).hasSize(2);
        jobMaster.held.get(1).complete(new AcceptedSlots(List.of(slot(2))));

        assertThat(slots()).extracting(SlotReport.Slot::allocation).containsExactly(slot(2));
    }

    @Test
    void c85_anAcceptedSlotIsNotActivatedWhileAnotherOfferIsPending() {
        fixture.registered();
        jobMaster.holdOffers = true;
        fixture.allocate(fixture.request(1));
        fixture.allocate(fixture.request(2));

        jobMaster.held.get(0).complete(new AcceptedSlots(List.of(slot(1))));
        assertThat(slots()).extracting(SlotReport.Slot::active).containsExactly(false, false);
        jobMaster.held.get(1).complete(new AcceptedSlots(List.of(slot(1), slot(2))));

        assertThat(slots()).extracting(SlotReport.Slot::active).containsExactly(true, true);
    }

    @Test
    void c85_offersOfOneJobDoNotSupersedeThoseOfAnother() {
        fixture.registered();
        JobId other = new JobId("other");
        EndpointRef otherLeader = ref(EndpointName.jobMaster(other), 1);
        FakeJobMaster otherMaster = new FakeJobMaster();
        fixture.rpc.connect(otherLeader, otherMaster);
        jobMaster.holdOffers = true;
        otherMaster.holdOffers = true;
        fixture.allocate(fixture.request(1));
        fixture.allocate(new SlotRequest(slot(2), other, otherLeader, "all", "default", ONE, 6));

        jobMaster.held.get(0).complete(new AcceptedSlots(List.of(slot(1))));
        assertThat(slots()).extracting(SlotReport.Slot::active).containsExactly(true, false);
        otherMaster.held.get(0).complete(new AcceptedSlots(List.of(slot(2))));

        assertThat(slots()).extracting(SlotReport.Slot::active).containsExactly(true, true);
    }

    @Test
    void c85_eachOfferHasAHigherNumberThanAllPreviousOnes() {
        fixture.registered();
        jobMaster.holdOffers = true;
        fixture.allocate(fixture.request(1));
        fixture.passTime(4_000);
        fixture.allocate(fixture.request(2));

        assertThat(jobMaster.offers).hasSizeGreaterThan(2);
        assertThat(jobMaster.offers).extracting(SlotOffers::number).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void c85_anAnswerToAnOfferFromBeforeTheJobMasterWasLostIsDiscarded() {
        fixture.registered();
        jobMaster.holdOffers = true;
        fixture.allocate(fixture.request(1));
        jobMaster.unreachable = true;
        fixture.disconnectJobMaster(1);

        jobMaster.held.get(0).complete(new AcceptedSlots(List.of()));

        assertThat(slots()).extracting(SlotReport.Slot::active).containsExactly(false);
    }

    @Test
    void c87_requestsAreRefusedWhileTheWorkerIsNotRegistered() {
        fixture.worker.start();

        assertThat(fixture.allocate(fixture.request(1)).get(0))
                .isEqualTo("worker w-1 is not registered at ResourceManager " + fixture.masterId);
        fixture.rpc.publish(fixture.master);
        fixture.time.advance(2_000);

        assertThat(slots()).isEmpty();
        assertThat(fixture.disk.kept).isEmpty();
        assertThat(fixture.allocate(fixture.request(1)))
                .as("the worker does not remember the refusal")
                .containsExactly("");
    }

    @Test
    void c87_requestsOfThePreviousResourceManagerAreRefusedAfterAnotherOneTookOver() {
        fixture.registered();
        EndpointRef next = ref(EndpointName.RESOURCE_MANAGER, 2);
        fixture.rpc.connect(next, fixture.resourceManager);
        fixture.rpc.publish(next);
        now(fixture.worker.disconnectResourceManager(fixture.masterId, "lost the leadership"));

        assertThat(fixture.allocate(fixture.request(1)).get(0)).contains("is not registered at ResourceManager");
        assertThat(now(fixture.worker.requestSlots(
                                new SlotRequests(new ResourceManagerId(next.token()), List.of(fixture.request(2)))))
                        .answers()
                        .get(0)
                        .granted())
                .isTrue();
    }

    @Test
    void c87_slotsAreOfferedAgainAfterAnOfferTimedOut() {
        fixture.registered();
        jobMaster.holdOffers = true;
        fixture.allocate(fixture.request(1));

        fixture.passTime(1_000);
        assertThat(jobMaster.offers).hasSize(2);
        jobMaster.held.get(0).complete(new AcceptedSlots(List.of()));
        assertThat(slots()).as("a late answer has no effect").hasSize(1);
        jobMaster.held.get(1).complete(new AcceptedSlots(List.of(slot(1))));

        assertThat(slots()).extracting(SlotReport.Slot::active).containsExactly(true);
    }

    @Test
    void c87_slotsAreFreedWhenTheJobMasterFailsToHandleAnOffer() {
        fixture.registered();
        jobMaster.holdOffers = true;
        fixture.allocate(fixture.request(1));

        jobMaster.held.get(0).completeExceptionally(new RpcException(RpcException.Kind.FAILED, "no such worker"));

        assertThat(slots()).isEmpty();
        assertThat(fixture.resourceManager.freed)
                .extracting(SlotFreed::cause)
                .containsExactly("its JobMaster failed to handle the offer: no such worker");
    }

    @Test
    void c87_leavesTheJobMasterForANewLeaderAndEndsItsTasks() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);
        EndpointRef next = ref(fixture.leader.name(), 2);
        FakeJobMaster successor = new FakeJobMaster();
        fixture.rpc.connect(next, successor);

        fixture.allocate(request(2, ONE, next));

        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isTrue();
        assertThat(successor.registrations).hasSize(1);
        assertThat(slots()).extracting(SlotReport.Slot::jobMaster).containsOnly(new JobMasterId(next.token()));
        assertThat(slots()).extracting(SlotReport.Slot::active).containsExactly(true, true);
        assertThat(fixture.deploy(1, 1)).as("the previous JobMaster").contains("does not own slot 1-1");
    }

    @Test
    void c89_theProcessEndsWhenTheMaximumRegistrationDurationIsOver() {
        fixture.worker.start();

        fixture.time.advance(59_999);
        assertThat(fixture.exits).isEmpty();
        fixture.time.advance(1);

        assertThat(fixture.exits).containsExactly(WorkerShutdown.EXIT_NO_RESOURCE_MANAGER);
    }

    @Test
    void c89_aRegistrationWithoutAnswerDoesNotStopTheClock() {
        fixture.resourceManager.answer = new CompletableFuture<>();
        fixture.registered();

        fixture.time.advance(60_000);

        assertThat(fixture.exits).containsExactly(WorkerShutdown.EXIT_NO_RESOURCE_MANAGER);
    }

    @Test
    void c89_theMaximumRegistrationDurationRestartsAtEachLossOfTheConnection() {
        fixture.registered();
        fixture.passTime(50_000);
        fixture.rpc.withdraw(EndpointName.RESOURCE_MANAGER);
        now(fixture.worker.disconnectResourceManager(fixture.masterId, "x"));
        fixture.time.advance(50_000);
        fixture.rpc.publish(fixture.master);
        fixture.time.advance(3_000);
        assertThat(fixture.resourceManager.registrations).hasSize(2);
        fixture.rpc.withdraw(EndpointName.RESOURCE_MANAGER);
        now(fixture.worker.disconnectResourceManager(fixture.masterId, "x"));

        fixture.time.advance(59_999);
        assertThat(fixture.exits).isEmpty();
        fixture.time.advance(1);

        assertThat(fixture.exits).containsExactly(WorkerShutdown.EXIT_NO_RESOURCE_MANAGER);
    }
}
