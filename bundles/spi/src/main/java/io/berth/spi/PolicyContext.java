package io.berth.spi;

import java.time.ZoneId;
import org.osgi.annotation.versioning.ProviderType;

/**
 * What the host gives to a policy instance when it creates it. The instance may keep it for its whole life. The
 * methods return at once, on any thread.
 */
@ProviderType
public interface PolicyContext {

    /**
     * The owner that the instance serves: {@code pool default} or {@code job word-count-1}. It is {@code check} when
     * the host creates the instance only to see whether the configuration is acceptable, and drops it without another
     * call.
     */
    String owner();

    /**
     * Monotonic time in milliseconds. A policy reads time only from here and from its views. The views have the time of
     * the state; prefer it for what a decision depends on. The journal records the answers that a call was given here, so
     * that the decision can be replayed.
     */
    long now();

    /** The time zone of the control plane, for policies that follow the calendar. */
    ZoneId zone();

    /**
     * Milliseconds until the deadline of the call that runs, at least 0; the whole deadline when none runs. For a search
     * that returns the best result found in time. The journal records the answers, so that the search can be replayed.
     * While the policy is in development, another deadline follows each one that passes.
     */
    long remainingMillis();

    /** Seed for a policy that needs random numbers, so that a decision can be replayed. */
    long seed();
}
