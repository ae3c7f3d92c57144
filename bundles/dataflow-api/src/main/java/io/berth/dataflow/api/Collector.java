package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ProviderType;

/** Takes the output of an operator. Confined to the thread of the task. */
@ProviderType
@FunctionalInterface
public interface Collector<T> {

    /**
     * Emits one record. When this returns, the record has been processed or written, so the caller may reuse it.
     * Blocks while a consumer is slower.
     */
    void collect(T record);
}
