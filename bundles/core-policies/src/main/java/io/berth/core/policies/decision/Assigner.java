package io.berth.core.policies.decision;

import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.frame.AssignmentFrame;
import io.berth.core.policies.frame.PolicyStep;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.spi.PolicyKind;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
        private final long startedNanos;
        private final DecisionTime now = DecisionTime.now(services.clock());
        /** What happened with strategies; empty while nobody observes. */
        private final Optional<List<PolicyStep>> steps;

        private Decision(AssignmentQuery query, long dueNanos, long startedNanos) {
            this.query = query;
            this.dueNanos = dueNanos;
            this.startedNanos = startedNanos;
            this.steps = services.observers().isEmpty() || !AssignmentDecision.hasChoice(query)
                    ? Optional.empty()
                    : Optional.of(new ArrayList<>());
        }

        private void make() {
            new AssignmentDecision(
                            owner,
                            new LiveHost(services, owner),
                            steps.<PolicySource<AssignmentSession>>map(
                                            noted -> new ObservedSource<>(matching, noted::add))
                                    .orElse(matching),
                            query,
                            now,
                            startedNanos,
                            this::finish)
                    .make();
        }

        private void finish(AssignmentOutcome outcome) {
            if (outcome instanceof AssignmentOutcome.Assigned assigned && assigned.decision() > 0) {
                matching.committed(assigned.decision(), dueNanos);
            }
            steps.ifPresent(noted -> services.observers()
                    .assigned(new AssignmentFrame(
                            now,
                            services.clock().zone().getId(),
                            query,
                            noted,
                            outcome,
                            (services.clock().nanos() - startedNanos) / 1_000)));
            queue.finish(outcome);
        }
    }
}
