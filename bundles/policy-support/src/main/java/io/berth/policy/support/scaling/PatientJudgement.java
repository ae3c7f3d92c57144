package io.berth.policy.support.scaling;

import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.JudgementBuilder;

/**
 * Judges a change towards what a policy desires, so that slots that arrive one by one do not restart the job one by
 * one. It accepts a change that takes away nothing that is desired, and that makes at least half of the desired
 * increase. A smaller part of it is accepted only when the job has run for some time. So while slots arrive, each
 * restart either brings a job half of the way nearer, or comes at least this time after the one before.
 *
 * <p>It keeps nothing: it decides from the view, the change and what is desired.
 */
public final class PatientJudgement {

    private final JobView job;
    private final long waitMillis;

    /** Waits so long, since the job started to run, for the greater part of an increase; at most a day. */
    public PatientJudgement(JobView job, long waitMillis) {
        this.job = job;
        this.waitMillis = waitMillis;
    }

    /** Judges the change; {@code desired} is what the same decision desires for each vertex. */
    public void judge(int[] desired, FeasibleChange change, JudgementBuilder result) {
        long wanted = 0;
        long possible = 0;
        long lost = 0;
        for (int vertex = 0; vertex < desired.length; vertex++) {
            int current = job.current(vertex);
            int feasible = change.parallelism(vertex);
            wanted += Math.max(0, desired[vertex] - current);
            possible += Math.max(0, feasible - current);
            lost += Math.max(0, Math.min(current, desired[vertex]) - feasible);
        }
        if (lost > 0) {
            // The core restarts a job whose slots are lost; before that, the tasks that run are worth more.
            result.decline();
            result.reason("the slots allow " + lost + " tasks less than what runs and is desired");
        } else if (2 * possible >= wanted) {
            result.accept();
        } else {
            waitForSlots(wanted, possible, result);
        }
    }

    private void waitForSlots(long wanted, long possible, JudgementBuilder result) {
        long left = waitMillis - (job.now() - job.runningSince().orElse(job.now()));
        if (left <= 0) {
            result.accept();
            result.reason("has slots for " + possible + " of " + wanted + " more tasks");
        } else {
            result.reviewAfter(left);
            result.reason("waits at most " + ReasonText.duration(left) + " for slots: there are some for " + possible
                    + " of " + wanted + " more tasks");
        }
    }
}
