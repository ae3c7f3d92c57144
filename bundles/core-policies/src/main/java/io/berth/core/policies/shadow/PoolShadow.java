package io.berth.core.policies.shadow;

import io.berth.core.api.operations.ShadowOperations.ShadowFigures;
import io.berth.core.api.policy.PlanOutcome.Planned;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.policies.detached.DetachedDecision;
import io.berth.core.policies.detached.DetachedPlanner;
import io.berth.core.policies.frame.DecisionFrame;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Shadows the decisions of one pool. A frame holds what changed, so after a gap it starts from the state of a later one. */
final class PoolShadow extends Shadow<DecisionFrame> {

    private final DetachedPlanner planner;
    private volatile boolean usesSlots;

    /** @param measuring the clock by which its decisions are measured */
    PoolShadow(Begun begun, MainThread lane, ShadowedPolicies policies, Clock measuring) {
        super(begun, lane, policies);
        this.planner = new DetachedPlanner(begun.pool(), policies, policies, measuring, lane);
    }

    @Override
    public boolean needsState(String pool) {
        return isIdleAndBehind() && concerns(pool);
    }

    @Override
    public boolean usesSlots(String pool) {
        return usesSlots && concerns(pool);
    }

    private boolean concerns(String pool) {
        return isActive() && pool.equals(begun().pool());
    }

    @Override
    public void decided(DecisionFrame frame) {
        if (frame.pool().equals(begun().pool())) {
            offer(frame, frame.before().isPresent());
        }
    }

    @Override
    boolean accepts(DecisionFrame frame) {
        return planner.accepts(frame);
    }

    @Override
    CompletionStage<ShadowResult> decide(DecisionFrame frame) {
        return planner.decide(frame).thenApply(made -> result(frame, made));
    }

    private ShadowResult result(DecisionFrame frame, DetachedDecision made) {
        usesSlots = planner.usesSlots();
        if (!made.failures().isEmpty()) {
            ShadowFigures decided = frame.result().outcome() instanceof Planned planned
                    ? PlanComparison.figures(planned, planner, frame.result().micros())
                    : ShadowFigures.NONE;
            return ShadowResult.failed(decided, made.micros(), made.failures());
        }
        if (!(frame.result().outcome() instanceof Planned decided) || !(made.outcome() instanceof Planned shadowed)) {
            return ShadowResult.NOTHING;
        }
        PlanComparison comparison = new PlanComparison(decided, shadowed);
        if (comparison.isEmpty()) {
            return ShadowResult.NOTHING;
        }
        return ShadowResult.compared(
                PlanComparison.figures(decided, planner, frame.result().micros()),
                PlanComparison.figures(shadowed, planner, made.micros()),
                comparison.agrees() ? List.of() : comparison.lines(planner));
    }

    @Override
    void reset() {
        planner.reset();
    }
}
