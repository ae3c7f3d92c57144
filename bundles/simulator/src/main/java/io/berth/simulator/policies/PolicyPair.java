package io.berth.simulator.policies;

import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * The policies of one replay.
 *
 * @param name for people, which tells it apart from the others that are compared
 */
public record PolicyPair(
        ChosenPolicy<MatchingStrategyFactory> matching,
        ChosenPolicy<DistributionPolicyFactory> distribution,
        String name) {

    /** A strategy under fifo. */
    public static PolicyPair of(ChosenPolicy<MatchingStrategyFactory> strategy) {
        return new PolicyPair(strategy, PoliciesOfKind.defaultDistribution(), strategy.label());
    }

    /** Each strategy with each distribution policy, named by what differs. */
    public static List<PolicyPair> all(
            List<ChosenPolicy<MatchingStrategyFactory>> strategies,
            List<ChosenPolicy<DistributionPolicyFactory>> distributions) {
        List<PolicyPair> pairs = new ArrayList<>();
        for (ChosenPolicy<DistributionPolicyFactory> distribution : distributions) {
            for (ChosenPolicy<MatchingStrategyFactory> matching : strategies) {
                String name = distributions.size() == 1
                        ? matching.label()
                        : strategies.size() == 1 ? distribution.label() : matching.label() + "/" + distribution.label();
                pairs.add(new PolicyPair(matching, distribution, name));
            }
        }
        return pairs;
    }
}
