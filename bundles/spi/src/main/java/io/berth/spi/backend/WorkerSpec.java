package io.berth.spi.backend;

import io.berth.spi.ResourceProfile;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A kind of worker that a backend can start. Immutable; {@link #of} begins one:
 *
 * <pre>{@code
 * WorkerSpec.of("large", ResourceProfile.of(8_000, 32L << 30)).defaultSlots(8).maximum(20).label("zone", "eu-1").build()
 * }</pre>
 */
public final class WorkerSpec {

    private final String name;
    private final ResourceProfile total;
    private final int defaultSlots;
    private final int minimum;
    private final int maximum;
    private final SortedMap<String, String> labels;
    private final SortedMap<String, String> taints;
    private final double costPerHour;
    private final long startMillis;
    private final boolean preemptible;

    private WorkerSpec(Builder from) {
        name = from.name;
        total = from.total;
        defaultSlots = from.defaultSlots;
        minimum = from.minimum;
        maximum = from.maximum;
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(from.labels));
        taints = Collections.unmodifiableSortedMap(new TreeMap<>(from.taints));
        costPerHour = from.costPerHour;
        startMillis = from.startMillis;
        preemptible = from.preemptible;
    }

    /**
     * Begins a spec with one default slot, of which one worker may exist.
     *
     * @param name of the spec within its backend
     * @param total what a worker of the spec offers to slots
     */
    public static Builder of(String name, ResourceProfile total) {
        return new Builder(name, total);
    }

    /** Sets what is not the default, and builds the spec. For one thread. */
    public static final class Builder {

        private final String name;
        private final ResourceProfile total;
        private int defaultSlots = 1;
        private int minimum;
        private int maximum = 1;
        private final SortedMap<String, String> labels = new TreeMap<>();
        private final SortedMap<String, String> taints = new TreeMap<>();
        private double costPerHour;
        private long startMillis;
        private boolean preemptible;

        private Builder(String name, ResourceProfile total) {
            this.name = name;
            this.total = total;
        }

        /** How many default slots the worker is divided into, at least 1. */
        public Builder defaultSlots(int count) {
            defaultSlots = count;
            return this;
        }

        /** How many workers of the spec stay even when nothing needs them, from 0 to the maximum; 0 by default. */
        public Builder minimum(int count) {
            minimum = count;
            return this;
        }

        /** How many workers of the spec may exist at once, at least 0. */
        public Builder maximum(int count) {
            maximum = count;
            return this;
        }

        /** A label that each worker of the spec has when it starts. */
        public Builder label(String key, String value) {
            labels.put(key, value);
            return this;
        }

        /** All of {@link #label}. */
        public Builder labels(Map<String, String> all) {
            labels.putAll(all);
            return this;
        }

        /** A taint that each worker of the spec has when it starts: it keeps slots away that do not tolerate it. */
        public Builder taint(String key, String value) {
            taints.put(key, value);
            return this;
        }

        /** All of {@link #taint}. */
        public Builder taints(Map<String, String> all) {
            taints.putAll(all);
            return this;
        }

        /** What a worker costs for each hour, in the operator's currency, at least 0; 0 by default: not known. */
        public Builder costPerHour(double cost) {
            costPerHour = cost;
            return this;
        }

        /**
         * How long it usually takes until a worker of the spec has registered, in milliseconds; 0: not known. Then the
         * ResourceManager learns it from the workers that it requests.
         */
        public Builder startMillis(long millis) {
            startMillis = millis;
            return this;
        }

        /**
         * Whether the cluster manager may take a worker away at any time; false by default. Such workers have the label
         * {@code berth.preemptible} with the value {@code true}, for the constraints of jobs.
         */
        public Builder preemptible(boolean may) {
            preemptible = may;
            return this;
        }

        /** @throws IllegalArgumentException names what is not allowed */
        public WorkerSpec build() {
            if (defaultSlots < 1) {
                throw new IllegalArgumentException(
                        "default slots of worker spec '" + name + "' is " + defaultSlots + ": at least 1 is allowed");
            }
            if (maximum < 0) {
                throw new IllegalArgumentException(
                        "maximum of worker spec '" + name + "' is " + maximum + ": at least 0 is allowed");
            }
            if (minimum < 0 || minimum > maximum) {
                throw new IllegalArgumentException(
                        "minimum of worker spec '" + name + "' is " + minimum + ": allowed is 0 to " + maximum);
            }
            if (!(costPerHour >= 0) || Double.isInfinite(costPerHour)) {
                throw new IllegalArgumentException("cost per hour of worker spec '" + name + "' is " + costPerHour
                        + ": a number of at least 0 is allowed");
            }
            if (startMillis < 0) {
                throw new IllegalArgumentException(
                        "start time of worker spec '" + name + "' is " + startMillis + " ms: at least 0 is allowed");
            }
            return new WorkerSpec(this);
        }
    }

    /** Name of the spec within its backend. */
    public String name() {
        return name;
    }

    /** What a worker of the spec offers to slots. */
    public ResourceProfile total() {
        return total;
    }

    /** How many default slots the worker is divided into. */
    public int defaultSlots() {
        return defaultSlots;
    }

    /** How many workers of the spec stay even when nothing needs them. */
    public int minimum() {
        return minimum;
    }

    /** How many workers of the spec may exist at once. */
    public int maximum() {
        return maximum;
    }

    /** Labels that each worker of the spec has when it starts. */
    public SortedMap<String, String> labels() {
        return labels;
    }

    /** Taints that each worker of the spec has when it starts. */
    public SortedMap<String, String> taints() {
        return taints;
    }

    /** What a worker costs for each hour, in the operator's currency; 0: not known. */
    public double costPerHour() {
        return costPerHour;
    }

    /** How long it usually takes until a worker of the spec has registered, in milliseconds; 0: not known. */
    public long startMillis() {
        return startMillis;
    }

    /** Whether the cluster manager may take a worker away at any time. */
    public boolean preemptible() {
        return preemptible;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WorkerSpec that
                && Objects.equals(name, that.name)
                && Objects.equals(total, that.total)
                && defaultSlots == that.defaultSlots
                && minimum == that.minimum
                && maximum == that.maximum
                && labels.equals(that.labels)
                && taints.equals(that.taints)
                && Double.compare(costPerHour, that.costPerHour) == 0
                && startMillis == that.startMillis
                && preemptible == that.preemptible;
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, total, defaultSlots, minimum, maximum, labels, taints);
    }

    @Override
    public String toString() {
        return name + ": " + minimum + " to " + maximum + " workers of " + total;
    }
}
