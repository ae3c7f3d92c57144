package io.berth.scorecard.planted;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Distribution policies that are wrong. Each is strict submission order, with a flaw. */
public final class WrongDistributions {

    private static final String RULES = "admitsWithinTheRulesAndTheSameAfterDeltas";
    private static final String SAME = "admitsTheSameForTheSameInput";
    private static final String ALONE = "admitsAUnitThatIsAlone";
    private static final String NOTHING = "admitsNothingWhenNothingIsMissing";
    private static final String GROWS = "keepsAdmittingAUnitThatIsAloneWhenThePoolGrows";
    private static final String STARVES = "startsLargeUnitsAmongSmallOnes";
    private static final String ROOM = "leavesNoRoomToUnitsOfOneSize";
    private static final String REVIEWS = "asksToBeCalledAgainOnlyNowAndThen";
    private static final String QUEUE_REVIEWS = "asksToBeCalledAgainOnlyNowAndThenForQueues";
    private static final String RANKS = "admitsWithinTheRulesWhateverIsPlacedOfARank";
    private static final String RECLAIMS = "reclaimsOnlyForALimitedTime";

    /** What the small units of the storms need at most, in thousandths of a core. */
    private static final long LARGE = 2_000;

    private WrongDistributions() {}

    private interface Admitting {
        void admit(DemandsView demands, AdmissionBuilder result);
    }

    private record Factory(Admitting admitting, boolean another, boolean refuses) implements DistributionPolicyFactory {

        @Override
        public PolicyDescription describe() {
            return another ? Planted.another("wrong") : Planted.description("wrong");
        }

        @Override
        public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context)
                throws InvalidConfigurationException {
            if (refuses && context.owner().equals("check")) {
                throw new InvalidConfigurationException("key a is missing");
            }
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
    }

    private static boolean lacks(DemandsView demands, int unit) {
        for (int group = 0; group < demands.groups(unit); group++) {
            if (demands.allocated(unit, group) < demands.minimum(unit, group)) {
                return true;
            }
        }
        return false;
    }

    private static long missing(DemandsView demands, int unit) {
        long missing = 0;
        for (int group = 0; group < demands.groups(unit); group++) {
            missing += Math.max(0, demands.minimum(unit, group) - demands.allocated(unit, group))
                    * demands.amount(unit, group, 0);
        }
        return missing;
    }

