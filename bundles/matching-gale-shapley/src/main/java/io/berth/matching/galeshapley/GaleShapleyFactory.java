package io.berth.matching.galeshapley;

import io.berth.policy.support.SlotAssignment;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Provides the matching strategy {@code gale-shapley}: stable matching by preferences of both sides. */
@Component(service = MatchingStrategyFactory.class, property = "service.ranking:Integer=10")
@Policy(kind = "matching", name = "gale-shapley")
public final class GaleShapleyFactory implements MatchingStrategyFactory {

    static final String STATE = "state.weight";
    static final String LABELS = "labels.weight";
    static final String COST = "cost.weight";
    static final String PACKING = "packing.weight";
    static final String PRIORITY = "worker.priority.weight";
    static final String MOVED = "worker.state.weight";
    static final String PAIRS = "pairs.max";

    private static final double MOST = 1_000_000;
    private static final long MAX_PAIRS = 1_000_000;

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "gale-shapley",
                "Stable matching: no slot and worker prefer each other to what they have",
                List.of(
                        weight(STATE, 4, "a worker on which its group had slots before"),
                        weight(LABELS, 1, "a worker by the weights of the preferred labels that it has"),
                        weight(COST, 1, "a cheap worker: 1 for the cheapest, 0 for the dearest of the pool"),
                        weight(PACKING, 1, "a worker by its used share; negative: an unused one"),
                        weight(PRIORITY, 1, "a slot by the priority of its job"),
                        weight(MOVED, 4, "a slot whose group had slots on it before"),
                        ConfigurationKey.number(
                                PAIRS,
                                MAX_PAIRS,
                                0,
                                100 * MAX_PAIRS,
                                "A call with more pairs of an entry and a worker places slots on the least utilized"
                                        + " workers instead")));
    }

    private static ConfigurationKey weight(String key, double weight, String prefers) {
        String who = key.startsWith("worker.") ? "a worker" : "a slot";
        return ConfigurationKey.decimal(key, weight, -MOST, MOST, "How much " + who + " prefers " + prefers);
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        Weights weights = new Weights(
                configuration.decimal(STATE),
                configuration.decimal(LABELS),
                configuration.decimal(COST),
                configuration.decimal(PACKING),
                configuration.decimal(PRIORITY),
                configuration.decimal(MOVED));
        long pairs = configuration.number(PAIRS);
        return new MatchingStrategy() {
            @Override
            public PlacementSession openPlacement(WorkersView workers) {
                return new GaleShapleySession(workers, weights, pairs);
            }

            @Override
            public AssignmentSession openAssignment() {
                return SlotAssignment::assign;
            }
        };
    }

    /** How much each reason to prefer counts: the first four for slots, the others for workers. */
    record Weights(double state, double labels, double cost, double packing, double priority, double moved) {}
}
