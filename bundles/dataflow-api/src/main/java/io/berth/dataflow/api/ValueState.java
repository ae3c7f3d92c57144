package io.berth.dataflow.api;

import java.util.Optional;
import java.util.function.BiConsumer;
import org.osgi.annotation.versioning.ProviderType;

/** One value for each key, none at first. All methods except {@link #forEach} refer to the current key. */
@ProviderType
public interface ValueState<K, V> {

    /** The value, if there is one. */
    Optional<V> get();

    /** Replaces the value. The state keeps the object itself. */
    void set(V value);

    /** Removes the value. */
    void clear();

    /** Visits all keys that have a value, in no particular order. The state must not change meanwhile. */
    void forEach(BiConsumer<K, V> visitor);
}
