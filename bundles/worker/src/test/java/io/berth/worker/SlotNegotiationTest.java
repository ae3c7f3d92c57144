package io.berth.worker;

import static io.berth.worker.WorkerFixture.JOB;
import static io.berth.worker.WorkerFixture.ONE;
import static io.berth.worker.WorkerFixture.attempt;
import static io.berth.worker.WorkerFixture.now;
import static io.berth.worker.WorkerFixture.request;
import static io.berth.worker.WorkerFixture.slot;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.JobMasterGateway.AcceptedSlots;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway.SlotFreed;
import io.berth.core.api.gateway.SlotReport;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How a worker and a JobMaster agree on slots: sections 1.3 to 1.6 of docs/behavior.md. */
class SlotNegotiationTest {

    private final WorkerFixture fixture = new WorkerFixture().registered();
    private final FakeJobMaster jobMaster = fixture.jobMaster;

    private List<SlotReport.Slot> slots() {
        return fixture.report().slots();
    }

    @Test
    void aWorkerThatItsJobMasterRejectsFreesTheSlotsAndDoesNotRegisterAgain() {
        jobMaster.answer = CompletableFuture.completedStage(new RegistrationResponse.Rejected("job words has ended"));
        fixture.allocate(fixture.request(1), fixture.request(2));

        assertThat(slots()).isEmpty();
        assertThat(fixture.resourceManager.freed)
                .extracting(SlotFreed::allocation)
                .containsExactly(slot(1), slot(2));
        assertThat(fixture.resourceManager.freed.get(0).cause()).contains("job words has ended");
        fixture.passTime(60_000);
        assertThat(jobMaster.registrations).hasSize(1);
        assertThat(jobMaster.offers).isEmpty();
    }

    @Test
    void aRejectionThatArrivesAfterADeploymentFreesNothing() {
        jobMaster.holdOffers = true;
        fixture.allocate(fixture.request(1));
        assertThat(fixture.deploy(0, 1)).isEmpty();

        jobMaster.held.get(0).complete(new AcceptedSlots(List.of()));

        assertThat(slots()).extracting(SlotReport.Slot::active).containsExactly(true);
        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isFalse();
        assertThat(fixture.resourceManager.freed).isEmpty();
    }

    @Test
    void slotsAreOfferedAsSoonAsTheJobMasterHasAnsweredTheRegistration() {
        RegistrationResponse accepted = now(jobMaster.answer);
        CompletableFuture<RegistrationResponse> answer = new CompletableFuture<>();
        jobMaster.answer = answer;
        fixture.allocate(fixture.request(1), fixture.request(2));
        assertThat(jobMaster.offers).isEmpty();

        answer.complete(accepted);

        assertThat(jobMaster.offers)
                .singleElement()
                .satisfies(offer -> assertThat(offer.offers()).hasSize(2));
        assertThat(slots()).extracting(SlotReport.Slot::active).containsExactly(true, true);
    }

    @Test
    void c57_slotsOfAWorkerThatWasGivenUpAreOfferedAgainAndFreedWhenNothingNeedsThem() {
        fixture.allocate(fixture.request(1), fixture.request(2));
        fixture.deploy(0, 1);
        jobMaster.holdOffers = true;
        jobMaster.instance = 2;
        fixture.disconnectJobMaster(1);
        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isTrue();
        fixture.passTime(1_000);
        assertThat(jobMaster.registrations).hasSize(2);

        jobMaster.held.get(jobMaster.held.size() - 1).complete(new AcceptedSlots(List.of(slot(2))));

        assertThat(slots()).extracting(SlotReport.Slot::allocation).containsExactly(slot(2));
        assertThat(fixture.resourceManager.freed)
                .extracting(SlotFreed::allocation)
                .containsExactly(slot(1));
    }

    @Test
    void aWorkerThatItsJobMasterNoLongerKnowsRegistersAgainAndOffersAllItsSlots() {
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);
        jobMaster.holdOffers = true;
        fixture.allocate(fixture.request(2));
        jobMaster.instance = 2;

        jobMaster.held.get(0).complete(AcceptedSlots.NOT_REGISTERED);
        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isTrue();
        fixture.passTime(1_000);

        assertThat(jobMaster.registrations).hasSize(2);
        assertThat(jobMaster.offers.get(jobMaster.offers.size() - 1).offers())
                .extracting(SlotOffer::allocation)
                .containsExactly(slot(1), slot(2));
        jobMaster.held.get(jobMaster.held.size() - 1).complete(new AcceptedSlots(List.of(slot(1), slot(2))));
        assertThat(slots()).extracting(SlotReport.Slot::active).containsExactly(true, true);
        assertThat(fixture.resourceManager.freed).isEmpty();
    }

    @Test
    void aReportNamesEachSlotWithItsOwnerItsSizeAndHowManyTasksItRuns() {
        fixture.allocate(fixture.request(1), request(2, ONE.times(2), fixture.leader));
        fixture.deploy(0, 1);
        fixture.deploy(1, 1);

        assertThat(slots())
                .containsExactly(
                        new SlotReport.Slot(slot(1), JOB, fixture.leaderId, "all", "default", ONE, true, 2, 5),
                        new SlotReport.Slot(
                                slot(2), JOB, fixture.leaderId, "all", "default", ONE.times(2), true, 0, 5));
    }
}
