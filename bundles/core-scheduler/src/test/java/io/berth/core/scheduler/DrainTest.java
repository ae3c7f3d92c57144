package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.JobMasterGateway.LeavingWorker;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.core.api.task.TaskState;
import io.berth.spi.AllocationId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Workers of a running job leave: it takes other slots first and restarts once. */
class DrainTest {

    private static final WorkerLeave BY_ANN = new WorkerLeave(WorkerLeave.NO_DEADLINE, "drained by ann");
    private static final WorkerLeave SOON = new WorkerLeave(60_000, "drained by ann");

    private final Harness harness = new Harness();
    private long lists;

    private FakeWorker runOnFourSlots(int minimum) {
        harness.start(wordCount(minimum, 4));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 4, "default", SLOT);
        harness.time.advance(100);
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

    private void leave(WorkerLeave leave, FakeWorker... workers) {
        List<LeavingWorker> leaving = new ArrayList<>();
        for (FakeWorker worker : workers) {
            leaving.add(new LeavingWorker(worker.id, leave));
        }
        Harness.now(harness.jobMaster().blockWorkers(harness.resourceManagerId(), ++lists, List.of(), leaving));
    }

    private void assertMovedOnce() {
        JobDetails details = harness.details();
        assertThat(details.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(details.restarts()).as("it is no failure").isZero();
        assertThat(details.rescales()).isEqualTo(1);
        assertThat(details.history())
                .anySatisfy(transition ->
                        assertThat(transition.reason()).isEqualTo("moves from worker w1: drained by ann"));
    }

    @Test
    void aJobMovesOnceWhenItHasOtherSlots() {
        FakeWorker first = runOnFourSlots(2);
        leave(BY_ANN, first);
        assertThat(first.freed).as("they are in use").isEmpty();
        assertThat(harness.details().reason())
                .startsWith("moves from worker w1: drained by ann; waits for other slots");
        FakeWorker second = harness.worker("w2");
        assertThat(second.offer(5, 7, "default", SLOT)).hasSize(3);
        harness.time.advance(600_000);
        assertThat(harness.details().rescales()).as("one is missing").isZero();
        assertThat(first.tasks).isNotEmpty();

        assertThat(second.offer(8, 8, "default", SLOT)).hasSize(1);
        harness.time.advance(100);
        assertMovedOnce();
        assertThat(parallelism()).isEqualTo(4);
        assertThat(first.freed).containsExactlyElementsOf(slots(1, 2, 3, 4));
        assertThat(first.tasks).isEmpty();
        harness.time.advance(600_000);
        assertMovedOnce();
        harness.finishAll();
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FINISHED);
    }

    @Test
    void beforeTheDeadlineItRunsOnWhatThereIs() {
        FakeWorker first = runOnFourSlots(2);
        leave(SOON, first);
        FakeWorker second = harness.worker("w2");
        second.offer(5, 7, "default", SLOT);
        harness.time.advance(49_000);
        assertThat(harness.details().rescales()).isZero();
        harness.time.advance(10_000);
        assertMovedOnce();
        assertThat(parallelism()).isEqualTo(3);
        assertThat(first.freed).containsExactlyElementsOf(slots(1, 2, 3, 4));
    }

