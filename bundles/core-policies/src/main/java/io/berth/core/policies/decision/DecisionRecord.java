package io.berth.core.policies.decision;

import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.api.operations.PolicyOperations.ConsideredPolicy;
import io.berth.core.api.operations.PolicyOperations.PolicyStamp;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.swap.Swap;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Collects what is recorded about a decision while it is made. Confined to the main thread of the owner. */
final class DecisionRecord {

    private final DecisionHost host;
    private final DecisionOwner owner;
    private final DecisionType type;
    private final long startedNanos;
    private final Set<String> notes = new LinkedHashSet<>();
    private final List<ConsideredPolicy> candidates = new ArrayList<>();
    private final Lines rounds = new Lines();
    private int tries;

    DecisionRecord(DecisionHost host, DecisionOwner owner, DecisionType type, long startedNanos) {
        this.host = host;
        this.owner = owner;
        this.type = type;
        this.startedNanos = startedNanos;
    }

    /** What people should know about how the decision was made. */
    Set<String> notes() {
        return notes;
    }

    /** The policies that could have decided. */
    List<ConsideredPolicy> candidates() {
        return candidates;
    }

    /** Adds an attempt. */
    void round(String what) {
        int tried = ++tries;
        rounds.add(() -> "round " + tried + ": " + what);
    }

    /** A policy was left out. */
    void leftOut(String why) {
        notes.add(why);
        round(why + "; made again without it");
    }

    /** Why there is no decision. */
    String vacant(String what) {
        return notes.isEmpty() ? what : what + ": " + String.join("; ", notes);
    }

    /**
     * The decision was made.
     *
     * @param reasons that follow the notes
     * @param deciders in the order of their calls
     * @return its number
     */
    long made(
            long stateNumber,
            List<String> jobs,
            Lines inputs,
            Lines results,
            Lines reasons,
            Candidates<?>... deciders) {
        long number = host.nextDecision();
        List<PolicyStamp> stamps = new ArrayList<>(deciders.length);
        for (Candidates<?> decider : deciders) {
            decider.decided(number);
            stamps.add(Swap.stamp(decider.lease().identity()));
        }
        Lines said = new Lines();
        notes.forEach(note -> said.add(() -> note));
        said.addAll(reasons);
        long nanos = host.nanos() - startedNanos;
        host.record(
                type,
                new StoredDecision(
                        number,
                        host.wallMillis(),
                        owner,
                        stamps,
                        stateNumber,
                        jobs,
                        inputs,
                        results,
                        said,
                        nanos / 1_000,
                        candidates,
                        rounds,
                        Optional.empty()),
                nanos);
        return number;
    }
}
