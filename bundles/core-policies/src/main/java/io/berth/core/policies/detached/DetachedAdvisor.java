package io.berth.core.policies.detached;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.policy.ScalingAdvisor.Feasible;
import io.berth.core.api.policy.ScalingAdvisor.Limit;
import io.berth.core.api.policy.ScalingAdvisor.ScalingInput;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.api.time.Clock;
import io.berth.core.policies.decision.ScalingDecision;
import io.berth.core.policies.frame.ScalingFrame;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.scaling.GraphView;
import io.berth.policy.rules.scaling.SlotAllocator;
import io.berth.spi.PolicyKind;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Makes the scaling decisions of one job outside of its advisor, with the same code: again with the recorded policies, or
 * with one in their place; see {@link DetachedPlanner}. Each frame is complete, so they may come in any selection.
 *
 * <p>What bounds the parallelism beside the slots is recorded for the parallelism that was planned. A policy in place of
 * the recorded one that leads to another one is answered as if nothing bounded it, and the decision says so.
 */
public final class DetachedAdvisor implements AutoCloseable {

    private final JobGraph job;
    private final DecisionOwner owner;
    private final DetachedPolicies policies;
    private final Clock measuring;
    private final FrameTime time = new FrameTime();
    private final GraphView view;
    private final SlotAllocator allocator;
    private final DetachedSource<ScalingSession> scaling;
    private final Surroundings surroundings;
    private Optional<Current> current = Optional.empty();

    /** The decision that is being made. */
    private static final class Current implements Limit {

        private final ScalingFrame frame;
        private final boolean again;
        private final CompletableFuture<DetachedAnswer<ScalingOutcome>> made;
        private final long startedNanos;
        /** Set by the thread of the policy. */
        private volatile boolean assumed;

        private Current(
                ScalingFrame frame,
                boolean again,
                CompletableFuture<DetachedAnswer<ScalingOutcome>> made,
                long startedNanos) {
            this.frame = frame;
            this.again = again;
            this.made = made;
            this.startedNanos = startedNanos;
        }

        @Override
        public Feasible feasible(List<Integer> planned) {
            Optional<Feasible> recorded = frame.bounds().stream()
                    .filter(bound -> bound.planned().equals(planned))
                    .map(ScalingFrame.Bound::feasible)
                    .findFirst();
            if (recorded.isPresent()) {
                return recorded.get();
            }
            if (again) {
                throw new IllegalStateException(
                        "the recorded decision did not need to know what bounds parallelism " + planned);
            }
            assumed = true;
            return Limit.NONE.feasible(planned);
        }
    }

    /** @param measuring the clock by which decisions are measured; policies see the time of the frames */
    public DetachedAdvisor(
            JobGraph job, DetachedPolicies policies, PolicyCalls calls, Clock measuring, Executor executor) {
        this.job = job;
        this.owner = DecisionOwner.scaling(job.id());
        this.policies = policies;
        this.measuring = measuring;
        this.view = new GraphView(job);
        this.allocator = view.allocator();
        this.surroundings = new Surroundings(owner, calls, time, measuring, executor, this::failed);
        this.scaling = new DetachedSource<>(
                PolicyKind.SCALING,
                policies,
                surroundings,
                (factory, configuration, context) -> ((ScalingPolicyFactory) factory)
                        .create(configuration, context)
                        .open(view),
                ScalingSession::close);
    }

    /**
     * Decides. The previous decision must have ended. The stage never fails: a failure of a policy or of the host is an
     * outcome that is not decided, and is named in the answer.
     *
     * @throws IllegalArgumentException when the frame is of another job
     */
    public CompletionStage<DetachedAnswer<ScalingOutcome>> decide(ScalingFrame frame) {
        if (current.isPresent()) {
            throw new IllegalStateException("the previous decision of " + owner + " has not ended");
        }
        if (!frame.job().equals(job)) {
            throw new IllegalArgumentException("the frame is of another job or graph than " + owner);
        }
        CompletableFuture<DetachedAnswer<ScalingOutcome>> made = new CompletableFuture<>();
        surroundings.run(() -> begin(frame, made));
        return made;
    }

    private void begin(ScalingFrame frame, CompletableFuture<DetachedAnswer<ScalingOutcome>> made) {
        boolean again = policies.inPlaceOf(PolicyKind.SCALING).isEmpty();
        Current decision = new Current(frame, again, made, measuring.nanos());
        current = Optional.of(decision);
        ScalingInput input = new ScalingInput(
                frame.input().stateNumber(),
                frame.input().current(),
                frame.input().slots(),
                decision,
                frame.input().measures(),
                frame.input().stopped());
        time.set(frame.time(), frame.zone());
        view.restore(frame.before());
        view.apply(input, frame.time()).ifPresent(mismatch -> {
            throw new IllegalArgumentException(mismatch);
        });
        scaling.begin(frame.scaling(), again);
        new ScalingDecision(
                        owner,
                        new DetachedHost(frame.decision(), frame.time(), 0, measuring, Optional.empty()),
                        view,
                        allocator,
                        scaling,
                        input,
                        decision.startedNanos,
                        this::finish)
                .make();
    }

    private void finish(ScalingOutcome outcome) {
        end(outcome, scaling.failures());
    }

    private void end(ScalingOutcome outcome, List<String> failures) {
        Optional<Current> ended = current;
        current = Optional.empty();
        ended.ifPresent(decision -> decision.made.complete(new DetachedAnswer<>(
                outcome, failures, decision.assumed, (measuring.nanos() - decision.startedNanos) / 1_000)));
    }

    private void failed(RuntimeException failure) {
        scaling.drop();
        String text = "the decision failed in the host: " + failure;
        end(new ScalingOutcome.NotDecided(text), List.of(text));
    }

    /** Closes the open instance. A decision that is being made does not end. */
    @Override
    public void close() {
        current = Optional.empty();
        scaling.drop();
    }
}
