package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.JudgementBuilder;
import io.berth.spi.scaling.ParallelismBuilder;
import io.berth.spi.scaling.ScalingPolicy;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

/** Each contract of distribution and scaling policies fails for a policy that breaks it, and only then. */
class WrongPoliciesTest {

    private interface Admitting {
        void admit(DemandsView demands, AdmissionBuilder result);
    }

    private static DistributionPolicyContract distribution(Admitting admitting) {
        return () -> new DistributionPolicyFactory() {
            @Override
            public PolicyDescription describe() {
                return new PolicyDescription("wrong", "breaks a contract");
            }

            @Override
            public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context) {
                return demands -> new AdmissionSession() {
                    @Override
                    public void delta(int[] changed) {}

                    @Override
                    public void admit(AdmissionBuilder result) {
                        admitting.admit(demands, result);
                    }

                    @Override
                    public void close() {}
                };
            }
        };
    }

    /** Desires a parallelism of all vertices at a time, and accepts each change. */
    private static ScalingPolicyContract scaling(ToIntFunction<JobView> share, long reviewMillis) {
        return () -> new ScalingPolicyFactory() {
            @Override
            public PolicyDescription describe() {
                return new PolicyDescription("wrong", "breaks a contract");
            }

            @Override
            public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context) {
                return job -> session(job, share, reviewMillis);
            }
        };
    }

    private static ScalingSession session(JobView job, ToIntFunction<JobView> share, long reviewMillis) {
        return new ScalingSession() {
            @Override
            public void delta() {}

            @Override
            public void desire(ParallelismBuilder result) {
                for (int vertex = 0; vertex < job.vertices(); vertex++) {
                    result.parallelism(
                            vertex, Math.min(job.maximum(vertex), job.minimum(vertex) + share.applyAsInt(job)));
                }
                result.reviewAfter(reviewMillis);
            }

            @Override
            public void judge(FeasibleChange change, JudgementBuilder result) {
                result.accept();
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void anAdmissionThatTheHostRejectsFails() {
        DistributionPolicyContract greedy = distribution((demands, result) -> {
            for (int unit = 0; unit < demands.limit(); unit++) {
                if (demands.candidate(unit) && demands.groups(unit) > 0) {
                    result.admit(unit, 0, 1_000);
                }
            }
        });
        assertThatThrownBy(greedy::admitsWithinTheRulesAndTheSameAfterDeltas)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the rule of admission that it breaks")
                .hasMessageContaining("admits ");
    }

    @Test
    void aDistributionPolicyMayNotAskAllTheTime() {
        assertThatThrownBy(distribution((demands, result) -> result.reviewAfter(10))::asksToBeCalledAgainOnlyNowAndThen)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed 0: mean time");
        assertThatCode(distribution((demands, result) -> result.reviewAfter(5_000))::asksToBeCalledAgainOnlyNowAndThen)
                .doesNotThrowAnyException();
    }

    @Test
    void aScalingPolicyMayNotAskAllTheTime() {
        assertThatThrownBy(scaling(job -> 0, 10)::asksToBeCalledAgainOnlyNowAndThen)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed 0: mean time");
        assertThatCode(scaling(job -> 0, 5_000)::asksToBeCalledAgainOnlyNowAndThen)
                .doesNotThrowAnyException();
    }

    @Test
    void aScalingPolicySettles() {
        assertThatThrownBy(scaling(job -> (int) (job.now() / 60_000 % 2), 60_000)::settlesOnAConstantLoad)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("rescales of 100 decisions under a load that does not change");
        assertThatCode(scaling(job -> 2, 60_000)::settlesOnAConstantLoad).doesNotThrowAnyException();
    }
}
