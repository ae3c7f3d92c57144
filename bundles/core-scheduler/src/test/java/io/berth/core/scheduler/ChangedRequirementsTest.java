package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.core.api.job.JobDetails.VertexDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.spi.AllocationId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Requirements that change while the job runs (FLIP-291; conformance 127). */
class ChangedRequirementsTest {

    private Harness harness = new Harness();
    private List<AllocationId> slots = List.of();

    private void require(long revision, int minimum, int desired, int maximum) {
        Harness.now(harness.jobMaster()
                .changeBounds(new ParallelismBounds(
                        revision,
                        Stream.of("source", "split", "count", "sink")
                                .map(vertex -> new VertexBounds(vertex, minimum, desired, maximum))
                                .toList())));
    }

    private FakeWorker runAtTwo() {
        harness.start(wordCount(1, 2));
        FakeWorker worker = harness.worker("w1");
        slots = worker.offer(1, 2, "default", SLOT);
        assertRunsAt(2);
        return worker;
    }

    private void assertRunsAt(int parallelism) {
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.details().vertices())
                .extracting(VertexDetails::parallelism)
                .containsOnly(parallelism);
    }

    private UnitRequirement unit() {
        return harness.resourceManager.lastDeclaration().units().get(0);
    }

    private int declared() {
        return unit().groups().get(0).desired();
    }

    @Test
    void c127_moreIsDeclaredAndUsedWhenItIsThere() {
        FakeWorker worker = runAtTwo();
        require(2, 1, 4, 4);
        harness.time.advance(60_000);
        assertThat(declared()).isEqualTo(4);
        assertRunsAt(2);
        assertThat(harness.details().vertices())
                .extracting(VertexDetails::maximum)
                .containsOnly(4);
        worker.offer(3, 4, "default", SLOT);
        harness.time.advance(60_000);
        assertRunsAt(4);
        assertThat(harness.details().rescales()).isEqualTo(1);
        assertThat(harness.details().restarts()).isZero();
    }

    @Test
    void c127_aLowerMaximumEndsTasksAndReturnsTheirSlots() {
        FakeWorker worker = runAtTwo();
        require(2, 1, 1, 1);
        harness.time.advance(60_000);
        assertRunsAt(1);
        assertThat(declared()).isEqualTo(1);
        harness.time.advance(600_000);
        assertThat(worker.freed).hasSize(1);
        assertThat(harness.details().restarts()).isZero();
    }

    /** The maximum is the user's word: no policy is asked whether it is worth a rescale. */
    @Test
    void aPolicyThatWouldRatherStayDoesNotKeepTheJobAboveItsMaximum() {
        runAtTwo();
        harness.policies.accepts = false;
        require(2, 1, 1, 1);
        harness.time.advance(60_000);
        assertRunsAt(1);
    }

    @Test
    void aHigherMinimumDoesNotStopTheJob() {
        FakeWorker worker = runAtTwo();
        require(2, 3, 4, 4);
        harness.time.advance(600_000);
        assertRunsAt(2);
        assertThat(harness.details().rescales()).isZero();
        assertThat(unit().groups().get(0).minimum()).isEqualTo(3);
        assertThat(unit().runsWithLess()).isTrue();
        worker.offer(3, 3, "default", SLOT);
        harness.time.advance(60_000);
        assertRunsAt(3);
        assertThat(unit().runsWithLess()).isFalse();
    }

    @Test
    void aSlotThatTheNewMinimumNeedsIsNotPromised() {
        runAtTwo();
        require(2, 2, 2, 2);
        assertThat(Harness.now(harness.jobMaster()
                        .requestSlotReturn(harness.resourceManagerId(), slots, true, "somebody needs them")))
                .isEmpty();
        harness.time.advance(60_000);
        assertRunsAt(2);
        assertThat(harness.details().rescales()).isZero();
    }

    @Test
    void aJobThatRanWithLessThanItsMinimumStartsAgainWithAllOfIt() {
        FakeWorker worker = runAtTwo();
        require(2, 3, 4, 4);
        harness.time.advance(60_000);
        worker.fail(worker.tasks.firstKey(), "a test", false);
        harness.time.advance(60_000);
        assertThat(harness.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
        assertThat(unit().runsWithLess()).isFalse();
        worker.offer(3, 3, "default", SLOT);
        harness.time.advance(60_000);
        assertRunsAt(3);
    }

    @Test
    void aJobThatRestartsStartsWithinItsNewBounds() {
        FakeWorker worker = runAtTwo();
        worker.fail(worker.tasks.firstKey(), "a test", false);
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        require(2, 1, 1, 1);
        harness.time.advance(60_000);
        assertRunsAt(1);
    }

    @Test
    void aJobThatIsAboutToStartStartsWithinItsNewBounds() {
        harness.start(wordCount(2, 2));
        harness.time.advance(1_000);
        harness.policies.holdsScalings = true;
        harness.worker("w1").offer(1, 2, "default", SLOT);
        harness.time.advance(1_000);
        assertThat(harness.status()).isEqualTo(JobStatus.CREATING_EXECUTION_GRAPH);
        require(2, 1, 1, 1);
        harness.policies.holdsScalings = false;
        harness.policies.answerScalings();
        assertRunsAt(1);
    }

    @Test
    void theWaitForResourcesStartsAgainWithOtherRequirements() {
        harness = new Harness(Configurations.resourceWait(10_000));
        harness.start(wordCount(3, 3));
        harness.time.advance(9_000);
        require(2, 2, 2, 2);
        harness.time.advance(9_000);
        assertThat(harness.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
        harness.time.advance(2_000);
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FAILED);
    }

    @Test
    void aWaitingJobStartsWithWhatItRequiresNow() {
        harness.start(wordCount(3, 3));
        harness.worker("w1").offer(1, 2, "default", SLOT);
        harness.time.advance(10_000);
        assertThat(harness.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
        require(2, 2, 2, 2);
        harness.time.advance(60_000);
        assertRunsAt(2);
    }

    @Test
    void requirementsThatWereOvertakenHaveNoEffect() {
        runAtTwo();
        require(3, 1, 1, 1);
        require(2, 1, 4, 4);
        require(3, 1, 4, 4);
        harness.time.advance(60_000);
        assertRunsAt(1);
        assertThat(declared()).isEqualTo(1);
    }

    @Test
    void changesThatFollowEachOtherAreOneRescale() {
        FakeWorker worker = runAtTwo();
        require(2, 1, 4, 4);
        harness.time.advance(60_000);
        worker.offer(3, 4, "default", SLOT);
        require(3, 1, 3, 3);
        harness.time.advance(60_000);
        assertRunsAt(3);
        assertThat(harness.details().rescales()).isEqualTo(1);
    }

    @Test
    void aQuestionOnItsWayIsAskedAgainWithTheNewBounds() {
        runAtTwo();
        harness.policies.holdsScalings = true;
        harness.policies.changed.run();
        harness.time.advance(60_000);
        require(2, 1, 1, 1);
        harness.policies.holdsScalings = false;
        harness.policies.answerScalings();
        harness.time.advance(60_000);
        assertRunsAt(1);
        assertThat(harness.policies.open.get()).isEqualTo(1);
    }
}
