package io.berth.core.policies.frame;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.policy.ScalingAdvisor.ScalingInput;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.scaling.JobPast;
import java.util.ArrayList;
import java.util.List;

/** A scaling frame while its decision is made. Confined to the main thread of the advisor. */
public final class ScalingDraft {

    private final JobGraph job;
    private final JobPast before;
    private final DecisionTime time;
    private final String zone;
    private final ScalingInput input;
    private final List<PolicyStep> steps = new ArrayList<>();

    /** The parameters are those of {@link ScalingFrame}. */
    public ScalingDraft(JobGraph job, JobPast before, DecisionTime time, String zone, ScalingInput input) {
        this.job = job;
        this.before = before;
        this.time = time;
        this.zone = zone;
        this.input = input;
    }

    public void add(PolicyStep step) {
        steps.add(step);
    }

    public ScalingFrame finish(List<ScalingFrame.Bound> bounds, ScalingOutcome outcome, long micros) {
        return new ScalingFrame(job, before, time, zone, ScalingFrame.Input.of(input), bounds, steps, outcome, micros);
    }
}
