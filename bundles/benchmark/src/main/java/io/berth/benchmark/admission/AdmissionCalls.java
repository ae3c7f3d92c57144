package io.berth.benchmark.admission;

import io.berth.benchmark.measure.Measuring;
import io.berth.core.policies.validation.AdmissionResult;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Calls of a distribution policy with its defaults, without a host: before each, one unit changes, and the policy gets the
 * delta and admits. What it admits is checked as the host does, and not placed, so that each call finds the same need.
 */
public final class AdmissionCalls implements Measuring.Subject, AutoCloseable {

    /** What the units of the pool do. */
    public enum Situation {
        /** All run, and one more arrives. */
        arrival,
        /** A tenth of them runs, and the others wait. */
        backlog
    }

    private static final int MIN_CALLS = 10;
    private static final int MAX_CALLS = 1_000;
    /** A policy that looks at each unit in each call does so about as often in a run of any size. */
    private static final int LOOKS = 1_000_000;

    private final UnitPool pool;
    private final int calls;
    private final Optional<AdmissionSession> session;
    private int admitted;
    private int deferred;

    private AdmissionCalls(Situation situation, int units, int queues, Optional<DistributionPolicyFactory> policy) {
        int running = situation == Situation.arrival ? units : units / 10;
        pool = new UnitPool(running, situation == Situation.arrival ? 1 : units - running, queues);
        calls = Math.max(MIN_CALLS, Math.min(MAX_CALLS, LOOKS / units));
        session = policy.map(this::open);
        // The first one is without a delta.
        call(Optional.empty());
    }

    /** Calls of a policy. */
    public static AdmissionCalls of(DistributionPolicyFactory policy, Situation situation, int units, int queues) {
        return new AdmissionCalls(situation, units, queues, Optional.of(policy));
    }

    /** The changes alone, to know what the measurement itself takes. */
    public static AdmissionCalls without(Situation situation, int units, int queues) {
        return new AdmissionCalls(situation, units, queues, Optional.empty());
    }

    private AdmissionSession open(DistributionPolicyFactory factory) {
        try {
            return factory.create(
                            FixedConfiguration.of(factory.describe(), new TreeMap<>()), FixedContext.of("pool default"))
                    .open(pool.view());
        } catch (InvalidConfigurationException refused) {
            throw new IllegalStateException(
                    "the policy " + factory.describe().name() + " rejects its defaults", refused);
        }
    }

    /** How many calls a run has. */
    public int calls() {
        return calls;
    }

    /** How many entries the last call admitted: minimums, and slots of a group above them. */
    public int admitted() {
        return admitted;
    }

    /** How many units the last call deferred. */
    public int deferred() {
        return deferred;
    }

    @Override
    public void restore() {
        // Each call finds the same need.
    }

    @Override
    public void run() {
        for (int call = 0; call < calls; call++) {
            call(Optional.of(pool.change()));
        }
    }

    private void call(Optional<int[]> changed) {
        AdmissionResult result = pool.result();
        if (session.isPresent()) {
            result.rules().begin();
            changed.ifPresent(session.get()::delta);
            session.get().admit(result.builder());
            result.rules().end();
            result.rules().violation().ifPresent(text -> {
                throw new IllegalStateException("the policy breaks a rule of admission: " + text);
            });
        }
        admitted = result.entries().size();
        deferred = result.deferred().size();
    }

    @Override
    public void close() {
        session.ifPresent(AdmissionSession::close);
    }
}
