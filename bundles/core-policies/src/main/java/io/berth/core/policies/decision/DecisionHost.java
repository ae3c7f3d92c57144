package io.berth.core.policies.decision;

import io.berth.core.api.job.Reason;
import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.spi.PolicyKind;
import java.util.Collection;

/** What a decision needs beside its input and its policies. Confined to the main thread of the owner. */
public interface DecisionHost {

    /** Number of the decision that was made now. */
    long nextDecision();

    /** The decision was made, in so many nanoseconds. */
    void record(DecisionType type, StoredDecision decision, long nanos);

    /** Monotonic, for how long a decision takes. */
    long nanos();

    long wallMillis();

    /** How long a strategy may leave out a minimum with a reason. */
    long leftOutMillis();

    /** The only strategy left out a minimum without a reason that counts. */
    void countLeftOut(PolicyCandidate candidate, String what);

    /** Why no policy of a kind decides; see {@link UnschedulableReasons#nobody}. */
    Reason nobody(PolicyKind kind, String what, Collection<String> notes);
}
