package io.berth.core.policies.decision;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.decision.Candidates.Violation;
import io.berth.core.policies.registration.Asker;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.validation.AssignmentQueryView;
import io.berth.spi.PolicyKind;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Assigns slots to requirements for the JobMasters of one pool, one query after another. Its instance of the matching
 * strategy is not the planner's, so that a long planning call delays no assignment. Has its own main thread.
 */
public final class Assigner implements AutoCloseable, DecisionQueue.Decider<AssignmentQuery> {

    private final DecisionOwner owner;
    private final Services services;
    private final DecisionQueue<AssignmentQuery, AssignmentOutcome> queue;
    private final PolicyBinding<AssignmentSession> matching;

    public Assigner(String pool, Services services) {
        this.owner = DecisionOwner.assignments(pool);
        this.services = services;
        this.queue = new DecisionQueue<>(
                owner.toString(),
                services,
                Set.of(PolicyKind.MATCHING),
                AssignmentOutcome.NotDecided::new,
                () -> {},
                this);
        this.matching = new PolicyBinding<>(
                PolicyKind.MATCHING,
                owner,
                services.pools().preference(pool, PolicyKind.MATCHING),
                services,
                queue.main(),
                () -> LedgerState.NONE,
                (factory, configuration, context) -> ((MatchingStrategyFactory) factory)
                        .create(configuration, context)
                        .openAssignment(),
                AssignmentSession::close);
        queue.begin(false, matching);
    }

    public CompletionStage<AssignmentOutcome> assign(AssignmentQuery query) {
        return queue.submit(query);
    }

    @Override
    public void close() {
        queue.close();
    }

    public static AssignmentOutcome hostEnded() {
        return new AssignmentOutcome.NotDecided("the policy host has ended");
    }

    @Override
    public void decide(AssignmentQuery query, long dueNanos, long startedNanos) {
        matching.prefer(services.pools().preference(owner.name(), PolicyKind.MATCHING));
        new Decision(query, dueNanos, startedNanos).make();
    }

    private final class Decision {

        private final AssignmentQuery query;
        private final long dueNanos;
        private final DecisionRecord record;
        private final Candidates<AssignmentSession> candidates;

        private Decision(AssignmentQuery query, long dueNanos, long startedNanos) {
            this.query = query;
            this.dueNanos = dueNanos;
            this.record = new DecisionRecord(services, owner, DecisionType.ASSIGNMENT, startedNanos);
            this.candidates =
                    new Candidates<>(matching, new Asker(owner, Optional.ofNullable(query.job())), record, this::make);
        }

        private void make() {
            candidates.take(
                    this::ask,
                    vacant -> queue.finish(new AssignmentOutcome.NotDecided(
                            Reason.of(ReasonCode.NO_STRATEGY, record.vacant(vacant)))));
        }

        private void ask() {
            if (query.slots().isEmpty() || query.requirements().isEmpty()) {
                // A strategy has no choice here. But without a strategy nothing is decided either.
                queue.finish(new AssignmentOutcome.Assigned(
                        0,
                        candidates.lease().identity(),
                        query.slots().stream().map(slot -> -1).toList(),
                        OptionalLong.empty()));
                return;
            }
            AssignmentQueryView view = new AssignmentQueryView(query, DecisionTime.now(services.clock()));
            candidates.ask(
                    PolicyCall.ASSIGN,
                    "assign",
                    (session, phases) -> {
                        view.result().rules().begin();
                        session.assign(view, view.result());
                        view.result().rules().end();
                        return view;
                    },
                    answer -> answer.result()
                            .rules()
                            .violation()
                            .map(text -> new Violation(PolicyCall.ASSIGN, "breaks a rule of assignment: " + text)),
                    this::decided);
        }

        private void decided(AssignmentQueryView answer) {
            record.round("taken");
            long number = record.made(
                    query.stateNumber(),
                    List.of(query.job().value()),
                    Lines.of(answer.inputs()),
                    Lines.of(answer.results()),
                    Lines.of(answer.reasons()),
                    candidates);
            matching.committed(number, dueNanos);
            Review review = new Review();
            review.ask(answer.result().rules().reviewMillis());
            queue.finish(new AssignmentOutcome.Assigned(
                    number, candidates.lease().identity(), answer.result().requirementOfSlot(), review.afterMillis()));
        }
    }
}
