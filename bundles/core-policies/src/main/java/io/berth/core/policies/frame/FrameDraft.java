package io.berth.core.policies.frame;

import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.policies.cache.PoolState;
import io.berth.core.policies.pools.PastUse;
import io.berth.core.policies.pools.PoolSettings;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A frame while its decision is made. Confined to the main thread of the planner. */
public final class FrameDraft {

    private final String pool;
    private final long sequence;
    private final Optional<PoolState> before;
    private final List<UseMoment> uses;
    private final List<Long> open;
    private final DecisionFrame.Moment moment;
    private final PoolSettings settings;
    private final PlanningInput input;
    private final List<PolicyStep> distribution = new ArrayList<>();
    private final List<PolicyStep> matching = new ArrayList<>();
    private Optional<PastUse> restored = Optional.empty();

    /** The parameters are those of {@link DecisionFrame}. */
    public FrameDraft(
            String pool,
            long sequence,
            Optional<PoolState> before,
            List<UseMoment> uses,
            List<Long> open,
            DecisionFrame.Moment moment,
            PoolSettings settings,
            PlanningInput input) {
        this.pool = pool;
        this.sequence = sequence;
        this.before = before;
        this.uses = uses;
        this.open = open;
        this.moment = moment;
        this.settings = settings;
        this.input = input;
    }

    public void restored(PastUse use) {
        restored = Optional.of(use);
    }

    public void add(PolicyKind kind, PolicyStep step) {
        (kind == PolicyKind.DISTRIBUTION ? distribution : matching).add(step);
    }

    public DecisionFrame finish(PlanOutcome outcome, OptionalLong reviewMillis, long micros) {
        return new DecisionFrame(
                pool,
                sequence,
                before,
                uses,
                open,
                moment,
                settings,
                input,
                restored,
                distribution,
                matching,
                new DecisionFrame.Result(outcome, reviewMillis, micros));
    }
}
