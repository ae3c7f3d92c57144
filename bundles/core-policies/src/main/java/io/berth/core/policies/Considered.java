package io.berth.core.policies;

import io.berth.core.api.operations.PolicyOperations.ConsideredPolicy;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A policy that a round could have been decided by, in its place in the order, as it was when the round began. Holds
 * texts only: what is remembered of a decision must not hold on to a bundle.
 *
 * @param obstacle why it could not decide, empty when it could
 */
record Considered(
        long id, PolicyKind kind, String name, String bundle, String version, long revision, String obstacle) {

    private static final int MOST = 50;

    static Considered of(Entry entry) {
        return new Considered(
                entry.registration.id(), entry.registration.kind(), entry.name, entry.registration.bundle(),
                entry.registration.version(), entry.accepted.map(Entry.Accepted::revision).orElse(0L),
                entry.obstacle());
    }

    /**
     * Who could have decided, and why it was the one who did.
     *
     * @param leftOut what candidates did wrong in this decision, by their service ids
     */
    static List<ConsideredPolicy> told(Lease<?> lease, Map<Long, String> leftOut) {
        List<ConsideredPolicy> told = new ArrayList<>();
        boolean decided = false;
        for (Considered one : lease.considered()) {
            if (told.size() == MOST) {
                break;
            }
            boolean decider = one.id() == lease.candidate().id();
            String verdict = decider
                    ? "decided, generation " + lease.identity().generation()
                    : leftOut.containsKey(one.id())
                            ? "left out of this decision: " + leftOut.get(one.id())
                            : !one.obstacle().isEmpty() ? one.obstacle() : decided ? "came after" : "not asked";
            decided |= decider;
            told.add(new ConsideredPolicy(
                    one.kind(), one.name(), one.bundle(), one.version(), one.revision(), verdict));
        }
        return told;
    }
}