    /**
     * Nothing passes a unit that found no room, unless {@code passes} says so. A large one is admitted alone: what came
     * with it would take the room that it did not find.
     */
    private static void strict(
            DemandsView demands, AdmissionBuilder result, IntPredicate admitted, IntPredicate passes) {
        List<Integer> order = IntStream.range(0, demands.limit())
                .filter(demands::present)
                .filter(unit -> lacks(demands, unit))
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(demands::submissionIndex)
                        .thenComparing(unit -> unit))
                .toList();
        boolean first = true;
        for (int unit : order) {
            boolean alone = missing(demands, unit) > LARGE && !passes.test(unit);
            if ((!demands.candidate(unit) && !passes.test(unit)) || (alone && !first)) {
                return;
            } else if (demands.candidate(unit) && admitted.test(unit)) {
                result.admitMinimum(unit);
            }
            if (alone) {
                return;
            }
            first = false;
        }
    }

    private static Planted planted(String name, Admitting admitting, String reason, String... lost) {
        return new Planted("distribution-" + name, new Factory(admitting, false, false), List.of(lost), reason);
    }

    /** Strict order, and something beside it. */
    private static Admitting and(Admitting beside) {
        return (demands, result) -> {
            strict(demands, result, unit -> true, unit -> false);
            beside.admit(demands, result);
        };
    }

    private static Admitting only(Admitting first, IntPredicate admitted) {
        return (demands, result) -> {
            first.admit(demands, result);
            strict(demands, result, admitted, unit -> false);
        };
    }

    /** Units that run, with a group. */
    private static IntStream running(DemandsView demands) {
        return IntStream.range(0, demands.limit())
                .filter(unit -> demands.present(unit) && demands.groups(unit) > 0 && demands.allocated(unit, 0) > 0);
    }

    /** The one that breaks no rule. */
    public static DistributionPolicyFactory right() {
        return new Factory(and((demands, result) -> {}), false, false);
    }

    /** Each with the checks that find it. */
    public static List<Planted> all() {
        return List.of(
                new Planted(
                        "distribution-describes-differently",
                        new Factory(and((demands, result) -> {}), true, false),
                        List.of("describesItselfAlwaysTheSame"),
                        "the second description"),
                new Planted(
                        "distribution-refuses-defaults",
                        new Factory(and((demands, result) -> {}), false, true),
                        List.of("isCreatedWithTheDefaultsThatItDescribes"),
                        "does not accept its own defaults: key a is missing"),
                planted(
                        "admits-more-than-is-desired",
                        and((demands, result) -> IntStream.range(0, demands.limit())
                                .filter(unit -> demands.candidate(unit)
                                        && demands.groups(unit) > 1
                                        && demands.desired(unit, 0) > demands.allocated(unit, 0))
                                .forEach(unit -> result.admit(unit, 0, 1_000))),
                        "the rule of admission that it breaks",
                        RULES,
                        RANKS,
                        RECLAIMS),
                planted(
                        "admits-what-is-there",
                        and((demands, result) -> running(demands)
                                .filter(unit -> demands.limit() == 1 && !lacks(demands, unit))
                                .forEach(unit -> result.admit(unit, 0, 1))),
                        "what is admitted when nothing is missing",
                        NOTHING,
                        RULES),
                planted(
                        "reclaims-below-the-minimum",
                        and((demands, result) -> running(demands)
                                .filter(unit -> demands.queue(unit).equals("b1")
                                        && demands.returnable(unit)
                                        && demands.allocated(unit, 0) == demands.minimum(unit, 0))
                                .forEach(unit -> result.reclaim(unit, 0, 1, "others come first"))),
                        "the rule of admission that it breaks",
                        RULES,
                        RANKS,
                        RECLAIMS),
                planted(
                        "reclaims-in-silence",
                        and((demands, result) -> running(demands)
                                .filter(unit -> demands.queue(unit).equals("b1")
                                        && demands.returnable(unit)
                                        && demands.allocated(unit, 0) > demands.minimum(unit, 0))
                                .forEach(unit -> result.reclaim(unit, 0, 1, " "))),
                        "the rule of admission that it breaks",
                        RULES,
                        RANKS,
                        RECLAIMS),
                planted(
                        "admits-what-found-no-room",
                        and((demands, result) -> IntStream.range(0, demands.limit())
                                .filter(unit -> demands.present(unit)
                                        && demands.queue(unit).equals("b1")
                                        && !demands.candidate(unit))
                                .forEach(result::admitMinimum)),
                        "the rule of admission that it breaks",
                        RULES,
                        RANKS,
                        RECLAIMS),
                planted(
                        "does-not-know-a-queue",
                        and((demands, result) -> IntStream.range(0, demands.limit())
                                .filter(unit -> demands.present(unit)
                                        && demands.queue(unit).equals("b1"))
                                .forEach(unit -> {
                                    throw new IllegalArgumentException("no queue b1");
                                })),
                        "throws java.lang.IllegalArgumentException: no queue b1",
                        RULES,
                        RANKS,
                        RECLAIMS,
                        QUEUE_REVIEWS),
                planted(
                        "wants-to-be-called-all-the-time",
                        and((demands, result) -> result.reviewAfter(10)),
                        "mean time in milliseconds",
                        REVIEWS,
                        QUEUE_REVIEWS),
                planted(
                        "reclaims-for-ever",
                        and((demands, result) -> running(demands)
                                .filter(unit -> demands.limit() == 8
                                        && demands.returnable(unit)
                                        && demands.allocated(unit, 0) > demands.minimum(unit, 0))
                                .limit(1)
                                .forEach(unit -> {
                                    result.reclaim(unit, 0, 1, "why not");
                                    int missing = demands.desired(unit, 0) - demands.allocated(unit, 0);
                                    if (missing > 0 && !lacks(demands, unit)) {
                                        result.admit(unit, 0, missing);
                                    }
                                })),
                        "decisions in which it reclaims slots: ",
                        RECLAIMS),
                planted(
                        "admits-nothing",
                        (demands, result) -> {},
                        "does not admit the only unit",
                        ALONE,
                        STARVES,
                        ROOM),
                planted(
                        "defers-by-chance",
                        and((demands, result) -> IntStream.range(0, demands.limit())
                                .filter(demands::candidate)
                                .forEach(unit -> result.defer(unit, "number " + Planted.COUNTER.incrementAndGet()))),
                        "what a session that followed the changes defers",
                        RULES,
                        SAME),
                planted(
                        "orders-by-chance",
                        (demands, result) -> {
                            int first = Planted.COUNTER.incrementAndGet();
                            IntStream.range(0, demands.limit())
                                    .map(unit -> (unit + first) % demands.limit())
                                    .filter(unit -> demands.candidate(unit) && lacks(demands, unit))
                                    .forEach(result::admitMinimum);
                        },
                        "what a session that followed the changes admits",
                        RULES,
                        SAME,
                        STARVES),
                planted(
                        "is-lost-in-large-pools",
                        (demands, result) -> strict(
                                demands,
                                result,
                                unit -> demands.limit() > 1 || demands.capacity(0) <= 20_000,
                                unit -> false),
                        "and not in one of 21",
                        GROWS),
                planted(
                        "lets-small-units-pass",
                        (demands, result) -> strict(demands, result, unit -> true, unit -> true),
                        "a unit that fits the pool waits for more than",
                        STARVES),
                planted(
                        "admits-one-at-a-time",
                        (demands, result) -> {
                            int[] admitted = {0};
                            strict(
                                    demands,
                                    result,
                                    unit -> demands.capacity(1) > 2_000 || admitted[0]++ == 0,
                                    unit -> false);
                        },
                        "although units of one slot wait",
                        ROOM),
                planted("hangs", only((demands, result) -> Planted.hang(), unit -> true), "did not end within", "*"),
                planted(
                        "compares-all-units",
                        and((demands, result) -> Planted.take((long) demands.limit() * demands.limit())),
                        "a decision on 1000 workers takes",
                        "time"),
                planted(
                        "copies-all-units",
                        and((demands, result) -> Planted.keep(new long[demands.limit() * 64])),
                        "a decision on 1000 workers allocates",
                        "allocations"));
    }
}
