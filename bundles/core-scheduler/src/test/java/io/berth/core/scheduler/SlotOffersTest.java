package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.vertex;
import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.JobMasterGateway.AcceptedSlots;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.job.JobDetails.SlotDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class SlotOffersTest {

    private static final ResourceProfile LARGE = ResourceProfile.of(2_000, 1L << 30);

    private final Harness harness = new Harness();

    @Test
    void acceptsARepeatedOfferWithoutEffect() {
        harness.start(wordCount(3, 3));
        FakeWorker worker = harness.worker("w1");
        assertThat(worker.offer(1, 2, "default", SLOT)).hasSize(2);
        assertThat(worker.offer(1, 2, "default", SLOT)).containsExactly(new AllocationId(1, 1), new AllocationId(1, 2));
        assertThat(harness.details().slots()).hasSize(2);
    }

    @Test
    void rejectsSlotsThatAreNotRequired() {
        harness.start(wordCount(2, 2));
        FakeWorker worker = harness.worker("w1");
        assertThat(worker.offer(1, 3, "default", SLOT)).hasSize(2);
        assertThat(harness.policies.assignments).isEmpty();
    }

    @Test
    void keepsTheSlotsOfThePreviousJobMasterUntilTheFirstDecision() {
        harness.policies.decides = false;
        harness.start(wordCount(2, 2));
        FakeWorker worker = harness.worker("w1");
        assertThat(worker.offer(1, 3, "default", SLOT)).hasSize(3);
        harness.time.advance(60_000);
        assertThat(worker.freed).isEmpty();

        harness.policies.decides = true;
        harness.policies.changed.run();
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        harness.time.advance(9_000);
        assertThat(worker.freed).as("idle time starts with the first decision").isEmpty();
        harness.time.advance(2_000);
        assertThat(worker.freed).containsExactly(new AllocationId(1, 3));
    }

    @Test
    void matchesSlotsFromBeforeTheFirstDecisionToTheGroupsThatLackThem() {
        harness.policies.decides = false;
        harness.start(Jobs.graph(List.of(vertex("a", 1, 1, "left"), vertex("b", 1, 1, "right")), List.of()));
        assertThat(harness.worker("w1").offer(1, 2, "left", SLOT)).hasSize(2);
        harness.policies.decides = true;
        harness.policies.changed.run();
        assertThat(harness.details().slots()).extracting(SlotDetails::group).containsExactly("left", "right");
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
    }

    @Test
    void tellsAWorkerThatIsNotRegisteredToRegisterBeforeItOffers() {
        harness.start(wordCount(1, 1));
        List<SlotOffer> offers = List.of(FakeWorker.offer(1, "default", SLOT));
        FakeWorker stranger = new FakeWorker(harness.rpc, harness.jobMaster(), "w9", 1);
        assertThat(Harness.now(stranger.offerSlots(offers))).isEqualTo(AcceptedSlots.NOT_REGISTERED);
        harness.worker("w9", 2);
        assertThat(Harness.now(stranger.offerSlots(offers))).isEqualTo(AcceptedSlots.NOT_REGISTERED);
        assertThat(harness.details().slots()).isEmpty();
    }

    @Test
    void tellsAWorkerThatIsLostWhileTheStrategyDecidesThatItIsNotRegistered() {
        harness.start(Jobs.graph(List.of(vertex("a", 1, 1, "left"), vertex("b", 1, 1, "right")), List.of()));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 1, "left", SLOT);
        harness.policies.holdsAssignments = true;
        CompletionStage<AcceptedSlots> answer = worker.offerSlots(List.of(FakeWorker.offer(2, "left", SLOT)));
        assertThat(harness.policies.assignments).hasSize(1);
        harness.giveUp(worker, "its process ended");
        harness.policies.holdsAssignments = false;
        harness.policies.answerAssignments();

        assertThat(Harness.now(answer)).isEqualTo(AcceptedSlots.NOT_REGISTERED);
        assertThat(harness.details().slots()).isEmpty();
    }

    @Test
    void rejectsAProfileThatIsNotEqual() {
        harness.start(wordCount(1, 1));
        assertThat(harness.worker("w1").offer(1, 1, "default", LARGE)).isEmpty();
        assertThat(harness.policies.assignments).hasSize(1);
    }

    @Test
    void offersMayComeInAnyOrderAndLate() {
        harness.start(wordCount(2, 4));
        FakeWorker worker = harness.worker("w1");
        worker.offer(FakeWorker.offer(4, "default", SLOT));
        worker.offer(FakeWorker.offer(2, "default", SLOT));
        harness.time.advance(3_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(worker.offer(FakeWorker.offer(3, "default", SLOT), FakeWorker.offer(1, "default", SLOT)))
                .hasSize(2);
        harness.time.advance(1_000);
        assertThat(harness.details().vertices().get(0).parallelism()).isEqualTo(4);
    }

    @Test
    void asksTheMatchingStrategyAboutSlotsForAFullGroup() {
        harness.start(Jobs.graph(List.of(vertex("a", 1, 1, "left"), vertex("b", 1, 1, "right")), List.of()));
        FakeWorker worker = harness.worker("w1");
        assertThat(worker.offer(1, 1, "left", SLOT)).hasSize(1);
        assertThat(worker.offer(2, 2, "left", SLOT)).hasSize(1);
        assertThat(harness.policies.assignments).hasSize(1);
        assertThat(harness.details().slots()).extracting(SlotDetails::group).containsExactly("left", "right");
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
    }

    @Test
    void eachGroupGetsSlotsOfItsProfile() {
        harness.start(Jobs.graph(List.of(vertex("a", 1, 1, "small"), vertex("b", 1, 1, "large")), List.of()));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 1, "large", LARGE);
        worker.offer(2, 2, "small", SLOT);
        assertThat(worker.deployments.get(harness.attempt("b", 0, 1)).allocation())
                .isEqualTo(new AllocationId(1, 1));
        assertThat(worker.deployments.get(harness.attempt("a", 0, 1)).allocation())
                .isEqualTo(new AllocationId(1, 2));
    }

    @Test
    void heartbeatsListTheSlotsOfEachWorker() {
        harness.start(wordCount(2, 2));
        FakeWorker first = harness.worker("w1");
        FakeWorker second = harness.worker("w2");
        first.offer(1, 1, "default", SLOT);
        second.offer(2, 2, "default", SLOT);
        harness.time.advance(1_000);
        assertThat(first.listedSlots).containsExactly(new AllocationId(1, 1));
        assertThat(second.listedSlots).containsExactly(new AllocationId(1, 2));
    }

    @Test
    void returnsNoRequiredSlotWhenTheResourceManagerAsks() {
        harness.start(wordCount(1, 2));
        harness.worker("w1").offer(1, 1, "default", SLOT);
        assertThat(Harness.now(harness.jobMaster()
                        .requestSlotReturn(
                                harness.resourceManagerId(), List.of(new AllocationId(1, 1)), false, "balance")))
                .isEmpty();
        assertThat(harness.details().slots()).hasSize(1);
    }

    @Test
    void returnsSlotsBelowTheMinimumWhenTheResourceManagerAsks() {
        harness.start(wordCount(2, 2));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 1, "default", SLOT);
        assertThat(Harness.now(harness.jobMaster()
                        .requestSlotReturn(
                                harness.resourceManagerId(), List.of(new AllocationId(1, 1)), false, "deadlock")))
                .containsExactly(new AllocationId(1, 1));
        assertThat(worker.freed).containsExactly(new AllocationId(1, 1));
        assertThat(harness.details().slots()).isEmpty();

        worker.offer(2, 3, "default", SLOT);
        assertThat(worker.deployments).as("the job starts with other slots").isNotEmpty();
    }
}
