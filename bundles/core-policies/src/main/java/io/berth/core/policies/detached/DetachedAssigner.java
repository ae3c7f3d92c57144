package io.berth.core.policies.detached;

import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.time.Clock;
import io.berth.core.policies.decision.AssignmentDecision;
import io.berth.core.policies.frame.AssignmentFrame;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.spi.PolicyKind;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Makes the assignments of one pool outside of its assigner, with the same code: again with the recorded strategies, or
 * with one in their place; see {@link DetachedPlanner}. Each frame is complete, so they may come in any selection.
 */
public final class DetachedAssigner implements AutoCloseable {

    private final DecisionOwner owner;
    private final DetachedPolicies policies;
    private final Clock measuring;
    private final FrameTime time = new FrameTime();
    private final DetachedSource<AssignmentSession> matching;
    private final Surroundings surroundings;
    private Optional<Current> current = Optional.empty();

    /** The decision that is being made. */
    private record Current(CompletableFuture<DetachedAnswer<AssignmentOutcome>> made, long startedNanos) {}

    /** @param measuring the clock by which decisions are measured; strategies see the time of the frames */
    public DetachedAssigner(
            String pool, DetachedPolicies policies, PolicyCalls calls, Clock measuring, Executor executor) {
        this.owner = DecisionOwner.assignments(pool);
        this.policies = policies;
        this.measuring = measuring;
        this.surroundings = new Surroundings(owner, calls, time, measuring, executor, this::failed);
        this.matching = new DetachedSource<>(
                PolicyKind.MATCHING,
                policies,
                surroundings,
                (factory, configuration, context) -> ((MatchingStrategyFactory) factory)
                        .create(configuration, context)
                        .openAssignment(),
                AssignmentSession::close);
    }

    /**
     * Decides. The previous decision must have ended. The stage never fails: a failure of a strategy or of the host is an
     * outcome that is not decided, and is named in the answer.
     *
     * @throws IllegalArgumentException when the frame is of another pool
     */
    public CompletionStage<DetachedAnswer<AssignmentOutcome>> decide(AssignmentFrame frame) {
        if (current.isPresent()) {
            throw new IllegalStateException("the previous decision of " + owner + " has not ended");
        }
        if (!frame.pool().equals(owner.name())) {
            throw new IllegalArgumentException("the frame is of pool " + frame.pool() + ", not of " + owner);
        }
        CompletableFuture<DetachedAnswer<AssignmentOutcome>> made = new CompletableFuture<>();
        surroundings.run(() -> begin(frame, made));
        return made;
    }

    private void begin(AssignmentFrame frame, CompletableFuture<DetachedAnswer<AssignmentOutcome>> made) {
        Current decision = new Current(made, measuring.nanos());
        current = Optional.of(decision);
        time.set(frame.time(), frame.zone());
        matching.begin(frame.matching(), policies.inPlaceOf(PolicyKind.MATCHING).isEmpty());
        new AssignmentDecision(
                        owner,
                        new DetachedHost(frame.decision(), frame.time(), 0, measuring, Optional.empty()),
                        matching,
                        frame.query(),
                        frame.time(),
                        decision.startedNanos(),
                        outcome -> end(outcome, matching.failures()))
                .make();
    }

    private void end(AssignmentOutcome outcome, List<String> failures) {
        Optional<Current> ended = current;
        current = Optional.empty();
        ended.ifPresent(decision -> decision.made()
                .complete(new DetachedAnswer<>(
                        outcome, failures, false, (measuring.nanos() - decision.startedNanos()) / 1_000)));
    }

    private void failed(RuntimeException failure) {
        matching.drop();
        String text = "the decision failed in the host: " + failure;
        end(new AssignmentOutcome.NotDecided(text), List.of(text));
    }

    /** Closes the open instance. A decision that is being made does not end. */
    @Override
    public void close() {
        current = Optional.empty();
        matching.drop();
    }
}
