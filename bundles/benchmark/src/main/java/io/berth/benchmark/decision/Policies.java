package io.berth.benchmark.decision;

import io.berth.core.api.operations.ShadowOperations.ShadowDetails;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Pools;
import io.berth.core.api.time.SystemTimers;
import io.berth.core.policies.PolicyHostNode;
import io.berth.core.policies.frame.DecisionObservers;
import io.berth.core.policies.guard.GuardThreads;
import io.berth.core.policies.pools.PoolRegistry;
import io.berth.core.policies.registry.HostSettings;
import io.berth.distribution.fifo.FifoFactory;
import io.berth.scaling.reactive.ReactiveFactory;
import io.berth.simulator.policies.ChosenPolicy;
import io.berth.simulator.policies.PoliciesOfKind;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The policy host as it runs in a framework, with real time and threads, one matching strategy, the distribution
 * policy {@code fifo} and the scaling policy {@code reactive}. If the strategy fails, no other one decides.
 */
public final class Policies implements AutoCloseable {

    /** What the names of the threads begin with that the planner runs on. */
    public static final String MAIN_THREADS = "berth-benchmark-main";

    private static final String SIDE = "side";
    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);
    private static final int ATTEMPTS = 100;
    private static final int PATIENCE_MILLIS = 100;
    private static final long LONG_DEADLINE_MILLIS = 60_000;
    /** The version of a policy that does not come from a bundle. */
    private static final String NO_BUNDLE = "0.0.0";

    private final SystemTimers timers = new SystemTimers("berth-benchmark-timers");
    private final ExecutorService pool = Pools.fixed(MAIN_THREADS, 2);
    private final PolicyHostNode host;

    /** @param matching a strategy of this release */
    public Policies(String matching, Clock clock) {
        this(PoliciesOfKind.shippedStrategy(matching), clock);
    }

    public Policies(ChosenPolicy<MatchingStrategyFactory> matching, Clock clock) {
        this(matching, clock, HostSettings.defaults());
    }

    private Policies(ChosenPolicy<MatchingStrategyFactory> matching, Clock clock, HostSettings settings) {
        host = new PolicyHostNode(
                new PolicyHostNode.Environment(
                        clock, timers, pool, GuardThreads::pooled, Policies::configuration, failure -> {
                            throw new AssertionError(failure);
                        }),
                settings);
        host.offer(new PolicyHostNode.Offer(
                1, PolicyKind.MATCHING, matching.name(), matching.bundle(), NO_BUNDLE, 100, matching.factory()));
        host.offer(new PolicyHostNode.Offer(
                2, PolicyKind.DISTRIBUTION, "fifo", "io.berth.distribution.fifo", NO_BUNDLE, 100, new FifoFactory()));
        host.offer(new PolicyHostNode.Offer(
                6, PolicyKind.SCALING, "reactive", "io.berth.scaling.reactive", NO_BUNDLE, 100, new ReactiveFactory()));
        awaitDecision(matching.name());
    }

    /** A host in which a strategy may hang for a minute, which is longer than a turn on a slow machine. */
    public static Policies patient(ChosenPolicy<MatchingStrategyFactory> matching, Clock clock) {
        return new Policies(
                matching, clock, HostSettings.defaults().withDeadline(PolicyKind.MATCHING, LONG_DEADLINE_MILLIS));
    }

    /** A session of a strategy of this release with its defaults, without a host. */
    public static PlacementSession session(String matching, WorkersView workers) {
        return session(PoliciesOfKind.shippedStrategy(matching), workers);
    }

    /** A session of a strategy with its defaults, without a host. */
    public static PlacementSession session(ChosenPolicy<MatchingStrategyFactory> matching, WorkersView workers) {
        return created(matching).openPlacement(workers);
    }

    /** A session of a strategy with its defaults that assigns slots, without a host. */
    public static AssignmentSession assignment(ChosenPolicy<MatchingStrategyFactory> matching) {
        return created(matching).openAssignment();
    }

    private static MatchingStrategy created(ChosenPolicy<MatchingStrategyFactory> matching) {
        MatchingStrategyFactory factory = matching.factory();
        try {
            return factory.create(
                    FixedConfiguration.of(factory.describe(), new TreeMap<>()), FixedContext.of("pool default"));
        } catch (InvalidConfigurationException refused) {
            throw new IllegalStateException("the strategy " + matching.name() + " rejects its defaults", refused);
        }
    }

    /** Waits until a decision is made. A policy decides as soon as its instance was created. */
    private void awaitDecision(String matching) {
        Semaphore changed = new Semaphore(0);
        try (Pool pool = new Pool(this, matching, changed::release)) {
            pool.worker(
                    0, ResourceProfile.of(1_000, 1_000), ResourceProfile.of(1_000, 1_000), ResourceProfile.of(1, 1));
            pool.unit(0, List.of(new GroupDemand("group", ResourceProfile.of(1_000, 1_000), 0, 1, 0)));
            boolean decided = false;
            for (int attempt = 0; !decided; attempt++) {
                try {
                    pool.plan(pool.input());
                    decided = true;
                } catch (Pool.NotDecidedException notYet) {
                    if (attempt == ATTEMPTS) {
                        throw notYet;
                    }
                    changed.tryAcquire(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + matching + " was created", interrupted);
        }
    }

    /**
     * Offers a strategy that hangs in each call to place, and lets it shadow the pool.
     *
     * @param released ends the calls
     * @param spins whether it takes a processor meanwhile
     */
    public void shadowHanging(CountDownLatch released, boolean spins) {
        host.offer(new PolicyHostNode.Offer(
                3,
                PolicyKind.MATCHING,
                HangingStrategy.NAME,
                "io.berth.benchmark.hanging",
                NO_BUNDLE,
                0,
                HangingStrategy.factory(new CountDownLatch(1), released, spins)));
        shadow(HangingStrategy.NAME);
    }

    /** The second pool decides by the strategy that hangs. */
    private static SortedMap<String, String> configuration(String pid) {
        return pid.equals(PoolRegistry.PID + SIDE)
                ? new TreeMap<>(Map.of("matching", HangingStrategy.NAME, "workers.labels", "pool=" + SIDE))
                : new TreeMap<>();
    }

    /**
     * Lets a strategy hang in a decision of another pool, and returns when it does.
     *
     * @param spins whether it takes a processor meanwhile
     */
    public HangingStrategy.Call hangInAnotherPool(boolean spins) {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        host.offer(new PolicyHostNode.Offer(
                5,
                PolicyKind.MATCHING,
                HangingStrategy.NAME,
                "io.berth.benchmark.hanging",
                NO_BUNDLE,
                0,
                HangingStrategy.factory(entered, released, spins)));
        host.configurationChanged(PoolRegistry.PID + SIDE);
        Semaphore changed = new Semaphore(0);
        Pool side = new Pool(this, SIDE, HangingStrategy.NAME, changed::release);
        side.worker(0, SLOT, SLOT, SLOT);
        int unit = 0;
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                side.unit(unit++, List.of(new GroupDemand("group", SLOT, 0, 1, 0)));
                CompletableFuture<PlanOutcome> decision = side.request(side.input());
                boolean hangs = entered.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                while (!hangs && !decision.isDone()) {
                    hangs = entered.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                }
                if (hangs) {
                    return new HangingStrategy.Call(released, decision, () -> {
                        side.close();
                        host.withdraw(5);
                    });
                }
                decision.join();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        throw new IllegalStateException("the other pool does not decide by the strategy that hangs");
    }

    /** Lets a strategy shadow the pool; it must not be the one that decides, which is offered already. */
    public void shadowOther(ChosenPolicy<MatchingStrategyFactory> other) {
        host.offer(new PolicyHostNode.Offer(
                4, PolicyKind.MATCHING, other.name(), other.bundle(), NO_BUNDLE, 0, other.factory()));
        shadow(other.name());
    }

    private void shadow(String name) {
        for (int attempt = 0; ; attempt++) {
            try {
                host.operations().shadow(PolicyKind.MATCHING, name, "default", "the benchmark");
                return;
            } catch (IllegalArgumentException notYet) {
                // It is checked on another thread.
                if (attempt == ATTEMPTS) {
                    throw notYet;
                }
                LockSupport.parkNanos(PATIENCE_MILLIS * 1_000_000L);
            }
        }
    }

    public ShadowDetails shadow() {
        return host.operations().shadows().get(0);
    }

    /** Ends the shadow and withdraws what was offered for it. */
    public void endShadow() {
        host.operations().endShadow(PolicyKind.MATCHING, "default", "the benchmark");
        host.withdraw(3);
        host.withdraw(4);
    }

    /** Who sees the decisions. */
    public DecisionObservers observers() {
        return host.observers();
    }

    public PolicyHost host() {
        return host.policies();
    }

    @Override
    public void close() {
        host.close();
        pool.shutdownNow();
        timers.close();
    }
}
