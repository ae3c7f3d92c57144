package io.berth.spi;

import org.osgi.annotation.versioning.ProviderType;

/** What the host gives to a policy instance when it is created. Valid until the instance is closed. */
@ProviderType
public interface PolicyContext {

    /** Whom the instance serves: {@code pool default} or {@code job word-count-1}. */
    String owner();

    /** Monotonic time in milliseconds. Policies take time from here only, so that a decision can be replayed. */
    long now();

    /** Seed for a policy that needs random numbers, so that a decision can be replayed. */
    long seed();
}
