package io.berth.dataflow.api;

import java.util.Objects;

/** Two values. */
public record Pair<A, B>(A first, B second) {

    /** Rejects missing parts. */
    public Pair {
        Objects.requireNonNull(first, "first");
        Objects.requireNonNull(second, "second");
    }
}
