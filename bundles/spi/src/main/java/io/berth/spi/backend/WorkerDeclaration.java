package io.berth.spi.backend;

import io.berth.spi.WorkerId;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many workers are needed now, completely: of a spec that is not named, none is needed. Immutable; {@link #builder}
 * begins one:
 *
 * <pre>{@code
 * WorkerDeclaration.builder().needed("small", 2).unwanted(List.of(new WorkerId("w1"))).build()
 * }</pre>
 */
public final class WorkerDeclaration {

    private final SortedMap<String, Integer> needed;
    private final List<WorkerId> unwanted;

    private WorkerDeclaration(Builder from) {
        needed = Collections.unmodifiableSortedMap(new TreeMap<>(from.needed));
        unwanted = from.unwanted;
    }

    /** Begins a declaration that needs no worker. */
    public static Builder builder() {
        return new Builder();
    }

    /** How many workers of each spec are needed, by its name, registered ones included; 0 for a spec that is not in it. */
    public SortedMap<String, Integer> needed() {
        return needed;
    }

    /** Workers that the backend may stop. */
    public List<WorkerId> unwanted() {
        return unwanted;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WorkerDeclaration same && needed.equals(same.needed) && unwanted.equals(same.unwanted);
    }

    @Override
    public int hashCode() {
        return 31 * needed.hashCode() + unwanted.hashCode();
    }

    @Override
    public String toString() {
        return "needed " + needed + ", unwanted " + unwanted;
    }

    /** Names what is needed, and builds the declaration. For one thread. */
    public static final class Builder {

        private final SortedMap<String, Integer> needed = new TreeMap<>();
        private List<WorkerId> unwanted = List.of();

        private Builder() {}

        /**
         * How many workers of a spec are needed, registered ones included.
         *
         * @throws IllegalArgumentException when it is less than 0
         */
        public Builder needed(String spec, int workers) {
            if (workers < 0) {
                throw new IllegalArgumentException(
                        "needed workers of spec '" + spec + "' is " + workers + ": at least 0 is allowed");
            }
            needed.put(spec, workers);
            return this;
        }

        /** How many workers of each spec are needed, in addition to those that were named; see above. */
        public Builder needed(SortedMap<String, Integer> workers) {
            workers.forEach(this::needed);
            return this;
        }

        /** Workers that the backend may stop. */
        public Builder unwanted(List<WorkerId> workers) {
            unwanted = List.copyOf(workers);
            return this;
        }

        public WorkerDeclaration build() {
            return new WorkerDeclaration(this);
        }
    }
}
