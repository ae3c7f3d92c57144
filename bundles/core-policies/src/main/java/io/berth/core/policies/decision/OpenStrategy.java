package io.berth.core.policies.decision;

import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import org.jspecify.annotations.Nullable;

/**
 * What a matching strategy opened for a pool.
 *
 * @param usesAllocations whether it looks at the slots that jobs have
 */
public record OpenStrategy(PlacementSession session, boolean usesAllocations) {

    /** Called where foreign code may run. Nothing when the strategy opens nothing, which is its failure. */
    @SuppressWarnings("NullAway")
    public static OpenStrategy of(MatchingStrategy strategy, WorkersView workers) {
        @Nullable PlacementSession session = strategy.openPlacement(workers);
        return session == null ? null : new OpenStrategy(session, strategy.usesAllocations());
    }
}
