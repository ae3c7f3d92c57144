package io.berth.core.policies.decision;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.decision.Candidates.Violation;
import io.berth.core.policies.registration.Asker;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.validation.AssignmentQueryView;
import io.berth.spi.matching.AssignmentSession;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * One assignment: calls a strategy and checks its answer. The same code makes it live and again. Confined to the main
 * thread of the owner.
 */
public final class AssignmentDecision {

    private final AssignmentQuery query;
    private final DecisionTime time;
    private final Consumer<AssignmentOutcome> finished;
    private final DecisionRecord record;
    private final Candidates<AssignmentSession> candidates;

    /** @param finished receives the outcome, once */
    public AssignmentDecision(
            DecisionOwner owner,
            DecisionHost host,
            PolicySource<AssignmentSession> policies,
            AssignmentQuery query,
            DecisionTime time,
            long startedNanos,
            Consumer<AssignmentOutcome> finished) {
        this.query = query;
        this.time = time;
        this.finished = finished;
        this.record = new DecisionRecord(host, owner, DecisionType.ASSIGNMENT, startedNanos);
        this.candidates =
                new Candidates<>(policies, new Asker(owner, Optional.ofNullable(query.job())), record, this::make);
    }

    /** Whether a strategy has a choice. Without a strategy nothing is decided even if it has none. */
    static boolean hasChoice(AssignmentQuery query) {
        return !query.slots().isEmpty() && !query.requirements().isEmpty();
    }

    public void make() {
        candidates.take(
                this::ask,
                vacant -> finished.accept(
                        new AssignmentOutcome.NotDecided(Reason.of(ReasonCode.NO_STRATEGY, record.vacant(vacant)))));
    }

    private void ask() {
        if (!hasChoice(query)) {
            finished.accept(new AssignmentOutcome.Assigned(
                    0,
                    candidates.lease().identity(),
                    query.slots().stream().map(slot -> -1).toList(),
                    OptionalLong.empty()));
            return;
        }
        AssignmentQueryView view = new AssignmentQueryView(query, time);
        candidates.ask(
                List.of(view.result().rules()),
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
        Review review = new Review();
        review.ask(answer.result().rules().reviewMillis());
        finished.accept(new AssignmentOutcome.Assigned(
                number, candidates.lease().identity(), answer.result().requirementOfSlot(), review.afterMillis()));
    }
}