    @Test
    void aMaximumThatWasLoweredWhileItsWorkerLeftIsFollowedWhenTheWorkerStays() {
        FakeWorker first = runOnFourSlots(1);
        leave(BY_ANN, first);
        Harness.now(harness.jobMaster()
                .changeBounds(new ParallelismBounds(
                        2,
                        Stream.of("source", "split", "count", "sink")
                                .map(vertex -> new VertexBounds(vertex, 1, 2, 2))
                                .toList())));
        harness.time.advance(60_000);
        assertThat(parallelism()).as("it has no slot elsewhere").isEqualTo(4);
        leave(BY_ANN);
        harness.time.advance(60_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(parallelism()).isEqualTo(2);
    }

    /** The job runs on four slots of a worker that leaves, and has none elsewhere. Advances until it restarts. */
    private long restartsAfter(long millis, LongFunction<WorkerLeave> said) {
        FakeWorker first = runOnFourSlots(2);
        leave(said.apply(0), first);
        for (long passed = 0; passed < millis; passed += 500) {
            if (harness.status() != JobStatus.EXECUTING) {
                return passed;
            }
            harness.time.advance(500);
            leave(said.apply(passed + 500), first);
        }
        throw new AssertionError("it did not restart within " + millis + " ms");
    }

    @Test
    void listsOfTheSameDeadlineDoNotMoveTheRestart() {
        // Messages take their time, so that the deadline differs a little each time.
        assertThat(restartsAfter(60_000, passed -> new WorkerLeave(60_000 - passed + passed % 400, "drained by ann")))
                .isBetween(49_500L, 50_500L);
    }

    @Test
    void ofAShortDeadlineTheHalfStaysFreeWhateverIsListedInBetween() {
        assertThat(restartsAfter(12_000, passed -> new WorkerLeave(12_000 - passed, "drained by ann")))
                .isBetween(5_500L, 6_500L);
    }

    @Test
    void anEarlierDeadlineNeverDelaysTheRestart() {
        assertThat(restartsAfter(60_000, passed -> new WorkerLeave((passed < 45_000 ? 60_000 : 58_000) - passed, "x")))
                .isBetween(47_500L, 50_500L);
    }

    @Test
    void aLaterDeadlineMovesTheRestart() {
        assertThat(restartsAfter(90_000, passed -> new WorkerLeave((passed < 45_000 ? 60_000 : 80_000) - passed, "x")))
                .isBetween(69_500L, 70_500L);
    }

    @Test
    void belowItsMinimumItRunsUntilTheDeadlineAndThenWaits() {
        FakeWorker first = runOnFourSlots(2);
        leave(SOON, first);
        FakeWorker second = harness.worker("w2");
        second.offer(5, 5, "default", SLOT);
        harness.time.advance(49_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        harness.time.advance(10_000);
        assertThat(harness.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
        assertThat(harness.details().restarts()).isZero();
        assertThat(first.freed).containsExactlyElementsOf(slots(1, 2, 3, 4));
        second.offer(6, 8, "default", SLOT);
        harness.time.advance(60_000);
        assertThat(parallelism()).isEqualTo(4);
        assertMovedOnce();
    }

    @Test
    void anUndrainInTheMiddleEndsTheMove() {
        FakeWorker first = runOnFourSlots(2);
        leave(SOON, first);
        FakeWorker second = harness.worker("w2");
        second.offer(5, 7, "default", SLOT);
        leave(SOON);
        harness.time.advance(600_000);
        assertThat(harness.details().rescales()).isZero();
        assertThat(harness.details().reason()).isEmpty();
        assertThat(first.freed).isEmpty();
        assertThat(second.freed).as("the replacements are too many now").containsExactlyElementsOf(slots(5, 6, 7));
    }

    @Test
    void aWorkerThatStaysWhileTheTasksEndKeepsItsSlots() {
        FakeWorker first = runOnFourSlots(2);
        first.ignoresCancel = true;
        leave(BY_ANN, first);
        FakeWorker second = harness.worker("w2");
        second.offer(5, 8, "default", SLOT);
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        leave(BY_ANN);
        first.ignoresCancel = false;
        List.copyOf(first.tasks.keySet()).forEach(attempt -> first.update(attempt, TaskState.CANCELED));
        harness.time.advance(100);
        assertThat(first.freed).isEmpty();
        assertThat(parallelism()).isEqualTo(4);
        assertMovedOnce();
    }

    @Test
    void itStillMovesWhileItRegistersAgain() {
        FakeWorker first = runOnFourSlots(2);
        leave(SOON, first);
        harness.restartResourceManager();
        harness.directory.change();
        assertThat(first.offer(9, 9, "default", SLOT)).as("it leaves").isEmpty();
        harness.time.advance(51_000);
        assertThat(first.freed).as("the deadline counts").containsExactlyElementsOf(slots(1, 2, 3, 4));
    }

    @Test
    void theNextResourceManagerMayEndTheMove() {
        FakeWorker first = runOnFourSlots(2);
        leave(SOON, first);
        harness.restartResourceManager();
        harness.directory.change();
        lists = 0;
        leave(SOON);
        harness.time.advance(600_000);
        assertThat(harness.details().rescales()).isZero();
        assertThat(first.freed).isEmpty();
    }

    @Test
    void slotsThatAreLostWithoutATaskNeedNoMove() {
        harness.start(wordCount(1, 4));
        FakeWorker first = harness.worker("w1");
        first.offer(1, 1, "default", SLOT);
        FakeWorker second = harness.worker("w2");
        second.offer(2, 4, "default", SLOT);
        harness.time.advance(100);
        leave(SOON, first);
        List.copyOf(first.tasks.keySet()).forEach(attempt -> first.update(attempt, TaskState.FINISHED));
        Harness.now(harness.jobMaster().failSlot(first.id, first.session, slots(1).get(0), "it is gone"));
        harness.time.advance(600_000);
        assertThat(harness.details().history())
                .as("the scaling policy may rescale, but nothing moves")
                .noneSatisfy(transition -> assertThat(transition.reason()).startsWith("moves from"));
        assertThat(harness.details().restarts()).isZero();
        assertThat(harness.details().reason()).isEmpty();
    }

    @Test
    void aLostWorkerIsAFailureAndTheReplacementsAreUsed() {
        FakeWorker first = runOnFourSlots(2);
        leave(SOON, first);
        FakeWorker second = harness.worker("w2");
        second.offer(5, 7, "default", SLOT);
        harness.giveUp(first, "it was preempted early");
        harness.time.advance(60_000);
        assertThat(harness.details().restarts()).isEqualTo(1);
        assertThat(harness.details().rescales()).isZero();
        assertThat(parallelism()).isEqualTo(3);
    }

    @Test
    void nothingIsReturnedWhileSlotsMove() {
        FakeWorker first = runOnFourSlots(1);
        leave(BY_ANN, first);
        FakeWorker second = harness.worker("w2");
        second.offer(5, 7, "default", SLOT);
        for (boolean aboveMinimum : new boolean[] {true, false}) {
            assertThat(Harness.now(harness.jobMaster()
                            .requestSlotReturn(
                                    harness.resourceManagerId(), slots(1, 2, 5, 6, 7), aboveMinimum, "others")))
                    .isEmpty();
        }
        harness.time.advance(60_000);
        assertThat(second.freed).isEmpty();
    }

    @Test
    void scalingDecisionsDoNotRestartItInBetween() {
        FakeWorker first = runOnFourSlots(1);
        leave(BY_ANN, first);
        harness.worker("w2").offer(5, 7, "default", SLOT);
        harness.policies.changed.run();
        harness.time.advance(600_000);
        assertThat(harness.details().rescales()).isZero();
        assertThat(parallelism()).isEqualTo(4);
        leave(BY_ANN);
        harness.time.advance(600_000);
        assertThat(harness.details().rescales()).isZero();
    }

    @Test
    void itMovesWhenItDesiresNoMoreThanItHasElsewhere() {
        FakeWorker first = runOnFourSlots(2);
        leave(BY_ANN, first);
        harness.worker("w2").offer(5, 6, "default", SLOT);
        harness.time.advance(60_000);
        assertThat(harness.details().rescales()).isZero();
        harness.policies.mostDesired = 2;
        harness.policies.changed.run();
        harness.time.advance(60_000);
        assertMovedOnce();
        assertThat(parallelism()).isEqualTo(2);
        assertThat(first.freed).containsExactlyElementsOf(slots(1, 2, 3, 4));
    }

    @Test
    void freeSlotsGoAtOnceAndOffersAreRefused() {
        harness.start(wordCount(2, 4));
        FakeWorker first = harness.worker("w1");
        assertThat(first.offer(1, 1, "default", SLOT)).hasSize(1);
        leave(BY_ANN, first);
        assertThat(first.freed).containsExactlyElementsOf(slots(1));
        assertThat(first.offer(2, 2, "default", SLOT)).isEmpty();
        assertThat(harness.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
    }

    @Test
    void aFailureMovesItToo() {
        FakeWorker first = runOnFourSlots(2);
        leave(BY_ANN, first);
        FakeWorker second = harness.worker("w2");
        second.offer(5, 7, "default", SLOT);
        first.fail(first.tasks.firstKey(), "a test", false);
        harness.time.advance(60_000);
        assertThat(first.freed).containsExactlyElementsOf(slots(1, 2, 3, 4));
        assertThat(parallelism()).isEqualTo(3);
        assertThat(harness.details().restarts()).isEqualTo(1);
        assertThat(harness.details().rescales()).isZero();
    }

    @Test
    void aJobThatCommitsDoesNotMove() {
        FakeWorker first = runOnFourSlots(1);
        List.copyOf(first.tasks.keySet()).forEach(first::ready);
        assertThat(first.commits).isNotEmpty();
        leave(new WorkerLeave(0, "its host ends"), first);
        harness.time.advance(1_000);
        assertThat(harness.details().rescales()).isZero();
    }
}
