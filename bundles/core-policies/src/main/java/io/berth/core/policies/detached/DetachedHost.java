package io.berth.core.policies.detached;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.api.time.Clock;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.decision.DecisionHost;
import io.berth.core.policies.decision.StoredDecision;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.spi.PolicyKind;
import java.util.Collection;
import java.util.Optional;

/**
 * Decides like the policy host, without its effects: nothing is logged, and nobody is judged.
 *
 * @param decision its recorded number
 * @param undecided why nobody decided, as it was recorded; empty when that is found out again
 */
record DetachedHost(long decision, DecisionTime time, long leftOutMillis, Clock measuring, Optional<Reason> undecided)
        implements DecisionHost {

    @Override
    public long nextDecision() {
        return decision;
    }

    @Override
    public void record(DecisionType type, StoredDecision made, long nanos) {
        // Only decisions of the host itself are logged.
    }

    @Override
    public long nanos() {
        return measuring.nanos();
    }

    @Override
    public long wallMillis() {
        return time.wallMillis();
    }

    @Override
    public void countLeftOut(PolicyCandidate candidate, String what) {
        // Judges nobody.
    }

    @Override
    public Reason nobody(PolicyKind kind, String what, Collection<String> notes) {
        return undecided.orElseGet(() -> Reason.of(
                ReasonCode.POLICY_FAILED,
                what,
                notes.stream()
                        .map(note -> Reason.of(ReasonCode.POLICY_FAILED, note))
                        .toList()));
    }
}
