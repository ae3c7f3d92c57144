package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ProviderType;

/** One {@code long} for each key, zero at first. All methods except {@link #forEach} refer to the current key. */
@ProviderType
public interface LongState<K> {

    /** The value, or 0. */
    long get();

    /** Replaces the value. */
    void set(long value);

    /** Adds to the value and returns the sum. */
    long add(long delta);

    /** Visits all keys of this subtask, in no particular order. The state must not change meanwhile. */
    void forEach(Visitor<K> visitor);

    /** Receives keys and values. It may keep the key. */
    @FunctionalInterface
    interface Visitor<K> {
        /** One key and its value. */
        void visit(K key, long value);
    }
}
