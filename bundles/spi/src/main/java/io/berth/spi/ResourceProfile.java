package io.berth.spi;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An amount of resources: what a slot needs, what a worker has, or what is free on it (FLIP-156, "Resource Profile").
 * Network memory belongs to the worker and is not part of a profile.
 *
 * <p>{@link #UNKNOWN} is a requirement without a size. The pool's matching rule says which slots fulfill it.
 * Arithmetic rejects it.
 *
 * @param cpuMillis thousandths of a core, at least 0
 * @param heapBytes heap memory, at least 0
 * @param offHeapBytes memory outside the heap used by operators, at least 0
 * @param managedBytes memory managed by the task runtime, at least 0
 * @param extended further resources by name, each amount above 0 (entries of 0 are dropped), sorted by name
 */
public record ResourceProfile(
        long cpuMillis, long heapBytes, long offHeapBytes, long managedBytes, SortedMap<String, Long> extended) {

    /** Most profiles have no extended resources. They share one map, and arithmetic on them does not create another. */
    private static final SortedMap<String, Long> NOTHING_EXTENDED = Collections.emptySortedMap();

    /** A requirement without a size. */
    public static final ResourceProfile UNKNOWN = new ResourceProfile();

    /** No resources. */
    public static final ResourceProfile ZERO = of(0, 0);

    /** Only for {@link #UNKNOWN}: a value that arithmetic never produces. */
    private ResourceProfile() {
        this(0, 0, 0, 0, new TreeMap<>(Map.of("\u0000unknown", 1L)));
    }

    public ResourceProfile {
        requireAmount("cpu", cpuMillis);
        requireAmount("heap", heapBytes);
        requireAmount("off-heap", offHeapBytes);
        requireAmount("managed", managedBytes);
        extended = extended.isEmpty() ? NOTHING_EXTENDED : positive(extended);
    }

    private static SortedMap<String, Long> positive(SortedMap<String, Long> amounts) {
        SortedMap<String, Long> copy = new TreeMap<>();
        amounts.forEach((name, amount) -> {
            requireAmount(name, amount);
            if (amount > 0) {
                copy.put(name, amount);
            }
        });
        return copy.isEmpty() ? NOTHING_EXTENDED : Collections.unmodifiableSortedMap(copy);
    }

    private static void requireAmount(String dimension, long amount) {
        if (amount < 0) {
            throw new IllegalArgumentException("resource " + dimension + " is " + amount + ": at least 0 is allowed");
        }
    }

    /** A profile of only cpu (thousandths of a core) and heap (bytes). */
    public static ResourceProfile of(long cpuMillis, long heapBytes) {
        return new ResourceProfile(cpuMillis, heapBytes, 0, 0, NOTHING_EXTENDED);
    }

    /** Whether this is {@link #UNKNOWN}. */
    public boolean isUnknown() {
        return extended != NOTHING_EXTENDED && equals(UNKNOWN);
    }

    /** Whether each amount is at least that of {@code other}. UNKNOWN covers UNKNOWN only; everything covers UNKNOWN. */
    public boolean covers(ResourceProfile other) {
        if (other.isUnknown()) {
            return true;
        }
        if (isUnknown()
                || cpuMillis < other.cpuMillis
                || heapBytes < other.heapBytes
                || offHeapBytes < other.offHeapBytes
                || managedBytes < other.managedBytes) {
            return false;
        }
        return other.extended.isEmpty()
                || other.extended.entrySet().stream()
                        .allMatch(entry -> extended.getOrDefault(entry.getKey(), 0L) >= entry.getValue());
    }

    /**
     * The sum of both.
     *
     * @throws ArithmeticException when an amount overflows
     */
    public ResourceProfile plus(ResourceProfile other) {
        requireKnown(other);
        SortedMap<String, Long> sum = extended;
        if (!other.extended.isEmpty()) {
            sum = new TreeMap<>(extended);
            for (Map.Entry<String, Long> more : other.extended.entrySet()) {
                sum.merge(more.getKey(), more.getValue(), Math::addExact);
            }
        }
        return new ResourceProfile(
                Math.addExact(cpuMillis, other.cpuMillis),
                Math.addExact(heapBytes, other.heapBytes),
                Math.addExact(offHeapBytes, other.offHeapBytes),
                Math.addExact(managedBytes, other.managedBytes),
                sum);
    }

    /**
     * This profile minus {@code other}.
     *
     * @throws IllegalArgumentException when this profile does not cover {@code other}
     */
    public ResourceProfile minus(ResourceProfile other) {
        requireKnown(other);
        if (!covers(other)) {
            throw new IllegalArgumentException("cannot take " + other + " from " + this);
        }
        SortedMap<String, Long> rest = extended;
        if (!other.extended.isEmpty()) {
            rest = new TreeMap<>(extended);
            for (Map.Entry<String, Long> less : other.extended.entrySet()) {
                rest.merge(less.getKey(), -less.getValue(), Long::sum);
            }
        }
        return new ResourceProfile(
                cpuMillis - other.cpuMillis,
                heapBytes - other.heapBytes,
                offHeapBytes - other.offHeapBytes,
                managedBytes - other.managedBytes,
                rest);
    }

    /**
     * This profile multiplied by {@code factor}.
     *
     * @throws ArithmeticException when an amount overflows
     */
    public ResourceProfile times(int factor) {
        requireKnown(this);
        SortedMap<String, Long> product = extended;
        if (!extended.isEmpty()) {
            product = new TreeMap<>();
            for (Map.Entry<String, Long> each : extended.entrySet()) {
                product.put(each.getKey(), Math.multiplyExact(each.getValue(), (long) factor));
            }
        }
        return new ResourceProfile(
                Math.multiplyExact(cpuMillis, (long) factor),
                Math.multiplyExact(heapBytes, (long) factor),
                Math.multiplyExact(offHeapBytes, (long) factor),
                Math.multiplyExact(managedBytes, (long) factor),
                product);
    }

    /** Each amount divided by {@code parts}, rounded down: the default slot of a worker with that many slots. */
    public ResourceProfile dividedBy(int parts) {
        requireKnown(this);
        if (parts < 1) {
            throw new IllegalArgumentException("parts is " + parts + ": at least 1 is allowed");
        }
        SortedMap<String, Long> quotient = extended;
        if (!extended.isEmpty()) {
            quotient = new TreeMap<>();
            for (Map.Entry<String, Long> each : extended.entrySet()) {
                quotient.put(each.getKey(), each.getValue() / parts);
            }
        }
        return new ResourceProfile(
                cpuMillis / parts, heapBytes / parts, offHeapBytes / parts, managedBytes / parts, quotient);
    }

    private void requireKnown(ResourceProfile other) {
        if (isUnknown() || other.isUnknown()) {
            throw new IllegalArgumentException("an unknown profile takes no part in arithmetic");
        }
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof ResourceProfile that
                        && cpuMillis == that.cpuMillis
                        && heapBytes == that.heapBytes
                        && offHeapBytes == that.offHeapBytes
                        && managedBytes == that.managedBytes
                        && (extended == that.extended || extended.equals(that.extended));
    }

    @Override
    public int hashCode() {
        long hash = mixed(extended.isEmpty() ? 0 : extended.hashCode(), cpuMillis);
        return (int) mixed(mixed(mixed(hash, heapBytes), offHeapBytes), managedBytes);
    }

    /** The low bits of memory amounts are all zero. A hash that only multiplies by small numbers would keep them. */
    private static long mixed(long hash, long amount) {
        long product = (hash ^ amount) * 0x9E3779B97F4A7C15L;
        return product ^ product >>> 32;
    }

    /**
     * For people: {@code {1.5 cpu, 512 MiB}}, plus managed memory, off-heap memory and extended resources if not zero.
     */
    @Override
    public String toString() {
        if (isUnknown()) {
            return "{default slot}";
        }
        StringBuilder text =
                new StringBuilder("{").append(cores(cpuMillis)).append(" cpu, ").append(bytes(heapBytes));
        if (offHeapBytes > 0) {
            text.append(", off-heap ").append(bytes(offHeapBytes));
        }
        if (managedBytes > 0) {
            text.append(", managed ").append(bytes(managedBytes));
        }
        extended.forEach(
                (name, amount) -> text.append(", ").append(name).append(' ').append(amount));
        return text.append('}').toString();
    }

    private static String cores(long millis) {
        return java.math.BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString();
    }

    private static String bytes(long amount) {
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
        int unit = 0;
        long rest = amount;
        while (rest >= 1024 && rest % 1024 == 0 && unit < units.length - 1) {
            rest /= 1024;
            unit++;
        }
        return rest + " " + units[unit];
    }
}
