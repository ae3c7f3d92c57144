package io.berth.dataflow.api;

import java.util.Objects;

/**
 * How records are keyed.
 *
 * @param selector extracts the key of a record
 * @param serializer writes keys into snapshots, and copies a key that state keeps
 */
public record Keying<K, I>(KeySelector<I, K> selector, Serializer<K> serializer) {

    /** Rejects missing parts. */
    public Keying {
        Objects.requireNonNull(selector, "selector");
        Objects.requireNonNull(serializer, "serializer");
    }
}
