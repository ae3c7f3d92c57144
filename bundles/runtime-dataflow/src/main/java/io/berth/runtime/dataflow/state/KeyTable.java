package io.berth.runtime.dataflow.state;

import io.berth.dataflow.api.Serializer;
import java.util.Arrays;

/** The keys of one key group with open addressing. The place of a key is an index into the columns of values. */
final class KeyTable<K> {

    private final Serializer<K> serializer;
    private Object[] keys = new Object[16];
    private int[] hashes = new int[16];
    private int size;

    KeyTable(Serializer<K> serializer) {
        this.serializer = serializer;
    }

    /** The place of {@code key}, or -1. */
    int find(K key, int hash) {
        int mask = keys.length - 1;
        int at = place(hash) & mask;
        while (keys[at] != null) {
            if (hashes[at] == hash && keys[at].equals(key)) {
                return at;
            }
            at = at + 1 & mask;
        }
        return -1;
    }

    /** The place of a copy of {@code key}, which must be absent; {@link #mustGrow} must be false. */
    int insert(K key, int hash) {
        return insertKept(serializer.copy(key), hash);
    }

    int insertKept(Object kept, int hash) {
        int mask = keys.length - 1;
        int at = place(hash) & mask;
        while (keys[at] != null) {
            at = at + 1 & mask;
        }
        keys[at] = kept;
        hashes[at] = hash;
        size++;
        return at;
    }

    boolean mustGrow() {
        return size * 2 >= keys.length;
    }

    /** Doubles the table and reports the old and new place of each entry. */
    void grow(Move move) {
        Object[] oldKeys = keys;
        int[] oldHashes = hashes;
        keys = new Object[oldKeys.length * 2];
        hashes = new int[oldKeys.length * 2];
        size = 0;
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != null) {
                move.moved(i, insertKept(oldKeys[i], oldHashes[i]));
            }
        }
    }

    /**
     * Removes the entry at {@code place} and closes the gap. Reports the old and new place of each moved entry.
     *
     * @return the place that is now empty
     */
    int remove(int place, Move move) {
        int mask = keys.length - 1;
        int hole = place;
        for (int at = hole + 1 & mask; keys[at] != null; at = at + 1 & mask) {
            int home = place(hashes[at]) & mask;
            // An entry may be anywhere from its home on, so it moves only if the hole is not before its home.
            if ((at - home & mask) >= (at - hole & mask)) {
                keys[hole] = keys[at];
                hashes[hole] = hashes[at];
                move.moved(at, hole);
                hole = at;
            }
        }
        keys[hole] = null;
        size--;
        return hole;
    }

    int capacity() {
        return keys.length;
    }

    int size() {
        return size;
    }

    /** The key at {@code place}, or null. */
    @SuppressWarnings("unchecked")
    K key(int place) {
        return (K) keys[place];
    }

    void clear() {
        Arrays.fill(keys, null);
        size = 0;
    }

    // Keys of one group have the same remainder of their hash, so other bits must choose the place.
    private static int place(int hash) {
        int h = hash * 0x9E3779B9;
        return h ^ h >>> 15;
    }

    /** Receives the move of an entry. */
    @FunctionalInterface
    interface Move {
        void moved(int from, int to);
    }
}
