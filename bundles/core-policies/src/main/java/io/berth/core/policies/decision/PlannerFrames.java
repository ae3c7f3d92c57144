package io.berth.core.policies.decision;

import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.cache.PoolState;
import io.berth.core.policies.cache.UnitTable;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.core.policies.frame.FrameDraft;
import io.berth.core.policies.frame.UseMoment;
import io.berth.core.policies.pools.PastUse;
import io.berth.core.policies.pools.PoolSettings;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Makes the frames of one planner for those who observe its decisions; keeps nothing while nobody does. Confined to the
 * main thread of the planner.
 */
final class PlannerFrames {

    private final String pool;
    private final Services services;
    private final UnitTable units;
    private final LeftOutUnits leftOut;
    private final List<UseMoment> uses = new ArrayList<>();
    private Optional<FrameDraft> draft = Optional.empty();
    private long sequence;
    private long startedNanos;
    /** A frame was lost, so the next one must contain the state. */
    private boolean lost;

    PlannerFrames(String pool, Services services, UnitTable units, LeftOutUnits leftOut) {
        this.pool = pool;
        this.services = services;
        this.units = units;
        this.leftOut = leftOut;
    }

    /**
     * An input is about to be applied.
     *
     * @param open the generations that are open now
     */
    void begin(
            PlanningInput input, DecisionTime now, PoolSettings settings, long started, Stream<PolicyIdentity> open) {
        long number = sequence++;
        if (services.observers().isEmpty()) {
            uses.clear();
            return;
        }
        startedNanos = started;
        boolean needed = number == 0 || lost || services.observers().needState(pool);
        lost = false;
        Optional<PoolState> before = needed ? Optional.of(units.state(leftOut.rows())) : Optional.empty();
        draft = Optional.of(new FrameDraft(
                pool,
                number,
                before,
                List.copyOf(uses),
                open.map(PolicyIdentity::generation).toList(),
                new DecisionFrame.Moment(
                        now,
                        services.clock().zone().getId(),
                        services.registry().limits().leftOutMillis()),
                settings,
                input));
        uses.clear();
    }

    /** What an earlier planner recorded was added after the input. */
    void restored(PastUse record) {
        draft.ifPresent(frame -> frame.restored(record));
    }

    /** The use was counted between decisions. */
    void counted(UseMoment moment) {
        if (!services.observers().isEmpty()) {
            uses.add(moment);
        }
    }

    <S> PolicySource<S> observed(PolicyKind kind, PolicySource<S> policies) {
        return draft.<PolicySource<S>>map(frame -> new ObservedSource<>(policies, step -> frame.add(kind, step)))
                .orElse(policies);
    }

    void finish(PlanOutcome outcome, OptionalLong reviewMillis) {
        Optional<FrameDraft> made = draft;
        draft = Optional.empty();
        made.ifPresent(frame -> services.observers()
                .decided(frame.finish(outcome, reviewMillis, (services.clock().nanos() - startedNanos) / 1_000)));
    }

    /** The decision has ended; without {@link #finish} it failed in the host. */
    void end() {
        if (draft.isPresent()) {
            draft = Optional.empty();
            lost = true;
        }
    }
}
