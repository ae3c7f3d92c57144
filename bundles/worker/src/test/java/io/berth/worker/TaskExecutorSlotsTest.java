package io.berth.worker;

import static io.berth.worker.WorkerFixture.JOB;
import static io.berth.worker.WorkerFixture.ONE;
import static io.berth.worker.WorkerFixture.attempt;
import static io.berth.worker.WorkerFixture.fails;
import static io.berth.worker.WorkerFixture.now;
import static io.berth.worker.WorkerFixture.ref;
import static io.berth.worker.WorkerFixture.request;
import static io.berth.worker.WorkerFixture.slot;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.JobMasterGateway.AcceptedSlots;
import io.berth.core.api.gateway.ResourceManagerGateway.SlotFreed;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway.AllocatedSlots;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotsToFree;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcException;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TaskExecutorSlotsTest {

    private final WorkerFixture fixture = new WorkerFixture().registered();
    private final TaskExecutor worker = fixture.worker;
    private final FakeJobMaster jobMaster = fixture.jobMaster;

    @Test
    void flip6_offersGrantedSlotsInOneCallAndActivatesWhatIsAccepted() {
        assertThat(fixture.allocate(fixture.request(1), fixture.request(2))).containsExactly("", "");

        assertThat(jobMaster.registrations).hasSize(1);
        assertThat(jobMaster.offers).hasSize(1);
        assertThat(jobMaster.offers.get(0).offers())
                .extracting(offer -> offer.allocation())
                .containsExactly(slot(1), slot(2));
        assertThat(jobMaster.offers.get(0).offers().get(0).decision()).isEqualTo(5);
        assertThat(fixture.report().slots()).extracting(SlotReport.Slot::active).containsExactly(true, true);
    }

    @Test
    void repeatedRequestIsGrantedWithoutEffectAndAnotherProfileIsRefused() {
        fixture.allocate(fixture.request(1));

        assertThat(fixture.allocate(fixture.request(1))).containsExactly("");
        assertThat(fixture.allocate(request(1, ResourceProfile.of(2_000, 1), fixture.leader))
                        .get(0))
                .contains("allocation 1-1 is ACTIVE for job words");
        assertThat(fixture.report().slots()).hasSize(1);
        assertThat(jobMaster.offers).hasSize(1);
    }

    @Test
    void sumOfSlotsNeverExceedsTheTotal() {
        assertThat(fixture.allocate(request(1, ONE.times(3), fixture.leader), fixture.request(2), fixture.request(3)))
                .satisfiesExactly(
                        granted -> assertThat(granted).isEmpty(),
                        granted -> assertThat(granted).isEmpty(),
                        refused -> assertThat(refused)
                                .isEqualTo(
                                        "allocation 1-3 needs {1 cpu, 1 GiB}; free is {0 cpu, 0 B} of {4 cpu, 4 GiB}"));

        now(worker.freeSlots(new SlotsToFree(JOB, fixture.leaderId, List.of(slot(2)), "not needed")));
        assertThat(fixture.allocate(fixture.request(4))).containsExactly("");
    }

    @Test
    void emptyProfileIsRefused() {
        assertThat(fixture.allocate(request(1, ResourceProfile.ZERO, fixture.leader))
                        .get(0))
                .contains("a slot needs a size above zero");
    }

    @Test
    void requestOfAnotherResourceManagerIsRefused() {
        ResourceManagerId other =
                new ResourceManagerId(ref(EndpointName.RESOURCE_MANAGER, 9).token());

        assertThat(now(worker.requestSlots(new SlotRequests(other, List.of(fixture.request(1)))))
                        .answers()
                        .get(0)
                        .refusal())
                .contains("is not registered at ResourceManager");
        assertThat(fixture.report().slots()).isEmpty();
    }

    @Test
    void rejectedSlotIsFreedAndReported() {
        jobMaster.holdOffers = true;
        fixture.allocate(fixture.request(1), fixture.request(2));

        jobMaster.held.get(0).complete(new AcceptedSlots(List.of(slot(2))));

        assertThat(fixture.report().slots())
                .extracting(SlotReport.Slot::allocation)
                .containsExactly(slot(2));
        assertThat(fixture.resourceManager.freed)
                .extracting(SlotFreed::allocation)
                .containsExactly(slot(1));
    }

    @Test
    void failedOfferIsRepeatedWhileTheSlotExists() {
        jobMaster.holdOffers = true;
        fixture.allocate(fixture.request(1));
        jobMaster.held.get(0).completeExceptionally(new RpcException(RpcException.Kind.UNREACHABLE, "gone"));

        fixture.passTime(100);
        assertThat(jobMaster.offers).hasSize(2);
        jobMaster.held.get(1).complete(new AcceptedSlots(List.of(slot(1))));

        assertThat(fixture.report().slots()).extracting(SlotReport.Slot::active).containsExactly(true);
    }

    @Test
    void offerWithoutAnswerIsRepeated() {
        jobMaster.holdOffers = true;
        fixture.allocate(fixture.request(1));

        fixture.passTime(3_000);

        assertThat(jobMaster.offers).hasSizeGreaterThan(1);
        assertThat(fixture.report().slots()).extracting(SlotReport.Slot::active).containsExactly(false);
    }

    @Test
    void answerToASupersededOfferHasNoEffect() {
        jobMaster.holdOffers = true;
        fixture.allocate(fixture.request(1));
        fixture.allocate(fixture.request(2));
        assertThat(jobMaster.offers.get(1).offers()).hasSize(2);

        jobMaster.held.get(0).complete(new AcceptedSlots(List.of()));
        assertThat(fixture.report().slots()).hasSize(2);
        jobMaster.held.get(1).complete(new AcceptedSlots(List.of(slot(1), slot(2))));

        assertThat(fixture.report().slots()).extracting(SlotReport.Slot::active).containsExactly(true, true);
    }

    @Test
    void slotThatNoJobMasterAcceptsIsFreedAndALateAcceptanceFailsIt() {
        jobMaster.holdOffers = true;
        fixture.allocate(fixture.request(1));

        fixture.passTime(5_000);
        fixture.jobHeartbeat();
        fixture.passTime(5_000);
        assertThat(fixture.report().slots()).isEmpty();
        assertThat(fixture.resourceManager.freed)
                .extracting(SlotFreed::cause)
                .containsExactly("no JobMaster accepted it within 10000 ms");
        jobMaster.held.get(jobMaster.held.size() - 1).complete(new AcceptedSlots(List.of(slot(1))));

        assertThat(jobMaster.failed).containsExactly(slot(1));
    }

    @Test
    void activeSlotOutlivesTheTimerOfItsAllocation() {
        fixture.allocate(fixture.request(1));

        fixture.passTime(30_000, 1);

        assertThat(fixture.report().slots()).hasSize(1);
    }

    @Test
    void onlyTheOwnerFreesASlot() {
        fixture.allocate(fixture.request(1));

        now(worker.freeSlots(new SlotsToFree(
                JOB, new JobMasterId(ref(fixture.leader.name(), 9).token()), List.of(slot(1)), "stolen")));
        now(worker.freeSlots(new SlotsToFree(new JobId("other"), fixture.leaderId, List.of(slot(1)), "stolen")));
        assertThat(fixture.report().slots()).hasSize(1);
        now(worker.freeSlots(new SlotsToFree(JOB, fixture.leaderId, List.of(slot(1)), "done")));

        assertThat(fixture.report().slots()).isEmpty();
    }

    @Test
    void flip6_heartbeatOfTheJobMasterReconcilesBothWays() {
        fixture.allocate(fixture.request(1), fixture.request(2));

        fixture.jobHeartbeat(1, 7);
        assertThat(jobMaster.failed).containsExactly(slot(7));
        fixture.jobHeartbeat(1);
        assertThat(fixture.report().slots())
                .as("heartbeats that arrive together may be older than the acceptance")
                .hasSize(2);
        fixture.time.advance(2_000);
        fixture.jobHeartbeat(1);

        assertThat(fixture.report().slots())
                .extracting(SlotReport.Slot::allocation)
                .containsExactly(slot(1));
        assertThat(fixture.resourceManager.freed)
                .extracting(SlotFreed::allocation)
                .containsExactly(slot(2));
    }

    @Test
    void slotWithAPendingOfferIsNotFreedByReconciliation() {
        jobMaster.holdOffers = true;
        fixture.allocate(fixture.request(1));

        fixture.jobHeartbeat();
        fixture.jobHeartbeat();
        fixture.jobHeartbeat();

        assertThat(fixture.report().slots()).hasSize(1);
    }

    @Test
    void heartbeatOfAnUnknownJobMasterFails() {
        fails(
                worker.heartbeatFromJobMaster(
                        new AllocatedSlots(new JobId("other"), fixture.leaderId, 1, List.of(), Optional.empty())),
                "is not registered at JobMaster");
    }

    @Test
    void slotsWaitForALostJobMasterAndAreOfferedToTheNextOne() {
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);
        EndpointRef next = ref(fixture.leader.name(), 2);
        FakeJobMaster successor = new FakeJobMaster();
        fixture.rpc.connect(next, successor);
        fixture.rpc.withdraw(fixture.leader.name());

        fixture.passTime(10_500);
        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isTrue();
        assertThat(fixture.report().slots()).extracting(SlotReport.Slot::active).containsExactly(false);
        fixture.rpc.publish(next);
        fixture.passTime(3_000);

        assertThat(successor.offers).hasSize(1);
        assertThat(fixture.report().slots())
                .extracting(SlotReport.Slot::jobMaster)
                .containsExactly(new JobMasterId(next.token()));
        assertThat(fixture.report().slots()).extracting(SlotReport.Slot::active).containsExactly(true);
    }

    @Test
    void slotsOfAJobMasterThatStaysLostAreFreed() {
        fixture.allocate(fixture.request(1));
        fixture.rpc.withdraw(fixture.leader.name());

        fixture.passTime(21_000);

        assertThat(fixture.report().slots()).isEmpty();
        int searches = fixture.rpc.asked.size();
        fixture.passTime(20_000);
        assertThat(fixture.rpc.asked).as("the search for it has stopped").hasSize(searches);
    }

    @Test
    void requestForANewerJobMasterMovesTheJobAndAnOlderOneIsRefused() {
        fixture.allocate(fixture.request(1));
        EndpointRef next = ref(fixture.leader.name(), 2);
        FakeJobMaster successor = new FakeJobMaster();
        fixture.rpc.connect(next, successor);

        assertThat(fixture.allocate(request(2, ONE, next))).containsExactly("");
        assertThat(successor.offers.get(successor.offers.size() - 1).offers()).hasSize(2);

        assertThat(fixture.allocate(fixture.request(3)).get(0)).contains("is led by the newer JobMaster");
    }
}
