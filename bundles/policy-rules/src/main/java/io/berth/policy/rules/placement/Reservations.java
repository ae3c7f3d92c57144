package io.berth.policy.rules.placement;

import java.util.Arrays;

/** Room that a placement reserves for gangs that it does not place. Confined to the thread of one call. */
final class Reservations {

    private final int[] reserved;
    private int[] entry = {};
    private int[] worker = {};
    private int[] count = {};
    private int size;

    Reservations(int entries) {
        reserved = new int[entries];
    }

    void add(int ofEntry, int onWorker, int slots) {
        if (size == entry.length) {
            int room = Math.max(8, size * 2);
            entry = Arrays.copyOf(entry, room);
            worker = Arrays.copyOf(worker, room);
            count = Arrays.copyOf(count, room);
        }
        entry[size] = ofEntry;
        worker[size] = onWorker;
        count[size++] = slots;
        reserved[ofEntry] += slots;
    }

    /** How many slots of an entry have room reserved. */
    int of(int ofEntry) {
        return reserved[ofEntry];
    }

    int size() {
        return size;
    }

    int entry(int nth) {
        return entry[nth];
    }

    int worker(int nth) {
        return worker[nth];
    }

    int count(int nth) {
        return count[nth];
    }
}
