package io.berth.scorecard;

import io.berth.scorecard.check.Check;
import io.berth.scorecard.check.Judge;
import io.berth.scorecard.check.Settings;
import io.berth.scorecard.distribution.DistributionChecks;
import io.berth.scorecard.matching.MatchingChecks;
import io.berth.scorecard.scaling.ScalingChecks;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.scaling.ScalingPolicyFactory;
import java.util.List;
import java.util.function.Consumer;

/** Gives a policy its card. */
final class Grading {

    private final Settings settings;
    private final Judge judge;
    private final Consumer<String> progress;

    /** @param progress receives a line for each check that begins */
    Grading(Settings settings, Judge judge, Consumer<String> progress) {
        this.settings = settings;
        this.judge = judge;
        this.progress = progress;
    }

    /** The name by which the policy is chosen. */
    static String name(Object factory) {
        if (factory instanceof MatchingStrategyFactory matching) {
            return matching.describe().name();
        } else if (factory instanceof DistributionPolicyFactory distribution) {
            return distribution.describe().name();
        } else if (factory instanceof ScalingPolicyFactory scaling) {
            return scaling.describe().name();
        }
        throw new IllegalArgumentException(factory + " is no factory of policies");
    }

    /** @param factory of a matching strategy, a distribution policy or a scaling policy */
    Card card(String bundle, Object factory) {
        if (factory instanceof MatchingStrategyFactory matching) {
            return card("matching", bundle, factory, MatchingChecks.of(matching, settings));
        } else if (factory instanceof DistributionPolicyFactory distribution) {
            return card("distribution", bundle, factory, DistributionChecks.of(distribution, settings));
        } else if (factory instanceof ScalingPolicyFactory scaling) {
            return card("scaling", bundle, factory, ScalingChecks.of(scaling, settings));
        }
        throw new IllegalArgumentException(factory + " is no factory of policies");
    }

    private Card card(String kind, String bundle, Object factory, List<Check> checks) {
        String name = name(factory);
        return new Card(
                kind,
                name,
                bundle,
                judge.judge(
                        checks,
                        check -> progress.accept(name + ": " + check.section().label() + ", " + check.name())));
    }
}
