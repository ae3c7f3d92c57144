package io.berth.core.resources.state;

import io.berth.spi.AllocationId;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * The slots of one worker in an array, sorted by allocation: a worker has few, and new ones usually come last. Confined
 * to the main thread.
 */
final class WorkerSlots extends AbstractList<SlotEntry> {

    private static final SlotEntry[] NONE = {};

    private SlotEntry[] slots = NONE;
    private int size;

    @Override
    public SlotEntry get(int index) {
        return slots[Objects.checkIndex(index, size)];
    }

    @Override
    public int size() {
        return size;
    }

    /** Makes room for the number of slots that will be added. */
    void expect(int more) {
        if (size + more > slots.length) {
            // The first slots are often all slots.
            slots = Arrays.copyOf(slots, Math.max(size + more, size + size / 2));
        }
    }

    /** Adds a slot; it replaces one of the same allocation. */
    void put(SlotEntry slot) {
        int at = size > 0 && slots[size - 1].allocation.compareTo(slot.allocation) < 0
                ? -size - 1
                : indexOf(slot.allocation);
        if (at >= 0) {
            slots[at] = slot;
            return;
        }
        expect(1);
        int place = -at - 1;
        System.arraycopy(slots, place, slots, place + 1, size - place);
        slots[place] = slot;
        size++;
        modCount++;
    }

    Optional<SlotEntry> find(AllocationId allocation) {
        int at = indexOf(allocation);
        return at < 0 ? Optional.empty() : Optional.of(slots[at]);
    }

    /** Removes the slot of the allocation, if it exists. */
    void take(AllocationId allocation) {
        int at = indexOf(allocation);
        if (at < 0) {
            return;
        }
        size--;
        System.arraycopy(slots, at + 1, slots, at, size - at);
        slots[size] = null;
        if (size == 0) {
            slots = NONE;
        }
        modCount++;
    }

    /** As {@link Arrays#binarySearch}. */
    private int indexOf(AllocationId allocation) {
        int from = 0;
        int to = size - 1;
        while (from <= to) {
            int middle = (from + to) >>> 1;
            int order = slots[middle].allocation.compareTo(allocation);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                from = middle + 1;
            } else {
                to = middle - 1;
            }
        }
        return -from - 1;
    }
}
