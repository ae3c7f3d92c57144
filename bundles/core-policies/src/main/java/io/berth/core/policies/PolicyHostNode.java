package io.berth.core.policies;

import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.policy.BackendHost;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Timers;
import io.berth.core.policies.frame.DecisionObservers;
import io.berth.core.policies.guard.GuardThreads;
import io.berth.core.policies.registration.Registration;
import io.berth.core.policies.registry.HostSettings;
import io.berth.spi.PolicyKind;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The policy host of one process without a framework: time and threads are injected, and policies are registered as
 * objects. Thread-safe; only {@link #close} blocks.
 */
public final class PolicyHostNode implements AutoCloseable {

    /**
     * What the host needs.
     *
     * @param pool runs the main threads of the host, which run no foreign code
     * @param threads makes the threads that run the code of one bundle
     * @param configurations returns the configuration of a PID
     * @param failed receives what the main threads of the host throw
     */
    public record Environment(
            Clock clock,
            Timers timers,
            Executor pool,
            Function<String, GuardThreads> threads,
            Function<String, SortedMap<String, String>> configurations,
            Consumer<Throwable> failed) {}

    /**
     * A policy as a bundle registers it.
     *
     * @param id the lower one wins among equal rankings
     * @param factory of the kind, for example a {@code MatchingStrategyFactory}
     */
    public record Offer(
            long id, PolicyKind kind, String name, String bundle, String version, int ranking, Object factory) {}

    private final PolicyPlatform platform;

    public PolicyHostNode(Environment environment) {
        this(environment, HostSettings.defaults());
    }

    public PolicyHostNode(Environment environment, HostSettings settings) {
        platform = new PolicyPlatform(environment, settings);
    }

    public PolicyHost policies() {
        return platform;
    }

    public PolicyOperations operations() {
        return platform;
    }

    /** Who sees decisions. */
    public DecisionObservers observers() {
        return platform.observers();
    }

    public BackendHost backends() {
        return platform.backends();
    }

    public void offer(Offer offer) {
        platform.registry().add(new Offered(offer));
    }

    public void withdraw(long id) {
        platform.registry().remove(id);
    }

    /** The configuration of a PID, of policies or of a pool, changed or is new. */
    public void configurationChanged(String pid) {
        platform.registry().configurationChanged(pid);
        platform.poolRegistry().configurationChanged(pid);
    }

    /** The configuration of a PID is gone. */
    public void configurationRemoved(String pid) {
        platform.registry().configurationChanged(pid);
        platform.poolRegistry().configurationRemoved(pid);
    }

    @Override
    public void close() {
        platform.close();
    }

    private record Offered(Offer offer) implements Registration {

        @Override
        public long id() {
            return offer.id();
        }

        @Override
        public PolicyKind kind() {
            return offer.kind();
        }

        @Override
        public String name() {
            return offer.name();
        }

        @Override
        public String bundle() {
            return offer.bundle();
        }

        @Override
        public String version() {
            return offer.version();
        }

        @Override
        public int ranking() {
            return offer.ranking();
        }

        @Override
        public SortedMap<String, Object> properties() {
            SortedMap<String, Object> properties = new TreeMap<>();
            properties.put("io.berth.policy.name", offer.name());
            return properties;
        }

        @Override
        public ClassLoader loader() {
            return offer.factory().getClass().getClassLoader();
        }

        @Override
        public Object fetch() {
            return offer.factory();
        }

        @Override
        public void release() {}
    }
}
