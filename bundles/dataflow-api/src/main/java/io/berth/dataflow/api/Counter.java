package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ProviderType;

/** A number that grows, shown among the metrics of the task. Confined to the thread of the task. */
@ProviderType
public interface Counter {

    /** Adds {@code amount}, which is not negative. */
    void add(long amount);
}
