package io.berth.worker;

import static io.berth.worker.WorkerFixture.MASTER;
import static io.berth.worker.WorkerFixture.ONE;
import static io.berth.worker.WorkerFixture.attempt;
import static io.berth.worker.WorkerFixture.now;
import static io.berth.worker.WorkerFixture.ref;
import static io.berth.worker.WorkerFixture.request;
import static io.berth.worker.WorkerFixture.slot;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ResourceManagerGateway.SlotFreed;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswers;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.spi.ResourceProfile;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Allocations that survive a restart of the worker process: the end of section 1.8 of docs/behavior.md. */
class KeptAllocationsTest {

    private final FakeAllocationStore disk = new FakeAllocationStore();
    private final WorkerFixture fixture = new WorkerFixture(1, disk, MASTER);

    private CompletionStage<SlotRequestAnswers> requestSlots(long... numbers) {
        return fixture.worker.requestSlots(new SlotRequests(
                fixture.masterId,
                java.util.Arrays.stream(numbers).mapToObj(fixture::request).toList()));
    }

    private static WorkerFixture next(FakeAllocationStore disk) {
        return new WorkerFixture(2, disk, MASTER);
    }

    @Test
    void aProcessThatIsStartedAgainReportsAndOffersTheSameAllocations() {
        fixture.registered();
        fixture.allocate(fixture.request(1), fixture.request(2));
        assertThat(disk.allocations()).containsExactly(slot(1), slot(2));

        WorkerFixture restarted = next(disk).registered();

        assertThat(restarted.resourceManager.registrations.get(0).slots().slots())
                .extracting(SlotReport.Slot::allocation)
                .containsExactly(slot(1), slot(2));
        assertThat(restarted.jobMaster.registrations)
                .singleElement()
                .satisfies(
                        worker -> assertThat(worker.session().token().epoch()).isEqualTo(2));
        assertThat(restarted.jobMaster.offers.get(0).offers())
                .extracting(offer -> offer.allocation())
                .containsExactly(slot(1), slot(2));
        assertThat(restarted.jobMaster.offers.get(0).offers().get(0).decision()).isEqualTo(5);
        assertThat(restarted.report().slots())
                .extracting(SlotReport.Slot::active)
                .containsExactly(true, true);
        assertThat(restarted.deploy(0, 1)).isEmpty();
    }

    @Test
    void restoredSlotsThatNoJobMasterAcceptsAreFreedAfterTheTimeout() {
        fixture.registered();
        fixture.allocate(fixture.request(1));

        WorkerFixture restarted = next(disk);
        restarted.rpc.withdraw(restarted.leader.name());
        restarted.jobMaster.unreachable = true;
        restarted.registered();
        restarted.passTime(10_000);

        assertThat(restarted.report().slots()).isEmpty();
        assertThat(restarted.resourceManager.freed)
                .extracting(SlotFreed::allocation)
                .containsExactly(slot(1));
        assertThat(disk.kept).isEmpty();
    }

    @Test
    void slotsThatDoNotFitOnASmallerWorkerAreNotRestored() {
        fixture.registered();
        fixture.allocate(request(1, ONE.times(3), fixture.leader));
        List<io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest> kept = disk.kept;
        disk.kept = List.of(kept.get(0), request(2, ResourceProfile.of(2_000, 1), fixture.leader));

        WorkerFixture restarted = next(disk).registered();

        assertThat(restarted.report().slots())
                .extracting(SlotReport.Slot::allocation)
                .containsExactly(slot(1));
        assertThat(disk.allocations()).containsExactly(slot(1));
    }

    @Test
    void aSlotIsGrantedAndOfferedOnlyWhenItsAllocationIsKept() {
        fixture.registered();
        disk.held = true;

        CompletionStage<SlotRequestAnswers> answer = requestSlots(1);

        assertThat(answer.toCompletableFuture()).isNotDone();
        assertThat(fixture.jobMaster.offers).isEmpty();
        assertThat(fixture.report().slots())
                .as("it uses capacity, and the main thread is not blocked")
                .hasSize(1);
        disk.run();
        assertThat(now(answer).answers().get(0).granted()).isTrue();
        assertThat(fixture.jobMaster.offers).hasSize(1);
    }

