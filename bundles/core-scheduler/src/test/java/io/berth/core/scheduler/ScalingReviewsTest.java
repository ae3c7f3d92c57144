package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobStatus;
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

    @Test
    void aWaitingJobIsAskedAgainWhenItsPolicyWishedIt() {
        harness.policies.scalingReviewMillis = OptionalLong.of(5_000);
        harness.start(wordCount(1, 4));
        assertThat(asksWithin(5_000)).isEqualTo(1);
        assertThat(asksWithin(5_000)).isEqualTo(1);
    }
}
