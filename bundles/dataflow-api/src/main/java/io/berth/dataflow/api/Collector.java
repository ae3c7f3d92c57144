package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ProviderType;

/** Takes what an operator gives out. For the task's thread only. */
@ProviderType
@FunctionalInterface
public interface Collector<T> {

    /**
     * Hands on one record; it has been processed or written when this returns, so the caller may reuse
     * it. Blocks while a consumer is slower.
     */
    void collect(T record);
}
