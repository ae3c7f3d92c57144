package io.berth.core.resources;

import io.berth.spi.AllocationId;
import java.util.Optional;

/**
 * Slots by allocation: open addressing with linear probing in one array, at most two thirds full, that is never walked
 * through, so that it has no order. Putting, finding and taking out cost the same however many there are. Confined to
 * the main thread.
 */
final class SlotTable {

    private static final int LEAST = 16;

    private SlotEntry[] table = new SlotEntry[LEAST];
    private int size;

    int size() {
        return size;
    }

    Optional<SlotEntry> find(AllocationId allocation) {
        return Optional.ofNullable(table[place(allocation)]);
    }

    /** So many more are to come. */
    void expect(int more) {
        int room = table.length;
        while ((size + more) * 3L > room * 2L) {
            room *= 2;
        }
        resize(room);
    }

    /** Puts a slot in; it takes the place of one of the same allocation. */
    void put(SlotEntry slot) {
        if ((size + 1) * 3L > table.length * 2L) {
            resize(table.length * 2);
        }
        int at = place(slot.allocation);
        if (table[at] == null) {
            size++;
        }
        table[at] = slot;
    }

    /** Takes out the slot of the allocation, if there is one. */
    void take(AllocationId allocation) {
        int hole = place(allocation);
        if (table[hole] == null) {
            return;
        }
        size--;
        int mask = table.length - 1;
        // What was put behind the hole because of what stood there moves up.
        for (int at = (hole + 1) & mask; table[at] != null; at = (at + 1) & mask) {
            int home = home(table[at].allocation);
            if (((at - home) & mask) >= ((at - hole) & mask)) {
                table[hole] = table[at];
                hole = at;
            }
        }
        table[hole] = null;
        if (table.length > LEAST && size * 8L < table.length) {
            resize(table.length / 2);
        }
    }

    /** Where the allocation stands, or would. */
    private int place(AllocationId allocation) {
        int mask = table.length - 1;
        int at = home(allocation);
        while (table[at] != null && !table[at].allocation.equals(allocation)) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private int home(AllocationId allocation) {
        long mixed = (allocation.number() ^ Long.rotateLeft(allocation.epoch(), 32)) * 0x9e3779b97f4a7c15L;
        return (int) (mixed >>> 32) & (table.length - 1);
    }

    private void resize(int room) {
        if (room == table.length) {
            return;
        }
        SlotEntry[] before = table;
        table = new SlotEntry[room];
        for (SlotEntry slot : before) {
            if (slot != null) {
                table[place(slot.allocation)] = slot;
            }
        }
    }
}
