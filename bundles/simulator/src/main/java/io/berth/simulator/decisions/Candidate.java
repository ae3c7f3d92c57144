package io.berth.simulator.decisions;

import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.simulator.policies.ChosenPolicy;
import io.berth.spi.PolicyKind;
import java.util.SortedMap;

/** The policy of {@code --policy}, with its parameters. */
record Candidate(PolicyCandidate policy) {

    String name() {
        return policy.name();
    }

    PolicyKind kind() {
        return policy.kind();
    }

    /** The given ones by key; the policy has accepted them. */
    SortedMap<String, String> parameters() {
        return policy.configuration().entries();
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
        return ChosenPolicy.label(kind().label() + ":" + name(), parameters());
    }
}
