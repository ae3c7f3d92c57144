package io.berth.core.policies;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import java.util.function.Function;

/** What every decider of the host needs. */
record Services(
        PolicyRegistry registry,
        Guard guard,
        DecisionLog log,
        Clock clock,
        MainThread events,
        Function<String, MainThread> mainThreads) {}
