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
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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
        return scaling(job -> session(job, share, reviewMillis));
    }

    private static ScalingPolicyContract scaling(ScalingPolicy policy) {
        return () -> new ScalingPolicyFactory() {
            @Override
            public PolicyDescription describe() {
                return new PolicyDescription("wrong", "breaks a contract");
            }

            @Override
            public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context) {
                return policy;
            }
        };
    }

    private interface Desiring {
        void desire(JobView job, ParallelismBuilder result);
    }

    /** Accepts each change. */
    private static ScalingPolicyContract desiring(Desiring desiring) {
        return scaling(job -> new ScalingSession() {
            @Override
            public void delta() {}

            @Override
            public void desire(ParallelismBuilder result) {
                desiring.desire(job, result);
            }

            @Override
            public void judge(FeasibleChange change, JudgementBuilder result) {
                result.accept();
            }

            @Override
            public void close() {}
        });
    }

    private static void desireAll(JobView job, ParallelismBuilder result) {
        for (int vertex = 0; vertex < job.vertices(); vertex++) {
            result.parallelism(vertex, job.desired(vertex));
        }
    }

    /** Uses each result in the next call again. */
    private static <T> BiConsumer<T, Consumer<T>> late() {
        AtomicReference<Optional<T>> before = new AtomicReference<>(Optional.empty());
        return (result, use) -> before.getAndSet(Optional.of(result)).ifPresent(use);
    }

    private static void elsewhere(Runnable use) {
        CompletableFuture.runAsync(use).join();
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

    private static void assertBroken(ThrowingCallable contract, String what) {
        assertThatThrownBy(contract).isInstanceOf(AssertionError.class).hasMessageContaining(what);
    }

    private static void reclaim(DemandsView demands, AdmissionBuilder result, int unit) {
        int above = demands.allocated(unit, 0) - demands.minimum(unit, 0);
        if (above > 0) {
            result.reclaim(unit, 0, above, "why not");
        }
    }

    private static void admitAll(DemandsView demands, AdmissionBuilder result) {
        for (int unit = 0; unit < demands.limit(); unit++) {
            if (demands.candidate(unit)) {
                result.admitMinimum(unit);
                for (int group = 0; group < demands.groups(unit); group++) {
                    int missing = demands.desired(unit, group)
                            - Math.max(demands.minimum(unit, group), demands.allocated(unit, group));
                    if (missing > 0) {
                        result.admit(unit, group, missing);
                    }
                }
            }
        }
    }

    private static void reclaimFirst(DemandsView demands, AdmissionBuilder result) {
        for (int unit = 0; unit < demands.limit(); unit++) {
            boolean has = demands.present(unit) && demands.allocated(unit, 0) > demands.minimum(unit, 0);
            if (has && demands.returnable(unit)) {
                result.reclaim(unit, 0, 1, "why not");
                return;
            }
        }
    }

    @Test
    void whatIsReclaimedComesToAnEnd() {
        assertBroken(
                distribution((demands, result) -> {
                    admitAll(demands, result);
                    reclaimFirst(demands, result);
                })::reclaimsOnlyForALimitedTime,
                "in which it reclaims slots: ");
        DistributionPolicyContract content = distribution((demands, result) -> {
            admitAll(demands, result);
            if (demands.now() < 3_600_000) {
                reclaimFirst(demands, result);
            }
        });
        assertThatCode(content::reclaimsOnlyForALimitedTime).doesNotThrowAnyException();
    }

    @Test
    void whatTheHostIgnoresIsNotReclaimed() {
        assertBroken(
                distribution((demands, result) -> {
                    for (int unit = 0; unit < demands.limit(); unit++) {
                        if (demands.present(unit) && demands.returnable(unit)) {
                            reclaim(demands, result, unit);
                        }
                    }
                })::reclaimsOnlyForALimitedTime,
                "slots in one decision, of which only the first 64 count");
        DistributionPolicyContract insistent = distribution((demands, result) -> {
            admitAll(demands, result);
            if (demands.present(0)) {
                reclaim(demands, result, 0);
            }
        });
        assertBroken(insistent::admitsWithinTheRulesAndTheSameAfterDeltas, "its job may not be asked now");
        assertBroken(insistent::reclaimsOnlyForALimitedTime, "its job may not be asked now");
    }

    @Test
    void aRankThatBeginsEnds() {
        DistributionPolicyContract open = distribution((demands, result) -> {
            result.beginRank();
            admitAll(demands, result);
        });
        assertBroken(open::admitsWithinTheRulesWhateverIsPlacedOfARank, "begins a rank and does not end it");
        DistributionPolicyContract equal = distribution((demands, result) -> {
            result.beginRank();
            admitAll(demands, result);
            result.endRank();
        });
        assertThatCode(equal::admitsWithinTheRulesWhateverIsPlacedOfARank).doesNotThrowAnyException();
    }

    @Test
    void whatWasAdmittedIsNotPlacedForSure() {
        Set<Integer> admitted = new HashSet<>();
        DistributionPolicyContract trusting = distribution((demands, result) -> {
            for (int unit = 0; unit < demands.limit(); unit++) {
                int missing = demands.desired(unit, 0) - Math.max(demands.minimum(unit, 0), demands.allocated(unit, 0));
                if (demands.candidate(unit) && !admitted.add(unit) && missing > 0) {
                    result.admit(unit, 0, missing);
                } else if (demands.candidate(unit)) {
                    result.admitMinimum(unit);
                }
            }
        });
        assertBroken(trusting::admitsWithinTheRulesWhateverIsPlacedOfARank, "above its minimum before the minimum");
    }

    @Test
    void aDistributionPolicyUsesItsResultInTheCallAndOnItsThread() {
        BiConsumer<AdmissionBuilder, Consumer<AdmissionBuilder>> late = late();
        assertBroken(
                distribution((demands, result) -> late.accept(result, before -> before.admitMinimum(0)))
                        ::admitsWithinTheRulesAndTheSameAfterDeltas,
                "uses its result after the call");
        assertBroken(
                distribution((demands, result) -> elsewhere(() -> admitAll(demands, result)))
                        ::admitsWithinTheRulesAndTheSameAfterDeltas,
                "uses its result from another thread");
    }

    @Test
    void aScalingPolicyUsesItsResultInTheCallAndOnItsThread() {
        BiConsumer<ParallelismBuilder, Consumer<ParallelismBuilder>> late = late();
        assertBroken(
                desiring((job, result) -> {
                    desireAll(job, result);
                    late.accept(result, before -> before.reason("later"));
                })::decidesWithinTheRulesAndTheSameAfterDeltas,
                "uses its result after the call");
        assertBroken(
                desiring((job, result) -> elsewhere(() -> desireAll(job, result)))
                        ::decidesWithinTheRulesAndTheSameAfterDeltas,
                "uses its result from another thread");
        assertThatCode(desiring(WrongPoliciesTest::desireAll)::decidesWithinTheRulesAndTheSameAfterDeltas)
                .doesNotThrowAnyException();
    }

    /** The host refuses the first number, whatever follows. */
    @Test
    void tooMuchIsRefusedAlsoIfLessFollows() {
        ScalingPolicyContract clamping = desiring((job, result) -> {
            result.parallelism(0, job.maximum(0) + 1);
            desireAll(job, result);
        });
        assertBroken(clamping::decidesWithinTheRulesAndTheSameAfterDeltas, "is allowed");
        assertBroken(clamping::settlesOnAConstantLoad, "is allowed");
    }

    @Test
    void aChangeIsJudged() {
        ScalingPolicyContract silent = scaling(job -> new ScalingSession() {
            @Override
            public void delta() {}

            @Override
            public void desire(ParallelismBuilder result) {
                desireAll(job, result);
            }

            @Override
            public void judge(FeasibleChange change, JudgementBuilder result) {}

            @Override
            public void close() {}
        });
        assertBroken(silent::decidesWithinTheRulesAndTheSameAfterDeltas, "judges nothing");
    }

    @Test
    void aDistributionPolicyMayNotAskAllTheTime() {
        assertThatThrownBy(distribution((demands, result) -> result.reviewAfter(10))::asksToBeCalledAgainOnlyNowAndThen)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed 0: mean time");
        assertThatCode(distribution((demands, result) -> result.reviewAfter(5_000))::asksToBeCalledAgainOnlyNowAndThen)
                .doesNotThrowAnyException();
        DistributionPolicyContract impatient = distribution((demands, result) -> {
            if (demands.queues().size() > 1) {
                result.reviewAfter(10);
            }
        });
        assertThatCode(impatient::asksToBeCalledAgainOnlyNowAndThen).doesNotThrowAnyException();
        assertBroken(impatient::asksToBeCalledAgainOnlyNowAndThenForQueues, "mean time");
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
    void aScalingPolicyIsNotCalledBecauseItsJobHasStarted() {
        ScalingPolicyContract late = desiring((job, result) -> {
            if (job.current(0) > 0) {
                result.reviewAfter(60_000);
            }
            desireAll(job, result);
        });
        assertBroken(late::asksForACallAlsoBeforeTheJobRuns, "nobody calls it when the job has started");
    }

    @Test
    void aScalingPolicySettles() {
        assertThatThrownBy(scaling(job -> (int) (job.now() / 60_000 % 2), 60_000)::settlesOnAConstantLoad)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("rescales of 100 decisions under a load that does not change");
        assertThatCode(scaling(job -> 2, 60_000)::settlesOnAConstantLoad).doesNotThrowAnyException();
    }
}
