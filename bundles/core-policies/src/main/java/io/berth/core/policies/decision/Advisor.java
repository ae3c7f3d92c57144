package io.berth.core.policies.decision;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.ScalingAdvisor;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.decision.Candidates.Violation;
import io.berth.core.policies.registration.Asker;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.registration.Preference;
import io.berth.core.policies.scaling.DesireResult;
import io.berth.core.policies.scaling.GraphView;
import io.berth.core.policies.scaling.JudgementResult;
import io.berth.core.policies.scaling.SlotAllocator;
import io.berth.spi.PolicyKind;
import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * Decides the scaling of one job: calls the policy that the job chose, or the common one, checks its answers, and finds
 * between them what is feasible (FLIP-160). Has its own main thread; calls of the owner hop to it.
 */
public final class Advisor implements ScalingAdvisor, DecisionQueue.Decider<ScalingAdvisor.ScalingInput> {

    private record Answer(DesireResult desired, List<Integer> aligned, Feasible feasible, JudgementResult judgement) {

        /** The first rule that the answer breaks. */
        Optional<Violation> violation() {
            return violation(desired.violation(), PolicyCall.DESIRE)
                    .or(() -> violation(judgement.violation(), PolicyCall.JUDGE));
        }

        private static Optional<Violation> violation(Optional<String> text, PolicyCall call) {
            return text.map(broken -> new Violation(call, "breaks a rule of scaling: " + broken));
        }
    }

    private record Change(List<Integer> parallelism, String bound) implements FeasibleChange {

        @Override
        public int parallelism(int vertex) {
            return parallelism.get(vertex);
        }
    }

    private static final Feasible NOTHING = new Feasible(Optional.empty(), "");

    private final DecisionOwner owner;
    private final JobGraph job;
    /** What the job says about its policy. */
    private final Preference own;

    private final Services services;
    private final DecisionQueue<ScalingInput, ScalingOutcome> queue;
    private final GraphView view;
    private final SlotAllocator allocator;
    private final PolicyBinding<ScalingSession> scaling;

    public Advisor(JobGraph job, Runnable changed, Services services) {
        this.owner = DecisionOwner.scaling(job.id());
        this.job = job;
        this.services = services;
        this.queue = new DecisionQueue<>(
                "scaling of " + owner,
                services,
                Set.of(PolicyKind.SCALING),
                ScalingOutcome.NotDecided::new,
                changed,
                this);
        this.view = new GraphView(job);
        this.allocator = new SlotAllocator(job);
        this.own = Preference.of(Optional.ofNullable(job.policies().get(PolicyKind.SCALING)));
        this.scaling = new PolicyBinding<>(
                PolicyKind.SCALING,
                owner,
                own,
                services,
                queue.main(),
                () -> LedgerState.NONE,
                (factory, configuration, context) -> ((ScalingPolicyFactory) factory)
                        .create(configuration, context)
                        .open(view),
                ScalingSession::close);
        if (own.selector().isPresent()) {
            services.registry().choosesForItself(PolicyKind.SCALING, owner.toString(), own);
        }
        queue.begin(false, scaling);
    }

    @Override
    public CompletionStage<ScalingOutcome> decide(ScalingInput input) {
        return queue.submit(input);
    }

    @Override
    public void close() {
        services.registry().forget(job.id());
        if (own.selector().isPresent()) {
            services.registry().stopChoosing(PolicyKind.SCALING, owner.toString(), own);
        }
        queue.close();
    }

    @Override
    public void decide(ScalingInput input, long dueNanos, long startedNanos) {
        Optional<String> mismatch = view.apply(input, DecisionTime.now(services.clock()));
        if (mismatch.isPresent()) {
            queue.finish(new ScalingOutcome.NotDecided(mismatch.get()));
            return;
        }
        new Decision(input, dueNanos, startedNanos).make();
    }

    private final class Decision {

        private final ScalingInput input;
        private final long dueNanos;
        private final DecisionRecord record;
        private final Candidates<ScalingSession> candidates;

        private Decision(ScalingInput input, long dueNanos, long startedNanos) {
            this.input = input;
            this.dueNanos = dueNanos;
            this.record = new DecisionRecord(services, owner, DecisionType.SCALING, startedNanos);
            this.candidates = new Candidates<>(scaling, Asker.of(owner), record, this::make);
        }

        private void make() {
            candidates.take(
                    this::ask,
                    vacant -> queue.finish(
                            new ScalingOutcome.NotDecided(Reason.of(ReasonCode.NO_SCALING, record.vacant(vacant)))));
        }

        private void ask() {
            boolean fresh = candidates.lease().fresh();
            DesireResult desired = new DesireResult(view);
            JudgementResult judgement = new JudgementResult();
            candidates.ask(
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
                            return new Answer(desired, List.of(), NOTHING, judgement);
                        }
                        List<Integer> aligned = allocator.aligned(desired.values());
                        Feasible feasible = allocator
                                .feasible(aligned, input.slots())
                                .map(input.limit()::feasible)
                                .orElse(NOTHING);
                        if (view.running()
                                && feasible.parallelism()
                                        .filter(values -> !values.equals(input.current()))
                                        .isPresent()) {
                            phases.enter(PolicyCall.JUDGE);
                            judgement.begin();
                            session.judge(new Change(feasible.parallelism().get(), feasible.bound()), judgement);
                            judgement.rules().end();
                        }
                        return new Answer(desired, aligned, feasible, judgement);
                    },
                    Answer::violation,
                    this::decided);
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
                    List.of(job.id().value()),
                    Lines.of(view.inputs(input)),
                    Lines.of(view.results(answer.aligned(), answer.feasible(), accepted)),
                    Lines.of(reason.isEmpty() ? List.of() : List.of(reason)),
                    candidates);
            scaling.committed(number, dueNanos);
            Review review = new Review();
            review.ask(answer.desired().rules().reviewMillis());
            review.ask(answer.judgement().rules().reviewMillis());
            queue.finish(new ScalingOutcome.Decided(
                    number,
                    candidates.lease().identity(),
                    answer.aligned(),
                    answer.feasible(),
                    accepted,
                    review.afterMillis(),
                    reason));
        }
    }
}
