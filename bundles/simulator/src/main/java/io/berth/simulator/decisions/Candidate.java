package io.berth.simulator.decisions;

import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.spi.PolicyKind;

/** The policy of {@code --policy}, with its default configuration. */
record Candidate(PolicyCandidate policy) {

    String name() {
        return policy.name();
    }

    PolicyKind kind() {
        return policy.kind();
    }

    boolean decidesPools() {
        return kind() == PolicyKind.MATCHING || kind() == PolicyKind.DISTRIBUTION;
    }

    boolean decidesAssignments() {
        return kind() == PolicyKind.MATCHING;
    }

    boolean decidesScaling() {
        return kind() == PolicyKind.SCALING;
    }

    /** For people. */
    @Override
    public String toString() {
        return kind().label() + ":" + name();
    }
}
