package io.berth.spi;

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

    /** Monotonic time in milliseconds. Policies read time only from here, so that a decision can be replayed. */
    long now();

    /** Seed for a policy that needs random numbers, so that a decision can be replayed. */
    long seed();
}
