package io.berth.core.api;

/** Fencing token of the Dispatcher. */
public record DispatcherId(FencingToken token) implements Comparable<DispatcherId> {

    @Override
    public int compareTo(DispatcherId other) {
        return token.compareTo(other.token);
    }

    @Override
    public String toString() {
        return token.toString();
    }
}
