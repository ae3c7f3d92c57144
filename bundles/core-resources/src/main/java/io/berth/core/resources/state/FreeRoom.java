package io.berth.core.resources.state;

import io.berth.spi.ResourceProfile;
import java.util.Map;
import java.util.Optional;

/**
 * The free resources of a worker. Amounts change in place, and a profile is made only when it is read: a plan may take
 * from one worker many times in between. Confined to the main thread.
 */
public final class FreeRoom {

    private long cpuMillis;
    private long heapBytes;
    private long offHeapBytes;
    private long managedBytes;
    /** Of these amounts; empty if they changed since. Always present while there are extended resources. */
    private Optional<ResourceProfile> profile = Optional.empty();

    private boolean extended;

    FreeRoom(ResourceProfile amount) {
        set(amount);
    }

    void set(ResourceProfile amount) {
        cpuMillis = amount.cpuMillis();
        heapBytes = amount.heapBytes();
        offHeapBytes = amount.offHeapBytes();
        managedBytes = amount.managedBytes();
        extended = !amount.extended().isEmpty();
        profile = Optional.of(amount);
    }

    /** Takes slots of a size that fit. */
    void take(ResourceProfile slot, int count) {
        if (extended) {
            set(profile().minus(slot.times(count)));
        } else {
            add(slot, -count);
        }
    }

    /** Gives back a slot of a size. */
    void give(ResourceProfile slot) {
        if (extended || !slot.extended().isEmpty()) {
            set(profile().plus(slot));
        } else {
            add(slot, 1);
        }
    }

    private void add(ResourceProfile slot, int count) {
        cpuMillis += slot.cpuMillis() * count;
        heapBytes += slot.heapBytes() * count;
        offHeapBytes += slot.offHeapBytes() * count;
        managedBytes += slot.managedBytes() * count;
        profile = Optional.empty();
    }

    /** How many slots of a size fit, at most {@code most}. */
    int fits(ResourceProfile slot, int most) {
        if (!slot.extended().isEmpty()) {
            return (int) Math.min(most, quotient(profile(), slot));
        }
        long count = least(most, cpuMillis, slot.cpuMillis());
        count = least(count, heapBytes, slot.heapBytes());
        count = least(count, offHeapBytes, slot.offHeapBytes());
        return (int) least(count, managedBytes, slot.managedBytes());
    }

    /** How many slots fit; unlimited for a slot that needs nothing. */
    public static long quotient(ResourceProfile free, ResourceProfile slot) {
        long count = Integer.MAX_VALUE;
        count = least(count, free.cpuMillis(), slot.cpuMillis());
        count = least(count, free.heapBytes(), slot.heapBytes());
        count = least(count, free.offHeapBytes(), slot.offHeapBytes());
        count = least(count, free.managedBytes(), slot.managedBytes());
        // Usually empty: saves the iterator.
        if (slot.extended().isEmpty()) {
            return count;
        }
        for (Map.Entry<String, Long> extended : slot.extended().entrySet()) {
            count = least(count, free.extended().getOrDefault(extended.getKey(), 0L), extended.getValue());
        }
        return count;
    }

    /** The smaller of a count and how often an amount fits into what is free. */
    private static long least(long count, long free, long need) {
        return need > 0 ? Math.min(count, free / need) : count;
    }

    long cpuMillis() {
        return cpuMillis;
    }

    /** Memory of all kinds. */
    long memoryBytes() {
        return heapBytes + offHeapBytes + managedBytes;
    }

    ResourceProfile profile() {
        if (profile.isEmpty()) {
            profile = Optional.of(new ResourceProfile(
                    cpuMillis, heapBytes, offHeapBytes, managedBytes, ResourceProfile.ZERO.extended()));
        }
        return profile.get();
    }
}
