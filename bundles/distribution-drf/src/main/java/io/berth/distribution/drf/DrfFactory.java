package io.berth.distribution.drf;

import io.berth.policy.support.distribution.Claimants;
import io.berth.policy.support.distribution.PoolShares;
import io.berth.policy.support.distribution.TreeAdmission;
import io.berth.policy.support.distribution.WaitLimit;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.osgi.service.component.annotations.Component;

/** Provides the distribution policy {@code drf}: the smallest dominant share first. */
@Component(service = DistributionPolicyFactory.class, property = "service.ranking:Integer=10")
@Policy(kind = "distribution", name = "drf")
public final class DrfFactory implements DistributionPolicyFactory {

    private static final String BETWEEN = "fair.between";
    private static final String WEIGHT = "submitter.*.weight";
    private static final String SUBMITTERS = "submitters";

    @Override
    public PolicyDescription describe() {
        List<ConfigurationKey> keys = new ArrayList<>();
        keys.add(ConfigurationKey.choice(
                BETWEEN,
                "jobs",
                List.of("jobs", SUBMITTERS, "queues"),
                "who has equal shares within a queue; with queues, its jobs come in the order of submission"));
        keys.add(ConfigurationKey.decimal(
                WEIGHT,
                1,
                0.001,
                1_000_000,
                "with fair.between = submitters, the weight of the submitter of this name"));
        keys.addAll(WaitLimit.Limits.keys());
        return new PolicyDescription(
                "drf", "Dominant resource fairness: who has the smallest share of what it uses most comes first", keys);
    }

    @Override
    public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException {
        String between = configuration.text(BETWEEN);
        SortedMap<String, Double> weights = new TreeMap<>();
        for (String name : configuration.names(WEIGHT)) {
            String key = WEIGHT.replace("*", name);
            if (!between.equals(SUBMITTERS)) {
                throw new InvalidConfigurationException(key + " is '" + configuration.text(key) + "' and " + BETWEEN
                        + " is '" + between + "': weights of submitters are allowed with " + BETWEEN + " = "
                        + SUBMITTERS + " only");
            }
            weights.put(name, configuration.decimal(key));
        }
        Claimants level = switch (between) {
            case "jobs" -> Claimants.JOBS;
            case SUBMITTERS -> Claimants.SUBMITTERS;
            default -> Claimants.QUEUES;
        };
        WaitLimit.Limits limits = WaitLimit.Limits.of(configuration);
        return demands -> {
            PoolShares shares = new PoolShares(demands);
            return new TreeAdmission(
                    demands,
                    shares,
                    limits,
                    level,
                    false,
                    new DominantShares(demands, shares, level, weights),
                    TreeAdmission.NO_LIMIT,
                    TreeAdmission.NOBODY);
        };
    }
}
