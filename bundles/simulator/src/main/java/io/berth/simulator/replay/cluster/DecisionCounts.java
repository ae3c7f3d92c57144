package io.berth.simulator.replay.cluster;

import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.core.policies.frame.DecisionObserver;
import io.berth.simulator.policies.PolicyPair;
import java.util.Optional;

/** Counts the decisions of a replay that the chosen policies did not make. */
final class DecisionCounts implements DecisionObserver {

    private final PolicyPair chosen;
    private final PolicyOperations operations;
    private long fallback;
    private long undecided;
    private Optional<String> first = Optional.empty();

    /** @param operations know why a decision was made as it was */
    DecisionCounts(PolicyPair chosen, PolicyOperations operations) {
        this.chosen = chosen;
        this.operations = operations;
    }

    @Override
    public boolean needsState(String pool) {
        return false;
    }

    @Override
    public void decided(DecisionFrame frame) {
        PlanOutcome outcome = frame.result().outcome();
        if (outcome instanceof PlanOutcome.NotDecided not) {
            undecided++;
            keep(Optional.of(not.reason()));
        } else if (outcome instanceof PlanOutcome.Planned planned
                && planned.decision() > 0
                && !(planned.matching().name().equals(chosen.matching().name())
                        && planned.distribution()
                                .name()
                                .equals(chosen.distribution().name()))) {
            fallback++;
            if (first.isEmpty()) {
                keep(operations
                        .decision(planned.decision())
                        .flatMap(details -> details.reasons().stream().findFirst()));
            }
        }
    }

    private void keep(Optional<String> why) {
        if (first.isEmpty()) {
            first = why;
        }
    }

    /** Decisions of the default policies. */
    long fallback() {
        return fallback;
    }

    /** Decisions that no policy made. */
    long undecided() {
        return undecided;
    }

    /** Why the first of them was not made by the chosen policies. */
    Optional<String> first() {
        return first;
    }
}
