package io.berth.simulator.policies;

import io.berth.distribution.backfill.BackfillFactory;
import io.berth.distribution.capacity.CapacityFactory;
import io.berth.distribution.drf.DrfFactory;
import io.berth.distribution.fairshare.FairShareFactory;
import io.berth.distribution.fifo.FifoFactory;
import io.berth.distribution.priority.PriorityFactory;
import io.berth.matching.balanced.BalancedFactory;
import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.matching.galeshapley.GaleShapleyFactory;
import io.berth.matching.optimal.OptimalFactory;
import io.berth.matching.pack.PackFactory;
import io.berth.matching.rebalance.RebalanceFactory;
import io.berth.matching.spread.SpreadFactory;
import io.berth.scaling.minimalincrease.MinimalIncreaseFactory;
import io.berth.scaling.reactive.ReactiveFactory;
import io.berth.scaling.schedule.ScheduleFactory;
import io.berth.scaling.steps.StepsFactory;
import io.berth.scaling.targetrate.TargetRateFactory;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.scaling.ScalingPolicyFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * The policies that the jar of the tool contains. A new policy of this release is added here and to the pom; of each kind,
 * the first one is the default.
 */
public final class ShippedPolicies {

    /**
     * A policy.
     *
     * @param bundle symbolic name of its bundle
     * @param <F> the factory of its kind
     */
    public record Shipped<F>(String bundle, F factory) {}

    private ShippedPolicies() {}

    /** Those of matching. The benchmark has their bundles and those of distribution, and no others. */
    public static List<Shipped<MatchingStrategyFactory>> matching() {
        return List.of(
                new Shipped<>("io.berth.matching.firstfit", new FirstFitFactory()),
                new Shipped<>("io.berth.matching.spread", new SpreadFactory()),
                new Shipped<>("io.berth.matching.pack", new PackFactory()),
                new Shipped<>("io.berth.matching.balanced", new BalancedFactory()),
                new Shipped<>("io.berth.matching.optimal", new OptimalFactory()),
                new Shipped<>("io.berth.matching.galeshapley", new GaleShapleyFactory()),
                new Shipped<>("io.berth.matching.rebalance", new RebalanceFactory()));
    }

    public static List<Shipped<DistributionPolicyFactory>> distribution() {
        return List.of(
                new Shipped<>("io.berth.distribution.fifo", new FifoFactory()),
                new Shipped<>("io.berth.distribution.backfill", new BackfillFactory()),
                new Shipped<>("io.berth.distribution.capacity", new CapacityFactory()),
                new Shipped<>("io.berth.distribution.drf", new DrfFactory()),
                new Shipped<>("io.berth.distribution.fairshare", new FairShareFactory()),
                new Shipped<>("io.berth.distribution.priority", new PriorityFactory()));
    }

    public static List<Shipped<ScalingPolicyFactory>> scaling() {
        return List.of(
                new Shipped<>("io.berth.scaling.reactive", new ReactiveFactory()),
                new Shipped<>("io.berth.scaling.minimalincrease", new MinimalIncreaseFactory()),
                new Shipped<>("io.berth.scaling.schedule", new ScheduleFactory()),
                new Shipped<>("io.berth.scaling.steps", new StepsFactory()),
                new Shipped<>("io.berth.scaling.targetrate", new TargetRateFactory()));
    }

    /** All of them. */
    public static List<Shipped<?>> all() {
        List<Shipped<?>> all = new ArrayList<>(matching());
        all.addAll(distribution());
        all.addAll(scaling());
        return all;
    }
}
