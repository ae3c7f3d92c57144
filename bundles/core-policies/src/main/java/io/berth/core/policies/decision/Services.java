package io.berth.core.policies.decision;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.policies.guard.Guard;
import io.berth.core.policies.registry.PolicyRegistry;
import java.util.function.Function;

/** What every decider of the host needs. */
public record Services(
        PolicyRegistry registry,
        Guard guard,
        DecisionLog log,
        Clock clock,
        MainThread events,
        Function<String, MainThread> mainThreads) {}
