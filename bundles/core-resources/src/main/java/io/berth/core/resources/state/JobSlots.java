package io.berth.core.resources.state;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The slots of one job in an unordered array; each slot knows its index. Adding and removing take constant time.
 * Confined to the main thread.
 */
final class JobSlots {

    private static final SlotEntry[] NONE = {};
    private static final Comparator<SlotEntry> ORDER = Comparator.comparing(slot -> slot.allocation);

    private SlotEntry[] slots = NONE;
    private int size;

    int size() {
        return size;
    }

    /** Makes room for the number of slots that will be added. */
    void expect(int more) {
        if (size + more > slots.length) {
            slots = Arrays.copyOf(slots, Math.max(size + more, size + size / 2));
        }
    }

    void put(SlotEntry slot) {
        expect(1);
        slot.place(size);
        slots[size++] = slot;
    }

    /** Removes the slot. Returns false if it is not in the array. */
    boolean take(SlotEntry slot) {
        int place = slot.place();
        if (place >= size || slots[place] != slot) {
            return false;
        }
        size--;
        slots[place] = slots[size];
        slots[place].place(place);
        slots[size] = null;
        if (size == 0) {
            slots = NONE;
        }
        return true;
    }

    /** How many slots of a group that do not move are on each worker, by its index. */
    SortedMap<Integer, Integer> byWorker(GroupKey group) {
        SortedMap<Integer, Integer> counts = new TreeMap<>();
        for (int place = 0; place < size; place++) {
            if (!slots[place].isMoving() && slots[place].kind().group().equals(group)) {
                counts.merge(slots[place].worker.index, 1, Integer::sum);
            }
        }
        return counts;
    }

    void each(Consumer<SlotEntry> action) {
        for (int place = 0; place < size; place++) {
            action.accept(slots[place]);
        }
    }

    /** A copy, by allocation. */
    List<SlotEntry> sorted() {
        SlotEntry[] copy = Arrays.copyOf(slots, size);
        Arrays.sort(copy, ORDER);
        return List.of(copy);
    }
}
