package io.berth.core.api;

/** Fencing token of the ResourceManager. */
public record ResourceManagerId(FencingToken token) implements Comparable<ResourceManagerId> {

    @Override
    public int compareTo(ResourceManagerId other) {
        return token.compareTo(other.token);
    }

    @Override
    public String toString() {
        return token.toString();
    }
}