    @Test
    void aRepeatedRequestIsAlsoAnsweredOnlyWhenTheAllocationIsKept() {
        fixture.registered();
        disk.held = true;
        CompletionStage<SlotRequestAnswers> first = requestSlots(1);

        CompletionStage<SlotRequestAnswers> second = requestSlots(1);
        assertThat(second.toCompletableFuture()).isNotDone();
        disk.run();

        assertThat(now(first).answers().get(0).granted()).isTrue();
        assertThat(now(second).answers().get(0).granted()).isTrue();
        assertThat(fixture.report().slots()).hasSize(1);
    }

    @Test
    void requestsDuringAWriteAreKeptTogetherByTheNextWrite() {
        fixture.registered();
        int before = disk.writes;
        disk.held = true;
        CompletionStage<SlotRequestAnswers> first = requestSlots(1);
        CompletionStage<SlotRequestAnswers> second = requestSlots(2);
        CompletionStage<SlotRequestAnswers> third = requestSlots(3);

        disk.run();

        assertThat(List.of(now(first), now(second), now(third)))
                .allMatch(answers -> answers.answers().get(0).granted());
        assertThat(disk.writes - before).isEqualTo(2);
        assertThat(disk.allocations()).containsExactly(slot(1), slot(2), slot(3));
    }

    @Test
    void aSlotWhoseAllocationCannotBeKeptIsRefusedWithTheReasonAndIsFree() {
        fixture.registered();
        disk.failure = Optional.of(new IOException("No space left on device"));

        assertThat(fixture.allocate(request(1, ONE.times(4), fixture.leader)))
                .containsExactly(
                        "worker w-1 cannot keep the allocation, so it is not granted: No space left on device");

        assertThat(fixture.report().slots()).isEmpty();
        assertThat(fixture.jobMaster.offers).isEmpty();
        disk.failure = Optional.empty();
        assertThat(fixture.allocate(request(2, ONE.times(4), fixture.leader))).containsExactly("");
    }

    @Test
    void aSlotThatIsFreedWhileItsAllocationIsWrittenIsNotGranted() {
        fixture.registered();
        disk.held = true;
        CompletionStage<SlotRequestAnswers> answer = requestSlots(1);

        fixture.passTime(10_000);
        disk.run();

        assertThat(now(answer).answers().get(0).refusal()).isEqualTo("it was freed before it was granted");
        assertThat(fixture.jobMaster.offers).isEmpty();
        assertThat(disk.kept).isEmpty();
    }

    @Test
    void aFreedSlotIsRemovedFromTheStoreEvenWhenTheFirstTryFailed() {
        fixture.registered();
        fixture.allocate(fixture.request(1), fixture.request(2));
        disk.failure = Optional.of(new IOException("No space left on device"));
        fixture.free(1, "not needed");
        assertThat(disk.allocations()).containsExactly(slot(1), slot(2));

        disk.failure = Optional.empty();
        fixture.passTime(5_000, 2);

        assertThat(disk.allocations()).containsExactly(slot(2));
    }

    @Test
    void aSlotThatIsBeingReleasedIsNotKept() {
        fixture.registered();
        fixture.runtime.slowCancel = true;
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);

        fixture.free(1, "restart");

        assertThat(fixture.report().slots()).as("its task is still ending").hasSize(1);
        assertThat(disk.kept).isEmpty();
    }

    @Test
    void theNewestJobMasterIsKeptWithTheSlot() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        EndpointRef next = ref(fixture.leader.name(), 2);
        fixture.rpc.connect(next, new FakeJobMaster());

        fixture.allocate(request(2, ONE, next));

        assertThat(disk.kept).extracting(kept -> kept.jobMaster()).containsExactly(next, next);
    }

    @Test
    void aWorkerThatShutsDownCleanlyKeepsNoAllocations() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);

        now(fixture.worker.close("the process ends"));

        assertThat(disk.kept).isEmpty();
        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isTrue();
    }

    @Test
    void aWorkerThatCannotReadItsAllocationsStartsWithoutSlots() {
        disk.failure = Optional.of(new IOException("Permission denied"));

        fixture.registered();

        assertThat(fixture.report().slots()).isEmpty();
    }
}
