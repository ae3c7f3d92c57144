package io.berth.core.policies.frame;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobMeasures;
import io.berth.core.api.job.JobMeasures.Means;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.api.policy.ScalingAdvisor.Feasible;
import io.berth.core.api.policy.ScalingAdvisor.ScalingInput;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.scaling.JobPast;
import java.util.List;
import java.util.TreeMap;

/**
 * Everything that went into one scaling decision, and what came out. Each frame is complete: it does not depend on earlier
 * ones. Immutable.
 *
 * @param job what policies see of it; see {@link #visible}
 * @param before what the view remembered before the input
 * @param time of the decision
 * @param zone id of the time zone
 * @param input state of the job
 * @param bounds what bounded the parallelism beside the slots, where the decision asked
 * @param scaling what happened with scaling policies
 * @param outcome of the decision
 * @param micros how long it took
 */
public record ScalingFrame(
        JobGraph job,
        JobPast before,
        DecisionTime time,
        String zone,
        Input input,
        List<Bound> bounds,
        List<PolicyStep> scaling,
        ScalingOutcome outcome,
        long micros)
        implements RecordedDecision {

    public ScalingFrame {
        bounds = List.copyOf(bounds);
        scaling = List.copyOf(scaling);
    }

    /** A {@link ScalingInput} without its limit, which is a function. */
    public record Input(
            long stateNumber, List<Integer> current, List<Integer> slots, JobMeasures measures, Means stopped) {

        public Input {
            current = List.copyOf(current);
            slots = List.copyOf(slots);
        }

        static Input of(ScalingInput input) {
            return new Input(input.stateNumber(), input.current(), input.slots(), input.measures(), input.stopped());
        }
    }

    /**
     * An answer of {@link io.berth.core.api.policy.ScalingAdvisor.Limit}.
     *
     * @param planned the parallelism that the slots allow
     */
    public record Bound(List<Integer> planned, Feasible feasible) {

        public Bound {
            planned = List.copyOf(planned);
        }
    }

    /** The part of a job that scaling policies see: no user code, and no configuration of it. */
    public static JobGraph visible(JobGraph job) {
        return new JobGraph(
                job.id(),
                "",
                0,
                SchedulingAttributes.DEFAULT,
                new TreeMap<>(),
                List.of(),
                job.vertices().stream()
                        .map(vertex -> new JobVertex(
                                vertex.name(),
                                "",
                                vertex.minimum(),
                                vertex.desired(),
                                vertex.maximum(),
                                vertex.maxParallelism(),
                                vertex.group(),
                                new TreeMap<>()))
                        .toList(),
                job.edges().stream()
                        .map(edge -> new JobEdge(edge.from(), edge.to(), edge.partitioning()))
                        .toList(),
                job.groups());
    }

    @Override
    public long decision() {
        return outcome instanceof ScalingOutcome.Decided decided ? decided.decision() : 0;
    }

    @Override
    public DecisionType type() {
        return DecisionType.SCALING;
    }

    @Override
    public String pool() {
        return "";
    }
}
