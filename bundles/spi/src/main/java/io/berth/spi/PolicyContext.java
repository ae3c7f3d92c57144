package io.berth.spi;

import org.osgi.annotation.versioning.ProviderType;

/**
 * What the host gives to a policy instance when it is created. May be kept while the instance lives; its methods answer
 * at once, on any thread.
 */
@ProviderType
public interface PolicyContext {

    /**
     * Whom the instance serves: {@code pool default} or {@code job word-count-1}; {@code check} when it is created only
     * to see whether its configuration is acceptable, and dropped without a further call.
     */
    String owner();

    /** Monotonic time in milliseconds. Policies take time from here only, so that a decision can be replayed. */
    long now();

    /** Seed for a policy that needs random numbers, so that a decision can be replayed. */
    long seed();
}
