package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ProviderType;

/** What a {@link KeyedProcess} is opened with. */
@ProviderType
public interface KeyedContext<K> extends OperatorContext {

    /** The state {@code name}: one {@code long} per key. */
    LongState<K> longState(String name);

    /** The state {@code name}: one value per key. */
    <V> ValueState<K, V> valueState(String name, Serializer<V> serializer);
}
