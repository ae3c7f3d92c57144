package io.berth.distribution.backfill;

import io.berth.spi.ConfigurationKey;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import java.time.Duration;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/**
 * Provides the distribution policy {@code backfill}: EASY and conservative backfilling by expected run times. Docs:
 * docs/policies/backfill.md.
 */
@Component(service = DistributionPolicyFactory.class, property = "service.ranking:Integer=10")
@Policy(
        kind = "distribution",
        name = "backfill",
        configuration = {
            BackfillFactory.ORDER,
            BackfillFactory.RESERVATIONS,
            BackfillFactory.DEPTH,
            BackfillFactory.PROMISE_AFTER,
            BackfillFactory.STRICT_AFTER,
            BackfillFactory.PROMISE_LIMIT,
            BackfillFactory.UNKNOWN_RUNTIME,
            BackfillFactory.LEARNED_MARGIN,
            BackfillFactory.OVERRUN
        })
public final class BackfillFactory implements DistributionPolicyFactory {

    static final String ORDER = "order";
    static final String RESERVATIONS = "reservations";
    static final String DEPTH = "depth";
    static final String PROMISE_AFTER = "promise.after";
    static final String STRICT_AFTER = "promise.strict.after";
    static final String PROMISE_LIMIT = "promise.limit";
    static final String UNKNOWN_RUNTIME = "unknown.runtime";
    static final String LEARNED_MARGIN = "learned.margin";
    static final String OVERRUN = "overrun";

    private static final String SHORTEST_FIRST = "shortest-first";
    private static final String ALL = "all";
    private static final Duration YEAR = Duration.ofDays(365);

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "backfill",
                "Submission order; keeps room for the first unit that has waited long, and lets others pass only if they"
                        + " do not delay it",
                List.of(
                        ConfigurationKey.choice(
                                ORDER,
                                "submission",
                                List.of("submission", SHORTEST_FIRST),
                                "in which order units pass the first one that finds no room"),
                        ConfigurationKey.choice(
                                RESERVATIONS,
                                "first",
                                List.of("first", ALL),
                                "whether only the first waiting unit has a promise (EASY), or each (conservative)"),
                        ConfigurationKey.number(
                                DEPTH, 100, 1, 1_000, "how many units have a promise with reservations = all"),
                        ConfigurationKey.duration(
                                PROMISE_AFTER,
                                Duration.ofDays(1),
                                Duration.ZERO,
                                YEAR,
                                "a unit gets a promise when it has waited so long; smaller ones pass it before; 0: at once"),
                        ConfigurationKey.duration(
                                STRICT_AFTER,
                                Duration.ofDays(2),
                                Duration.ZERO,
                                YEAR,
                                "when a unit has had a promise for so long, it is kept even if expected run times are wrong, and"
                                        + " if what is free is in small pieces"),
                        ConfigurationKey.duration(
                                PROMISE_LIMIT,
                                Duration.ofDays(4),
                                Duration.ZERO,
                                YEAR,
                                "when its promise has been strict for so long, a unit loses it until its wait has doubled:"
                                        + " probably no worker can hold its slots"),
                        ConfigurationKey.duration(
                                UNKNOWN_RUNTIME,
                                Duration.ZERO,
                                Duration.ZERO,
                                YEAR,
                                "what counts as the run time of a job without one; 0: it never passes a promise"),
                        ConfigurationKey.decimal(
                                LEARNED_MARGIN, 2, 1, 100, "by this a run time that was learned is multiplied"),
                        ConfigurationKey.duration(
                                OVERRUN,
                                Duration.ofMinutes(1),
                                Duration.ofSeconds(1),
                                Duration.ofDays(1),
                                "a job that runs longer than expected, or without a known run time, is expected to run for"
                                        + " so much longer")));
    }

    @Override
    public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context) {
        BackfillSession.Rules rules = new BackfillSession.Rules(
                configuration.text(ORDER).equals(SHORTEST_FIRST),
                configuration.text(RESERVATIONS).equals(ALL) ? (int) configuration.number(DEPTH) : 1,
                configuration.duration(PROMISE_AFTER).toMillis(),
                configuration.duration(STRICT_AFTER).toMillis(),
                configuration.duration(PROMISE_LIMIT).toMillis(),
                configuration.duration(UNKNOWN_RUNTIME).toMillis(),
                configuration.decimal(LEARNED_MARGIN),
                configuration.duration(OVERRUN).toMillis(),
                context.zone());
        return demands -> new BackfillSession(demands, rules);
    }
}
