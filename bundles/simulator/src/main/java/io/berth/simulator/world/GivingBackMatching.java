package io.berth.simulator.world;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.AllocationsView;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * A matching strategy that places as another one does, and at random gives slots back, as many as the rules allow, until
 * the world is calm.
 */
final class GivingBackMatching implements MatchingStrategyFactory {

    private static final int REVIEW_MILLIS = 5_000;
    /** It gives back one in so many slots. */
    private static final int EACH = 8;

    private final MatchingStrategyFactory usual;
    private final RandomGenerator random;
    private final BooleanSupplier calm;

    GivingBackMatching(MatchingStrategyFactory usual, RandomGenerator random, BooleanSupplier calm) {
        this.usual = usual;
        this.random = random;
        this.calm = calm;
    }

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "giving-back", "Places as " + usual.describe().name() + " does, and gives slots back at random");
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException {
        MatchingStrategy strategy = usual.create(configuration, context);
        return new MatchingStrategy() {
            @Override
            public PlacementSession openPlacement(WorkersView workers) {
                return new Session(strategy.openPlacement(workers));
            }

            @Override
            public boolean usesAllocations() {
                return true;
            }

            @Override
            public AssignmentSession openAssignment() {
                return strategy.openAssignment();
            }
        };
    }

    private final class Session implements PlacementSession {

        private final PlacementSession placing;

        Session(PlacementSession placing) {
            this.placing = placing;
        }

        @Override
        public void delta(int[] changed) {
            placing.delta(changed);
        }

        @Override
        public void place(AdmittedView admitted, PlacementBuilder plan) {
            placing.place(admitted, plan);
            if (calm.getAsBoolean()) {
                return;
            }
            AllocationsView slots = admitted.allocations();
            SortedMap<String, Integer> named = new TreeMap<>();
            for (int slot = 0; slot < slots.limit(); slot++) {
                if (slots.present(slot) && slots.returnable(slot) && random.nextInt(EACH) == 0) {
                    String group = slots.job(slot) + " " + slots.unit(slot) + " " + slots.group(slot);
                    int above = slots.aboveMinimum(slot);
                    int before = named.getOrDefault(group, 0);
                    // A group that lacks some of its minimum may return all.
                    if (above < 0 || before < above) {
                        named.put(group, before + 1);
                        plan.giveBack(slot, "it may be better off elsewhere");
                    }
                }
            }
            plan.reviewAfter(REVIEW_MILLIS);
        }

        @Override
        public void close() {
            placing.close();
        }
    }
}
