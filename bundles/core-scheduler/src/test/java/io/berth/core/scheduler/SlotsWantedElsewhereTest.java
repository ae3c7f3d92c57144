package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.task.TaskState;
import io.berth.spi.AllocationId;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The ResourceManager asks for slots that the job requires, because a policy wants them elsewhere. */
class SlotsWantedElsewhereTest {

    private final Harness harness = new Harness();

    private FakeWorker runOnFourSlots(int minimum) {
        harness.start(wordCount(minimum, 4));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 4, "default", SLOT);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(parallelism()).isEqualTo(4);
        return worker;
    }

    private int parallelism() {
        return harness.details().vertices().get(0).parallelism();
    }

    private static List<AllocationId> slots(int... numbers) {
        return IntStream.of(numbers)
                .mapToObj(number -> new AllocationId(1, number))
                .toList();
    }

    private List<AllocationId> ask(int... numbers) {
        List<AllocationId> returned = Harness.now(harness.jobMaster()
                .requestSlotReturn(harness.resourceManagerId(), slots(numbers), true, "a big job needs them"));
        harness.time.advance(100);
        return returned;
    }

    @Test
    void aRunningJobRestartsWithoutThem() {
        FakeWorker worker = runOnFourSlots(1);
        assertThat(ask(2, 4)).containsExactlyElementsOf(slots(2, 4));
        JobDetails details = harness.details();
        assertThat(details.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(parallelism()).isEqualTo(2);
        assertThat(worker.freed).containsExactlyElementsOf(slots(2, 4));
        assertThat(worker.tasks.keySet())
                .allSatisfy(attempt -> assertThat(attempt.execution()).isEqualTo(2));
        assertThat(details.rescales()).isEqualTo(1);
        assertThat(details.restarts()).isZero();
        assertThat(details.history())
                .anySatisfy(transition -> assertThat(transition.reason())
                        .isEqualTo(
                                "rescales from source 4, split 4, count 4, sink 4 to source 2, split 2, count 2, sink 2:"
                                        + " slots are returned: a big job needs them"));
    }

    @Test
    void itKeepsItsMinimum() {
        FakeWorker worker = runOnFourSlots(3);
        assertThat(ask(1, 2, 3, 4)).hasSize(1);
        assertThat(parallelism()).isEqualTo(3);
        assertThat(ask(1, 2, 3, 4)).isEmpty();
        assertThat(worker.freed).hasSize(1);
        assertThat(parallelism()).isEqualTo(3);
    }

    @Test
    void aPromisedSlotIsNotPromisedTwiceAndIsReturnedAfterTheTasksHaveEnded() {
        FakeWorker worker = runOnFourSlots(1);
        worker.ignoresCancel = true;
        assertThat(ask(4)).containsExactlyElementsOf(slots(4));
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        assertThat(worker.freed).isEmpty();
        assertThat(ask(4)).isEmpty();
        worker.ignoresCancel = false;
        List.copyOf(worker.tasks.keySet()).forEach(attempt -> worker.update(attempt, TaskState.CANCELED));
        harness.time.advance(100);
        assertThat(worker.freed).containsExactlyElementsOf(slots(4));
        assertThat(parallelism()).isEqualTo(3);
    }

    @Test
    void theResourceManagersLearnWhatTheRestartCost() {
        FakeWorker worker = runOnFourSlots(1);
        worker.ignoresCancel = true;
        ask(4);
        harness.time.advance(700);
        assertThat(declaredCost()).as("it is not over").isEmpty();
        worker.ignoresCancel = false;
        List.copyOf(worker.tasks.keySet()).forEach(attempt -> worker.update(attempt, TaskState.CANCELED));
        harness.time.advance(100);
        assertThat(declaredCost()).isEqualTo(harness.details().measures().lastRescaleMillis());
        assertThat(declaredCost().orElseThrow()).isBetween(700L, 900L);

        int before = harness.resourceManager.declarations.size();
        harness.restartResourceManager();
        harness.directory.change();
        harness.time.advance(1_000);
        assertThat(harness.resourceManager.declarations).hasSizeGreaterThan(before);
        assertThat(declaredCost()).isEqualTo(harness.details().measures().lastRescaleMillis());
    }

    private Optional<Long> declaredCost() {
        return harness.resourceManager.lastDeclaration().lastRescaleMillis();
    }

    @Test
    void aReplacementTakesItsPlaceLater() {
        runOnFourSlots(1);
        ask(1);
        FakeWorker other = harness.worker("w2");
        assertThat(other.offer(5, 5, "default", SLOT)).hasSize(1);
        harness.time.advance(1_000);
        assertThat(parallelism()).isEqualTo(4);
        harness.finishAll();
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FINISHED);
    }

    @Test
    void aSlotThatNothingUsesYetIsReturnedAtOnce() {
        harness.start(wordCount(2, 4));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 2, "default", SLOT);
        harness.time.advance(60_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        worker.offer(3, 3, "default", SLOT);
        assertThat(ask(3)).containsExactlyElementsOf(slots(3));
        assertThat(worker.freed).containsExactlyElementsOf(slots(3));
        assertThat(harness.details().rescales()).isZero();
    }

    @Test
    void aJobThatCommitsReturnsNothing() {
        FakeWorker worker = runOnFourSlots(1);
        List.copyOf(worker.tasks.keySet()).forEach(worker::ready);
        assertThat(worker.commits).isNotEmpty();
        assertThat(ask(4)).isEmpty();
        assertThat(harness.details().rescales()).isZero();
    }

    @Test
    void withoutAScalingPolicyThePromiseIsKeptWhenOneDecides() {
        FakeWorker worker = runOnFourSlots(1);
        harness.policies.decides = false;
        assertThat(ask(4)).containsExactlyElementsOf(slots(4));
        assertThat(parallelism()).isEqualTo(4);
        assertThat(worker.freed).isEmpty();
        assertThat(ask(3, 4)).as("nothing more is promised").isEmpty();
        harness.policies.decides = true;
        harness.policies.changed.run();
        harness.time.advance(10_000);
        assertThat(parallelism()).isEqualTo(3);
        assertThat(worker.freed).containsExactlyElementsOf(slots(4));
        assertThat(ask(3)).containsExactlyElementsOf(slots(3));
    }

    @Test
    void aSlotThatLeavesIsReturnedWhenAFailureRestartsTheJobFirst() {
        FakeWorker worker = runOnFourSlots(1);
        harness.policies.decides = false;
        ask(4);
        worker.fail(worker.tasks.firstKey(), "a test", false);
        harness.policies.decides = true;
        harness.policies.changed.run();
        harness.time.advance(10_000);
        assertThat(worker.freed).containsExactlyElementsOf(slots(4));
        assertThat(parallelism()).isEqualTo(3);
    }
}
