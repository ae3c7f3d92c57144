package io.berth.scaling.minimalincrease;

import io.berth.policy.support.scaling.ReasonText;
import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.JudgementBuilder;
import io.berth.spi.scaling.ParallelismBuilder;
import io.berth.spi.scaling.ScalingSession;
import java.util.OptionalLong;

/**
 * Judges a change by the cumulative parallelism of the job, as FLIP-160 describes it: the sum over all vertices, which
 * did not change since the last rescale, against the sum after the change. Decides from the view alone and keeps
 * nothing.
 */
final class MinimalIncreaseSession implements ScalingSession {

    private final JobView job;
    private final long increase;
    private final long cooldownMillis;
    private final long smallAfterMillis;

    MinimalIncreaseSession(JobView job, long increase, long cooldownMillis, long smallAfterMillis) {
        this.job = job;
        this.increase = increase;
        this.cooldownMillis = cooldownMillis;
        this.smallAfterMillis = smallAfterMillis;
    }

    @Override
    public void delta() {
        // It has no state to update.
    }

    @Override
    public void desire(ParallelismBuilder result) {
        for (int vertex = 0; vertex < job.vertices(); vertex++) {
            result.parallelism(vertex, job.maximum(vertex));
        }
    }

    @Override
    public void judge(FeasibleChange change, JudgementBuilder result) {
        long gain = 0;
        boolean complete = true;
        for (int vertex = 0; vertex < job.vertices(); vertex++) {
            gain += change.parallelism(vertex) - job.current(vertex);
            complete &= change.parallelism(vertex) == job.maximum(vertex);
        }
        if (gain < 0) {
            result.accept();
            result.reason("the slots allow " + -gain + " tasks less");
        } else if (gain == 0) {
            result.decline();
            result.reason("the change gains no task");
        } else if (gain >= increase || complete) {
            acceptAfter(job.lastRescale(), cooldownMillis, "the cooldown ends", gain, result);
        } else if (smallAfterMillis == 0) {
            result.decline();
            result.reason(gained(gain) + ", less than the increase of " + increase + " that is worth a restart");
        } else {
            OptionalLong since = job.lastRescale().isPresent() ? job.lastRescale() : job.runningSince();
            acceptAfter(since, smallAfterMillis, "less than " + increase + " is worth a restart", gain, result);
        }
    }

    private void acceptAfter(OptionalLong since, long millis, String then, long gain, JudgementBuilder result) {
        long left = since.isPresent() ? millis - (job.now() - since.getAsLong()) : 0;
        if (left <= 0) {
            result.accept();
            result.reason(gained(gain));
        } else {
            result.reviewAfter(left);
            result.reason(gained(gain) + ": " + then + " in " + ReasonText.duration(left));
        }
    }

    private static String gained(long gain) {
        return "gains " + gain + (gain == 1 ? " task" : " tasks");
    }

    @Override
    public void close() {
        // Nothing to release.
    }
}
