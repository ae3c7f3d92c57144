package io.berth.core.resources.state;

import io.berth.spi.AllocationId;
import java.util.Optional;

/**
 * Slots by allocation: open addressing with linear probing, at most two thirds full and of any size. It cannot be
 * iterated. An array with a part of each hash saves most comparisons of slots. All operations take constant time.
 * Confined to the main thread.
 */
final class SlotTable {

    private static final int MIN_COUNT = 16;
    /** 2^64 divided by the golden ratio: spreads consecutive numbers (Knuth 6.4). */
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private SlotEntry[] slots = new SlotEntry[MIN_COUNT];
    /** Of the slot at the same index; 0 if it is empty. */
    private int[] marks = new int[MIN_COUNT];

    private int size;

    int size() {
        return size;
    }

    Optional<SlotEntry> find(AllocationId allocation) {
        return Optional.ofNullable(slots[place(allocation, mark(allocation))]);
    }

    /** Makes room for the number of slots that will be added. */
    void expect(int more) {
        if (isTooFull(size + more)) {
            // Grows by half at least, so that small additions do not move everything each time.
            resize(Math.max((int) (((size + more) * 3L + 1) / 2), slots.length + slots.length / 2));
        }
    }

    private boolean isTooFull(int count) {
        return count * 3L > slots.length * 2L;
    }

    /** Adds a slot; it replaces one of the same allocation. */
    void put(SlotEntry slot) {
        if (isTooFull(size + 1)) {
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

    /** Removes the slot of the allocation, if it exists. */
    void take(AllocationId allocation) {
        int hole = place(allocation, mark(allocation));
        if (marks[hole] == 0) {
            return;
        }
        size--;
        // Slots behind the hole move up if they were displaced.
        for (int at = behind(hole); marks[at] != 0; at = behind(at)) {
            if (steps(home(marks[at]), at) >= steps(hole, at)) {
                marks[hole] = marks[at];
                slots[hole] = slots[at];
                hole = at;
            }
        }
        marks[hole] = 0;
        slots[hole] = null;
        if (slots.length > MIN_COUNT && size * 8L < slots.length) {
            resize(Math.max(MIN_COUNT, slots.length / 2));
        }
    }

    /** The index of the allocation, or where it would be added. */
    private int place(AllocationId allocation, int mark) {
        int at = home(mark);
        while (marks[at] != 0 && !(marks[at] == mark && slots[at].allocation.equals(allocation))) {
            at = behind(at);
        }
        return at;
    }

    /** The preferred index of a mark; marks are spread over the whole array (Lemire 2016). */
    private int home(int mark) {
        return (int) (Integer.toUnsignedLong(mark) * marks.length >>> Integer.SIZE);
    }

    private int behind(int place) {
        return place + 1 == marks.length ? 0 : place + 1;
    }

    /** The distance from one index to another, around the end. */
    private int steps(int from, int to) {
        return to >= from ? to - from : to - from + marks.length;
    }

    private static int mark(AllocationId allocation) {
        long mixed = (allocation.number() ^ Long.rotateLeft(allocation.epoch(), 32)) * SPREAD;
        int mark = (int) (mixed >>> Integer.SIZE);
        return mark == 0 ? 1 : mark;
    }

    private void resize(int room) {
        SlotEntry[] slotsBefore = slots;
        int[] marksBefore = marks;
        slots = new SlotEntry[room];
        marks = new int[room];
        for (int before = 0; before < slotsBefore.length; before++) {
            if (marksBefore[before] != 0) {
                int at = home(marksBefore[before]);
                while (marks[at] != 0) {
                    at = behind(at);
                }
                marks[at] = marksBefore[before];
                slots[at] = slotsBefore[before];
            }
        }
    }
}
