package io.berth.core.policies.decision;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.policies.frame.DecisionObservers;
import io.berth.core.policies.guard.Guard;
import io.berth.core.policies.pools.PastUseStore;
import io.berth.core.policies.pools.PoolRegistry;
import io.berth.core.policies.registry.PolicyRegistry;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * What the deciders share.
 *
 * @param mainThreads makes a main thread from a name and a receiver of the failures of its actions
 */
public record Services(
        PolicyRegistry registry,
        PoolRegistry pools,
        PastUseStore pastUse,
        Guard guard,
        DecisionLog log,
        DecisionObservers observers,
        Clock clock,
        MainThread events,
        BiFunction<String, Consumer<Throwable>, MainThread> mainThreads) {}
