package io.berth.dataflow.api;

import java.util.Optional;
import java.util.function.BiConsumer;
import org.osgi.annotation.versioning.ProviderType;

/** One value for each key, none at first. All but {@link #forEach} mean the current key. */
@ProviderType
public interface ValueState<K, V> {

    /** The value, if there is one. */
    Optional<V> get();

    /** Replaces the value; state keeps the object itself. */
    void set(V value);

    /** Forgets the value. */
    void clear();

    /** Visits all keys that have a value, in no order that means something; state must not change meanwhile. */
    void forEach(BiConsumer<K, V> visitor);
}
