package io.berth.distribution.fairshare;

import io.berth.policy.support.distribution.Claimants;
import io.berth.policy.support.distribution.PoolShares;
import io.berth.policy.support.distribution.TreeAdmission;
import io.berth.policy.support.distribution.WaitLimit;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.osgi.service.component.annotations.Component;

/** Provides the distribution policy {@code fair-share}: who used least over time first. */
@Component(service = DistributionPolicyFactory.class, property = "service.ranking:Integer=10")
@Policy(kind = "distribution", name = "fair-share")
public final class FairShareFactory implements DistributionPolicyFactory {

    private static final String PRESENT = "present.counts.for";
    private static final String RESERVATIONS = "reservations";
    private static final String FIRST = "first";
    private static final String WEIGHT = "submitter.*.weight";

    @Override
    public PolicyDescription describe() {
        List<ConfigurationKey> keys = new ArrayList<>();
        keys.add(ConfigurationKey.duration(
                PRESENT,
                Duration.ofHours(1),
                Duration.ofSeconds(1),
                Duration.ofDays(30),
                "what is used now and what is admitted counts as if it had been used for so long; the longer, the more"
                        + " evenly free slots are divided now"));
        keys.add(ConfigurationKey.decimal(WEIGHT, 1, 0.001, 1_000_000, "the weight of the submitter of this name"));
        keys.add(ConfigurationKey.choice(
                RESERVATIONS,
                FIRST,
                List.of(FIRST, "none"),
                "whether room is kept for the first unit that finds none, as far as expected run times show when there will"
                        + " be room"));
        keys.addAll(WaitLimit.Limits.keys());
        return new PolicyDescription(
                "fair-share", "Queues, and submitters within each, in the order of their use over time", keys);
    }

    @Override
    public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context) {
        SortedMap<String, Double> weights = new TreeMap<>();
        for (String name : configuration.names(WEIGHT)) {
            weights.put(name, configuration.decimal(WEIGHT.replace("*", name)));
        }
        double presentSeconds = configuration.duration(PRESENT).toMillis() / 1_000.0;
        boolean reserves = configuration.text(RESERVATIONS).equals(FIRST);
        WaitLimit.Limits limits = WaitLimit.Limits.of(configuration);
        return demands -> {
            PoolShares shares = new PoolShares(demands);
            TreeAdmission admission = new TreeAdmission(
                    demands,
                    shares,
                    limits,
                    Claimants.SUBMITTERS,
                    false,
                    new PastShares(demands, shares, presentSeconds, weights),
                    TreeAdmission.NO_LIMIT,
                    TreeAdmission.NOBODY);
            return reserves ? admission.reservingForFirst() : admission;
        };
    }
}
