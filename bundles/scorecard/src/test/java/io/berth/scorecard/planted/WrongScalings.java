package io.berth.scorecard.planted;

import io.berth.spi.InvalidConfigurationException;
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
import java.util.List;

/** Scaling policies that are wrong. Each desires what the job requests and accepts each change, with a flaw. */
public final class WrongScalings {

    private static final String RULES = "decidesWithinTheRulesAndTheSameAfterDeltas";
    private static final String SAME = "desiresTheSameForTheSameInput";
    private static final String MORE = "desiresNoLessWithMoreFreeSlots";
    private static final String SETTLES = "settlesOnAConstantLoad";
    private static final String REVIEWS = "asksToBeCalledAgainOnlyNowAndThen";
    private static final String STARTS = "asksForACallAlsoBeforeTheJobRuns";

    private WrongScalings() {}

    private interface Desiring {
        int desire(JobView job, int vertex, ParallelismBuilder result);
    }

    private interface Judging {
        void judge(JobView job, JudgementBuilder result);
    }

    private record Factory(Desiring desiring, Judging judging, boolean another, boolean refuses)
            implements ScalingPolicyFactory {

        @Override
        public PolicyDescription describe() {
            return another ? Planted.another("wrong") : Planted.description("wrong");
        }

        @Override
        public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context)
                throws InvalidConfigurationException {
            if (refuses && context.owner().equals("check")) {
                throw new InvalidConfigurationException("key a is missing");
            }
            return job -> new ScalingSession() {
                @Override
                public void delta() {}

                @Override
                public void desire(ParallelismBuilder result) {
                    for (int vertex = 0; vertex < job.vertices(); vertex++) {
                        result.parallelism(vertex, desiring.desire(job, vertex, result));
                    }
                }

                @Override
                public void judge(FeasibleChange change, JudgementBuilder result) {
                    judging.judge(job, result);
                }

                @Override
                public void close() {}
            };
        }
    }

    private static int requested(JobView job, int vertex, ParallelismBuilder result) {
        return job.desired(vertex);
    }

    private static void accept(JobView job, JudgementBuilder result) {
        result.accept();
    }

    private static Planted planted(String name, Desiring desiring, String reason, String... lost) {
        return new Planted(
                "scaling-" + name, new Factory(desiring, WrongScalings::accept, false, false), List.of(lost), reason);
    }

    /** The one that breaks no rule. */
    public static ScalingPolicyFactory right() {
        return new Factory(WrongScalings::requested, WrongScalings::accept, false, false);
    }

    /** Each with the checks that find it. */
    public static List<Planted> all() {
        int[] calls = {0};
        return List.of(
                new Planted(
                        "scaling-describes-differently",
                        new Factory(WrongScalings::requested, WrongScalings::accept, true, false),
                        List.of("describesItselfAlwaysTheSame"),
                        "the second description"),
                new Planted(
                        "scaling-refuses-defaults",
                        new Factory(WrongScalings::requested, WrongScalings::accept, false, true),
                        List.of("isCreatedWithTheDefaultsThatItDescribes"),
                        "does not accept its own defaults: key a is missing"),
                planted(
                        "exceeds-the-maximum",
                        (job, vertex, result) -> job.maximum(vertex) + (job.groups() > 2 ? 1 : 0),
                        "is allowed",
                        RULES,
                        REVIEWS),
                planted(
                        "stays-below-the-minimum",
                        (job, vertex, result) -> job.groups() > 2 ? job.minimum(vertex) - 1 : job.minimum(vertex),
                        "is allowed",
                        RULES,
                        REVIEWS),
                new Planted(
                        "scaling-says-nothing",
                        new Factory(WrongScalings::requested, (job, result) -> {}, false, false),
                        List.of(RULES),
                        "judges nothing"),
                planted(
                        "wants-to-be-called-all-the-time",
                        (job, vertex, result) -> {
                            result.reviewAfter(10);
                            return job.desired(vertex);
                        },
                        "mean time in milliseconds",
                        REVIEWS),
                planted(
                        "is-not-called-after-the-start",
                        (job, vertex, result) -> {
                            if (job.current(vertex) > 0) {
                                result.reviewAfter(60_000);
                            }
                            return job.desired(vertex);
                        },
                        "nobody calls it when the job has started",
                        STARTS),
                planted(
                        "counts-its-calls",
                        (job, vertex, result) ->
                                job.groups() > 2 && calls[0]++ % 3 == 0 ? job.maximum(vertex) : job.minimum(vertex),
                        "what a session that followed the changes decides",
                        RULES),
                planted(
                        "explains-by-chance",
                        (job, vertex, result) -> {
                            if (job.freeSlots(0).isPresent()) {
                                result.reason("number " + Planted.COUNTER.incrementAndGet());
                            }
                            return job.desired(vertex);
                        },
                        "what another instance desires",
                        SAME),
                planted(
                        "shrinks-when-there-is-room",
                        (job, vertex, result) ->
                                job.freeSlots(0).orElse(0) > 4 ? job.minimum(vertex) : job.maximum(vertex),
                        "free slots, and only",
                        MORE),
                planted(
                        "never-settles",
                        (job, vertex, result) ->
                                job.now() / 60_000 % 2 == 0 ? job.minimum(vertex) : job.maximum(vertex),
                        "rescales of 100 decisions under a load that does not change",
                        SETTLES),
                planted(
                        "needs-measurements",
                        (job, vertex, result) -> {
                            job.measuredMillis().orElseThrow();
                            return job.desired(vertex);
                        },
                        "throws java.util.NoSuchElementException",
                        RULES,
                        REVIEWS),
                planted(
                        "hangs",
                        (job, vertex, result) -> {
                            Planted.hang();
                            return job.desired(vertex);
                        },
                        "did not end within",
                        "*"),
                planted(
                        "tries-all-numbers",
                        (job, vertex, result) -> {
                            Planted.take((long) job.maximum(vertex) * job.maximum(vertex));
                            return job.desired(vertex);
                        },
                        "a decision on 1000 workers takes",
                        "time"),
                planted(
                        "copies-all-slots",
                        (job, vertex, result) -> {
                            Planted.keep(new long[job.maximum(vertex) * 64]);
                            return job.desired(vertex);
                        },
                        "a decision on 1000 workers allocates",
                        "allocations"));
    }
}
