package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ProviderType;

/** Passed to a {@link KeyedProcess} when it is opened. */
@ProviderType
public interface KeyedContext<K> extends OperatorContext {

    /** The state named {@code name}: one {@code long} per key. */
    LongState<K> longState(String name);

    /** The state named {@code name}: one value per key. */
    <V> ValueState<K, V> valueState(String name, Serializer<V> serializer);
}
