package io.berth.core.policies.decision;

import io.berth.core.api.job.Reason;
import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.policies.registration.Asker;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.spi.PolicyKind;
import java.util.Collection;

/** The policy host itself, for one owner: decisions are numbered, logged and measured. */
record LiveHost(Services services, DecisionOwner owner) implements DecisionHost {

    @Override
    public long nextDecision() {
        return services.log().next();
    }

    @Override
    public void record(DecisionType type, StoredDecision decision, long nanos) {
        services.guard().meters().decided(decision.owner(), type, nanos);
        services.log().record(decision);
    }

    @Override
    public long nanos() {
        return services.clock().nanos();
    }

    @Override
    public long wallMillis() {
        return services.clock().wallMillis();
    }

    @Override
    public long leftOutMillis() {
        return services.registry().limits().leftOutMillis();
    }

    @Override
    public void countLeftOut(PolicyCandidate candidate, String what) {
        services.registry().health().counted(candidate, Asker.of(owner), what);
    }

    @Override
    public Reason nobody(PolicyKind kind, String what, Collection<String> notes) {
        return UnschedulableReasons.nobody(
                kind, what, notes, services.registry().quarantined(kind, owner));
    }
}
