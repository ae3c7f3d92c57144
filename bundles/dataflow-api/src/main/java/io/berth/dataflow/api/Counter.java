package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ProviderType;

/** A number that grows, shown among the task's metrics. For the task's thread only. */
@ProviderType
public interface Counter {

    /** Adds {@code amount}, which is not negative. */
    void add(long amount);
}
