package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.berth.core.api.job.JobMeasures.Means;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.task.TaskMetrics.Activity;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** When the scaling policy is asked (FLIP-160). */
class ScalingReviewsTest {

    private final Harness harness = new Harness();

    private void run() {
        harness.start(wordCount(1, 4));
        harness.worker("w1").offer(1, 4, "default", SLOT);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
    }

    private int asksWithin(long millis) {
        int before = harness.policies.scalings;
        harness.time.advance(millis);
        return harness.policies.scalings - before;
    }

    @Test
    void aRunningJobIsAskedAgainWhenItsPolicyWishedIt() {
        harness.policies.scalingReviewMillis = OptionalLong.of(5_000);
        run();
        assertThat(asksWithin(4_999)).isZero();
        assertThat(asksWithin(1)).isEqualTo(1);
        harness.policies.scalingReviewMillis = OptionalLong.empty();
        assertThat(asksWithin(5_000)).isEqualTo(1);
        assertThat(asksWithin(600_000)).isZero();
    }

    @Test
    void aFailedDecisionDoesNotEndTheReviews() {
        harness.policies.scalingReviewMillis = OptionalLong.of(5_000);
        run();
        harness.policies.decides = false;
        assertThat(asksWithin(5_000)).isEqualTo(1);
        assertThat(asksWithin(5_000)).isEqualTo(1);
        harness.policies.decides = true;
        assertThat(asksWithin(10_000)).isEqualTo(2);
    }

    private void report(FakeWorker worker, long seconds, long idleSeconds) {
        worker.activity = Optional.of(
                new Activity(seconds * 1_000_000, idleSeconds * 1_000_000, 0, Optional.empty(), Optional.empty()));
        harness.time.advance(SchedulerConfiguration.DEFAULTS.heartbeatIntervalMillis());
    }

    private Means stopped() {
        return harness.policies.lastScaling.orElseThrow().stopped();
    }

    @Test
    void whatWasKnownOfTasksWhenTheyStoppedIsAskedWith() {
        harness.start(wordCount(1, 2));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 2, "default", SLOT);
        assertThat(stopped().isKnown()).as("nothing ran before").isFalse();
        harness.policies.decides = false;
        report(worker, 10, 0);
        // No decision is made between these reports and the failure.
        report(worker, 20, 3);
        worker.fail(harness.attempt("source", 0, 1), "no such file", false);
        harness.time.advance(60_000);
        assertThat(harness.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
        assertThat(harness.policies.lastScaling.orElseThrow().current()).containsOnly(0);
        assertThat(stopped().windowMillis()).hasValue(10_000L);
        assertThat(stopped().idle(0).orElseThrow()).isCloseTo(0.3, within(1e-9));
        assertThat(stopped().busy(0).orElseThrow()).isCloseTo(0.7, within(1e-9));
        worker.activity = Optional.empty();
        harness.policies.decides = true;
        harness.policies.scalingReviewMillis = OptionalLong.of(5_000);
        harness.policies.changed.run();
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(asksWithin(5_000)).isEqualTo(1);
        assertThat(stopped().isKnown()).as("it runs").isFalse();
        worker.fail(worker.tasks.firstKey(), "again", false);
        harness.time.advance(60_000);
        harness.policies.changed.run();
        assertThat(stopped().isKnown())
                .as("nothing was measured of the last tasks")
                .isFalse();
    }

    /** It starts when no slot has come for the timeout, however often the policy is asked meanwhile. */
    @Test
    void reviewsDoNotDelayTheStart() {
        long timeout = SchedulerConfiguration.DEFAULTS.resourceStabilization().timeoutMillis();
        harness.policies.scalingReviewMillis = OptionalLong.of(timeout / 3);
        harness.start(wordCount(1, 4));
        harness.worker("w1").offer(1, 2, "default", SLOT);
        assertThat(harness.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
        assertThat(asksWithin(timeout)).isPositive();
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
    }

    @Test
    void aWaitingJobIsAskedAgainWhenItsPolicyWishedIt() {
        harness.policies.scalingReviewMillis = OptionalLong.of(5_000);
        harness.start(wordCount(1, 4));
        assertThat(asksWithin(5_000)).isEqualTo(1);
        assertThat(asksWithin(5_000)).isEqualTo(1);
    }
}
