package io.berth.core.policies.detached;

import io.berth.core.api.policy.PlacementRuns;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.api.time.Clock;
import io.berth.core.policies.cache.UnitTable;
import io.berth.core.policies.cache.WorkerColumns;
import io.berth.core.policies.decision.DecisionHost;
import io.berth.core.policies.decision.LeftOutUnits;
import io.berth.core.policies.decision.OpenStrategy;
import io.berth.core.policies.decision.PlanningDecision;
import io.berth.core.policies.decision.Review;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.policy.rules.placement.RemainingCapacity;
import io.berth.spi.PolicyKind;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Makes the decisions of one pool outside of its planner. Applies frames to its own tables, and decides with the same
 * code as the planner: the same rounds, the same checks, the same time. Nothing of it is committed, logged or measured as
 * a decision of the host.
 *
 * <p>There are two uses. <em>Again</em>: {@link DetachedPolicies} names no policy of its own, and the recorded instances
 * decide; outcomes are equal, unless a policy depends on something that is not part of its input. <em>In place</em>: a
 * candidate of one kind is given the same inputs, with an instance of its own of the policy of the other kind. What it
 * decided has no consequences: the next frame has the state that the real decision led to.
 *
 * <p>Everything but calls into policies runs on the executor, on which all methods must be called, too. It must run one
 * action after another; one that runs them at once in the calling thread is allowed with {@link PolicyCalls#direct}.
 */
public final class DetachedPlanner implements AutoCloseable {

    private final String pool;
    private final DetachedPolicies policies;
    private final DecisionOwner owner;
    private final Clock measuring;
    private final FrameTime time = new FrameTime();
    private final Surroundings surroundings;
    private Optional<Tables> tables = Optional.empty();
    private long expected = -1;
    private Optional<Current> current = Optional.empty();

    /** The state, and the sessions that were opened on it. */
    private final class Tables {
        private final WorkerColumns workers = new WorkerColumns();
        private final UnitTable units = new UnitTable(workers);
        private final LeftOutUnits leftOut = new LeftOutUnits();
        private final RemainingCapacity rest = new RemainingCapacity();
        private final Review review = new Review();
        private final DetachedSource<AdmissionSession> distribution = new DetachedSource<>(
                PolicyKind.DISTRIBUTION,
                policies,
                surroundings,
                (factory, configuration, context) -> ((DistributionPolicyFactory) factory)
                        .create(configuration, context)
                        .open(units),
                AdmissionSession::close);
        private final DetachedSource<OpenStrategy> matching = new DetachedSource<>(
                PolicyKind.MATCHING,
                policies,
                surroundings,
                (factory, configuration, context) ->
                        OpenStrategy.of(((MatchingStrategyFactory) factory).create(configuration, context), workers),
                open -> open.session().close());

        private void drop() {
            matching.drop();
            distribution.drop();
        }
    }

    /** The decision that is being made. */
    private record Current(
            DecisionFrame frame, Tables tables, CompletableFuture<DetachedDecision> made, long startedNanos) {}

    /** @param measuring the clock by which decisions are measured; policies see the time of the frames */
    public DetachedPlanner(
            String pool, DetachedPolicies policies, PolicyCalls calls, Clock measuring, Executor executor) {
        this.pool = pool;
        this.policies = policies;
        this.owner = DecisionOwner.plans(pool);
        this.measuring = measuring;
        this.surroundings = new Surroundings(owner, calls, time, measuring, executor, this::failed);
    }

    /** Whether the planner can use the frame: it follows the previous one, or contains the state before it. */
    public boolean accepts(DecisionFrame frame) {
        return follows(frame) || frame.before().isPresent();
    }

    private boolean follows(DecisionFrame frame) {
        return tables.isPresent() && frame.sequence() == expected;
    }

    /** Whether the open strategy looks at the slots that jobs have. */
    public boolean usesSlots() {
        return tables.flatMap(state -> state.matching.session())
                .filter(OpenStrategy::usesAllocations)
                .isPresent();
    }

    /** Name of a worker as the last frame left it, for people. */
    public String worker(int index) {
        return tables.map(state -> state.workers)
                .filter(workers -> workers.present(index))
                .map(workers -> workers.name(index))
                .orElse("worker " + index);
    }

    /** Name of a group and its job as the last frame left them, for people. */
    public String group(int unit, int group) {
        return tables.filter(state -> state.units.present(unit))
                .map(state -> state.units.unit(unit))
                .map(demand -> "group " + demand.groups().get(group).group() + " of job " + demand.job())
                .orElse("group " + group + " of unit " + unit);
    }

    /** What a worker of a spec costs in an hour, as the last frame left it; 0 when the spec is gone. */
    public double costPerHour(int spec) {
        return tables.filter(state -> spec < state.workers.specs())
                .map(state -> state.workers.specCostPerHour(spec))
                .orElse(0.0);
    }

    /** The next frame must contain the state before it. */
    public void reset() {
        tables.ifPresent(Tables::drop);
        tables = Optional.empty();
    }

    /**
     * Applies a frame and decides. The previous decision must have ended. The stage never fails: a failure of a policy
     * or of the host is an outcome that is not decided, and is named in the decision.
     *
     * @throws IllegalArgumentException when the planner does not accept the frame
     */
    public CompletionStage<DetachedDecision> decide(DecisionFrame frame) {
        if (current.isPresent()) {
            throw new IllegalStateException("the decision before frame " + frame.sequence() + " has not ended");
        }
        if (!accepts(frame)) {
            throw new IllegalArgumentException("frame " + frame.sequence() + " of pool " + pool
                    + " does not follow the previous one and does not contain the state before it");
        }
        CompletableFuture<DetachedDecision> made = new CompletableFuture<>();
        surroundings.run(() -> begin(frame, made));
        return made;
    }

    private void begin(DecisionFrame frame, CompletableFuture<DetachedDecision> made) {
        if (follows(frame)) {
            Tables same = tables.orElseThrow();
            frame.uses().forEach(moment -> moment.applyTo(same.units));
        } else {
            reset();
            Tables restored = new Tables();
            frame.before().ifPresent(state -> {
                restored.units.restore(state);
                restored.leftOut.restore(state.leftOut());
            });
            tables = Optional.of(restored);
        }
        expected = frame.sequence() + 1;
        Tables state = tables.orElseThrow();
        current = Optional.of(new Current(frame, state, made, measuring.nanos()));
        boolean again = isAgain();
        state.distribution.begin(frame.distribution(), again);
        state.matching.begin(frame.matching(), again);
        state.review.begin();
        state.distribution.openAhead(
                frame.open(), () -> state.matching.openAhead(frame.open(), () -> apply(frame, state)));
    }

    private DecisionHost host(DecisionFrame frame) {
        return new DetachedHost(
                frame.decision(),
                frame.moment().time(),
                frame.moment().leftOutMillis(),
                measuring,
                isAgain() && frame.result().outcome() instanceof PlanOutcome.NotDecided recorded
                        ? Optional.of(recorded.why())
                        : Optional.empty());
    }

    private boolean isAgain() {
        return policies.inPlaceOf(PolicyKind.MATCHING).isEmpty()
                && policies.inPlaceOf(PolicyKind.DISTRIBUTION).isEmpty();
    }

    private void apply(DecisionFrame frame, Tables state) {
        time.set(frame.moment().time(), frame.moment().zone());
        boolean grown = state.units.apply(frame.settings(), frame.moment().time(), frame.input());
        frame.restored()
                .ifPresent(record -> state.units.restore(
                        record,
                        frame.moment().time().wallMillis(),
                        frame.moment().time()));
        if (grown) {
            state.drop();
        }
        if (!state.units.nothingLacks()) {
            make(frame, state);
        } else if (isAgain()) {
            if (frame.matching().isEmpty()) {
                finish(withoutNeed(frame, state));
            } else {
                make(frame, state);
            }
        } else {
            state.matching.prepare(() -> {
                // The policies were asked because one of them had wished it.
                boolean asked = !frame.distribution().isEmpty();
                if (asked
                        || state.matching
                                .session()
                                .filter(OpenStrategy::usesAllocations)
                                .isPresent()) {
                    make(frame, state);
                } else {
                    finish(withoutNeed(frame, state));
                }
            });
        }
    }

    private void make(DecisionFrame frame, Tables state) {
        new PlanningDecision(
                        owner,
                        host(frame),
                        state.workers,
                        state.units,
                        state.rest,
                        state.distribution,
                        state.matching,
                        state.leftOut,
                        state.review,
                        measuring.nanos(),
                        this::finish)
                .make();
    }

    private PlanOutcome withoutNeed(DecisionFrame frame, Tables state) {
        Optional<PlanOutcome.Planned> recorded = frame.result().outcome() instanceof PlanOutcome.Planned planned
                ? Optional.of(planned)
                : Optional.empty();
        return new PlanOutcome.Planned(
                0,
                frame.input().stateNumber(),
                recorded.map(PlanOutcome.Planned::distribution).orElse(nobody(PolicyKind.DISTRIBUTION)),
                recorded.map(PlanOutcome.Planned::matching).orElse(nobody(PolicyKind.MATCHING)),
                PlacementRuns.NONE,
                List.of(),
                state.workers.limit(),
                List.of());
    }

    private static PolicyIdentity nobody(PolicyKind kind) {
        return new PolicyIdentity(kind, "none", "", "", 0, 0);
    }

    private void finish(PlanOutcome outcome) {
        Current ended = current.orElseThrow();
        current = Optional.empty();
        Tables state = ended.tables();
        state.units.clearOverlay();
        state.workers.clearOverlay();
        List<String> failures = new ArrayList<>(state.distribution.failures());
        failures.addAll(state.matching.failures());
        ended.made()
                .complete(new DetachedDecision(
                        outcome,
                        state.review.afterMillis(),
                        failures,
                        (measuring.nanos() - ended.startedNanos()) / 1_000,
                        (state.distribution.callNanos() + state.matching.callNanos()) / 1_000));
    }

    /** The tables may be incomplete: the next frame must contain the state. */
    private void failed(RuntimeException failure) {
        Optional<Current> ended = current;
        current = Optional.empty();
        reset();
        String text = "the decision failed in the host: " + failure;
        ended.ifPresent(decision -> decision.made()
                .complete(new DetachedDecision(
                        new PlanOutcome.NotDecided(text),
                        decision.tables().review.afterMillis(),
                        List.of(text),
                        (measuring.nanos() - decision.startedNanos()) / 1_000,
                        0)));
    }

    /** Closes the open instances. A decision that is being made does not end. */
    @Override
    public void close() {
        current = Optional.empty();
        reset();
    }
}
