package io.berth.simulator.decisions;

import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.JudgementBuilder;
import io.berth.spi.scaling.ParallelismBuilder;
import io.berth.spi.scaling.ScalingPolicy;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;

/** A scaling policy that wants what the job requests. */
public final class AsDesired implements ScalingPolicyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("as-desired", "for a test");
    }

    @Override
    public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context) {
        return Session::new;
    }

    private record Session(JobView job) implements ScalingSession {

        @Override
        public void delta() {}

        @Override
        public void desire(ParallelismBuilder result) {
            for (int vertex = 0; vertex < job.vertices(); vertex++) {
                result.parallelism(vertex, job.desired(vertex));
            }
        }

        @Override
        public void judge(FeasibleChange change, JudgementBuilder result) {
            result.decline();
        }

        @Override
        public void close() {}
    }
}
