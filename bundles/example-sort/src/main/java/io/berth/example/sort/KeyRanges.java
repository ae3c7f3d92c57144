package io.berth.example.sort;

import io.berth.dataflow.api.KeyGroups;

/**
 * Ranges of keys that are equally likely when the characters of keys are uniform, and which key group each range is. The
 * edge {@code hash} leads a key to a group by the hash code of the key. So a range stands for all its keys, as a number
 * whose hash code leads to the group with the number of the range. A subtask owns successive groups, hence successive
 * ranges, at any parallelism. Immutable and thread-safe.
 */
final class KeyRanges {

    private static final int COMPARED = 4;
    private static final long KEYS =
            (long) SortRecord.CHARACTERS * SortRecord.CHARACTERS * SortRecord.CHARACTERS * SortRecord.CHARACTERS;

    /** By range. Boxed once, because an edge asks for the key of each record. */
    private final Integer[] keys;

    /** @param count as many as the vertex that receives the records has key groups */
    KeyRanges(int count) {
        keys = new Integer[count];
        int found = 0;
        for (int key = 0; found < count; key++) {
            int group = KeyGroups.keyGroup(Integer.hashCode(key), count);
            if (keys[group] == null) {
                keys[group] = key;
                found++;
            }
        }
    }

    /** The range of a record. It never decreases from one record to a larger one, whatever bytes they have. */
    int range(byte[] bytes, int offset, int length) {
        long value = 0;
        int outside = 0;
        for (int i = 0; i < COMPARED; i++) {
            int digit = i < length ? (bytes[offset + i] & 0xff) - SortRecord.FIRST_CHARACTER : -1;
            if (outside == 0 && (digit < 0 || digit >= SortRecord.CHARACTERS)) {
                outside = digit < 0 ? -1 : 1;
            }
            int bounded = outside == 0 ? digit : outside < 0 ? 0 : SortRecord.CHARACTERS - 1;
            value = value * SortRecord.CHARACTERS + bounded;
        }
        return (int) (value * keys.length / KEYS);
    }

    /** The key whose group is the range. */
    Integer key(int range) {
        return keys[range];
    }

    int count() {
        return keys.length;
    }
}
