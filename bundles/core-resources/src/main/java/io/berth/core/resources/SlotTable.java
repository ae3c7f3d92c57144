package io.berth.core.resources;

import io.berth.spi.AllocationId;
import java.util.Optional;

/**
 * Slots by allocation: open addressing with linear probing, at most two thirds full, that is never walked through, so
 * that it has no order. Beside each slot stands a part of its hash: who looks for one looks at hardly any other. Putting,
 * finding and taking out cost the same however many there are. Confined to the main thread.
 */
final class SlotTable {

    private static final int LEAST = 16;
    /** 2^64 divided by the golden ratio: numbers that follow each other come far apart (Knuth 6.4). */
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private SlotEntry[] slots = new SlotEntry[LEAST];
    /** Of the slot at the same place; 0: there is none. */
    private int[] marks = new int[LEAST];
    private int shift = Integer.SIZE - Integer.numberOfTrailingZeros(LEAST);
    private int size;

    int size() {
        return size;
    }

    Optional<SlotEntry> find(AllocationId allocation) {
        return Optional.ofNullable(slots[place(allocation, mark(allocation))]);
    }

    /** So many more are to come. */
    void expect(int more) {
        int room = slots.length;
        while ((size + more) * 3L > room * 2L) {
            room *= 2;
        }
        resize(room);
    }

    /** Puts a slot in; it takes the place of one of the same allocation. */
    void put(SlotEntry slot) {
        if ((size + 1) * 3L > slots.length * 2L) {
            resize(slots.length * 2);
        }
        int mark = mark(slot.allocation);
        int at = place(slot.allocation, mark);
        if (marks[at] == 0) {
            size++;
        }
        marks[at] = mark;
        slots[at] = slot;
    }

    /** Takes out the slot of the allocation, if there is one. */
    void take(AllocationId allocation) {
        int hole = place(allocation, mark(allocation));
        if (marks[hole] == 0) {
            return;
        }
        size--;
        int mask = slots.length - 1;
        // What was put behind the hole because of what stood there moves up.
        for (int at = (hole + 1) & mask; marks[at] != 0; at = (at + 1) & mask) {
            int home = marks[at] >>> shift;
            if (((at - home) & mask) >= ((at - hole) & mask)) {
                marks[hole] = marks[at];
                slots[hole] = slots[at];
                hole = at;
            }
        }
        marks[hole] = 0;
        slots[hole] = null;
        if (slots.length > LEAST && size * 8L < slots.length) {
            resize(slots.length / 2);
        }
    }

    /** Where the allocation stands, or would. */
    private int place(AllocationId allocation, int mark) {
        int mask = slots.length - 1;
        int at = mark >>> shift;
        while (marks[at] != 0 && !(marks[at] == mark && slots[at].allocation.equals(allocation))) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private static int mark(AllocationId allocation) {
        long mixed = (allocation.number() ^ Long.rotateLeft(allocation.epoch(), 32)) * SPREAD;
        int mark = (int) (mixed >>> Integer.SIZE);
        return mark == 0 ? 1 : mark;
    }

    private void resize(int room) {
        if (room == slots.length) {
            return;
        }
        SlotEntry[] slotsBefore = slots;
        int[] marksBefore = marks;
        slots = new SlotEntry[room];
        marks = new int[room];
        shift = Integer.SIZE - Integer.numberOfTrailingZeros(room);
        for (int before = 0; before < slotsBefore.length; before++) {
            if (marksBefore[before] != 0) {
                int at = marksBefore[before] >>> shift;
                while (marks[at] != 0) {
                    at = (at + 1) & (room - 1);
                }
                marks[at] = marksBefore[before];
                slots[at] = slotsBefore[before];
            }
        }
    }
}
