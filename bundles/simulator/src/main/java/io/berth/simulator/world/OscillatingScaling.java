package io.berth.simulator.world;

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
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** A scaling policy that wants another parallelism at each call, until the world is calm. */
final class OscillatingScaling implements ScalingPolicyFactory {

    private final RandomGenerator random;
    private final BooleanSupplier calm;

    OscillatingScaling(RandomGenerator random, BooleanSupplier calm) {
        this.random = random;
        this.calm = calm;
    }

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("wavering", "Wants another parallelism each time");
    }

    @Override
    public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context) {
        return Session::new;
    }

    private final class Session implements ScalingSession {

        private final JobView job;
        private double share = 1;

        Session(JobView job) {
            this.job = job;
        }

        @Override
        public void delta() {
            // It reads the view.
        }

        private int wanted(int vertex) {
            return job.minimum(vertex) + (int) Math.round(share * (job.maximum(vertex) - job.minimum(vertex)));
        }

        @Override
        public void desire(ParallelismBuilder result) {
            if (!calm.getAsBoolean()) {
                share = random.nextDouble();
            }
            for (int vertex = 0; vertex < job.vertices(); vertex++) {
                result.parallelism(vertex, wanted(vertex));
            }
        }

        @Override
        public void judge(FeasibleChange change, JudgementBuilder result) {
            result.accept();
        }

        @Override
        public void close() {
            // Nothing to release.
        }
    }
}
