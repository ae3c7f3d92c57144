package io.berth.core.policies.decision;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.policy.ScalingAdvisor.Feasible;
import io.berth.core.api.policy.ScalingAdvisor.ScalingInput;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.policies.decision.Candidates.Violation;
import io.berth.core.policies.frame.ScalingFrame.Bound;
import io.berth.core.policies.registration.Asker;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.scaling.GraphView;
import io.berth.policy.rules.scaling.DesireResult;
import io.berth.policy.rules.scaling.JudgementResult;
import io.berth.policy.rules.scaling.SlotAllocator;
import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.ScalingSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One scaling decision: calls a policy, checks its answers, and finds between them what is feasible (FLIP-160). The same
 * code makes it live and again. Confined to the main thread of the owner.
 */
public final class ScalingDecision {

    private record Answer(
            DesireResult desired, List<Integer> aligned, Optional<Bound> bound, JudgementResult judgement) {

        /** The first rule that the answer breaks. */
        Optional<Violation> violation() {
            return violation(desired.violation(), PolicyCall.DESIRE)
                    .or(() -> violation(judgement.violation(), PolicyCall.JUDGE));
        }

        private static Optional<Violation> violation(Optional<String> text, PolicyCall call) {
            return text.map(broken -> new Violation(call, "breaks a rule of scaling: " + broken));
        }

        Feasible feasible() {
            return bound.map(Bound::feasible).orElse(NOTHING);
        }
    }

    private record Change(List<Integer> parallelism, String bound) implements FeasibleChange {

        @Override
        public int parallelism(int vertex) {
            return parallelism.get(vertex);
        }
    }

    private static final Feasible NOTHING = new Feasible(Optional.empty(), "");

    private final GraphView view;
    private final SlotAllocator allocator;
    private final ScalingInput input;
    private final Consumer<ScalingOutcome> finished;
    private final DecisionRecord record;
    private final Candidates<ScalingSession> candidates;
    private final List<Bound> bounds = new ArrayList<>();

    /**
     * @param view shows the input already
     * @param finished receives the outcome, once
     */
    public ScalingDecision(
            DecisionOwner owner,
            DecisionHost host,
            GraphView view,
            SlotAllocator allocator,
            PolicySource<ScalingSession> policies,
            ScalingInput input,
            long startedNanos,
            Consumer<ScalingOutcome> finished) {
        this.view = view;
        this.allocator = allocator;
        this.input = input;
        this.finished = finished;
        this.record = new DecisionRecord(host, owner, DecisionType.SCALING, startedNanos);
        this.candidates = new Candidates<>(policies, Asker.of(owner), record, this::make);
    }

    public void make() {
        candidates.take(
                this::ask,
                vacant -> finished.accept(
                        new ScalingOutcome.NotDecided(Reason.of(ReasonCode.NO_SCALING, record.vacant(vacant)))));
    }

    /** What bounded the parallelism so far. */
    public List<Bound> bounds() {
        return bounds;
    }

    private void ask() {
        boolean fresh = candidates.lease().fresh();
        DesireResult desired = new DesireResult(view);
        JudgementResult judgement = new JudgementResult();
        candidates.ask(
                List.of(desired.rules(), judgement.rules()),
                fresh ? PolicyCall.DESIRE : PolicyCall.DELTA,
                "decide",
                (session, phases) -> {
                    if (!fresh) {
                        session.delta();
                        phases.enter(PolicyCall.DESIRE);
                    }
                    desired.rules().begin();
                    session.desire(desired);
                    desired.rules().end();
                    if (desired.violation().isPresent()) {
                        return new Answer(desired, List.of(), Optional.empty(), judgement);
                    }
                    List<Integer> aligned = allocator.aligned(desired.values());
                    Optional<Bound> bound = allocator
                            .feasible(aligned, input.slots())
                            .map(planned -> new Bound(planned, input.limit().feasible(planned)));
                    Optional<Feasible> change = bound.map(Bound::feasible)
                            .filter(feasible -> view.running()
                                    && feasible.parallelism()
                                            .filter(values -> !values.equals(input.current()))
                                            .isPresent());
                    if (change.isPresent()) {
                        phases.enter(PolicyCall.JUDGE);
                        judgement.begin();
                        Feasible feasible = change.get();
                        session.judge(new Change(feasible.parallelism().orElseThrow(), feasible.bound()), judgement);
                        judgement.rules().end();
                    }
                    return new Answer(desired, aligned, bound, judgement);
                },
                this::checked,
                this::decided);
    }

    private Optional<Violation> checked(Answer answer) {
        answer.bound().ifPresent(bounds::add);
        return answer.violation();
    }

    private void decided(Answer answer) {
        boolean accepted = answer.judgement().accepted();
        view.decided(answer.aligned());
        List<String> reasons = Stream.of(
                        answer.desired().reason(), answer.judgement().reason())
                .filter(text -> !text.isEmpty())
                .distinct()
                .toList();
        String reason = String.join("; ", reasons);
        record.round("taken");
        long number = record.made(
                input.stateNumber(),
                List.of(view.job().value()),
                Lines.of(view.inputs(input)),
                Lines.of(view.results(answer.aligned(), answer.feasible(), accepted)),
                Lines.of(reason.isEmpty() ? List.of() : List.of(reason)),
                candidates);
        Review review = new Review();
        review.ask(answer.desired().rules().reviewMillis());
        review.ask(answer.judgement().rules().reviewMillis());
        finished.accept(new ScalingOutcome.Decided(
                number,
                candidates.lease().identity(),
                answer.aligned(),
                answer.feasible(),
                accepted,
                review.afterMillis(),
                reason));
    }
}
