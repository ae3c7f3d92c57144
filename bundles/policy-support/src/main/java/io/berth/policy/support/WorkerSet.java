package io.berth.policy.support;

import java.util.Arrays;

/**
 * A set of worker indexes, iterated in ascending order. A change costs two words, whatever the number of workers. For
 * one thread.
 */
public final class WorkerSet {

    private static final int BITS = 6;

    private long[] words = new long[1];
    /** A bit for each word that is not empty. */
    private long[] filled = new long[1];

    private int size;

    /** The number of workers in the set. */
    public int size() {
        return size;
    }

    /** Whether the set contains the worker; any index from 0 is allowed. */
    public boolean contains(int worker) {
        int word = worker >> BITS;
        return word < words.length && (words[word] & 1L << worker) != 0;
    }

    /** Adds a worker, if it is absent. */
    public void add(int worker) {
        int word = worker >> BITS;
        if (word >= words.length) {
            words = Arrays.copyOf(words, Math.max(word + 1, words.length * 2));
            filled = Arrays.copyOf(filled, ((words.length - 1) >> BITS) + 1);
        }
        long before = words[word];
        long after = before | 1L << worker;
        if (after != before) {
            words[word] = after;
            filled[word >> BITS] |= 1L << word;
            size++;
        }
    }

    /** Removes a worker, if it is present. */
    public void remove(int worker) {
        int word = worker >> BITS;
        if (word >= words.length) {
            return;
        }
        long before = words[word];
        long after = before & ~(1L << worker);
        if (after != before) {
            words[word] = after;
            size--;
            if (after == 0) {
                filled[word >> BITS] &= ~(1L << word);
            }
        }
    }

    /** Which of the 64 workers from {@code 64 * word} on are in the set, as bits. */
    long bits(int word) {
        return word < words.length ? words[word] : 0;
    }

    /** Which of 64 such words are not empty, as bits. */
    long filled(int group) {
        return group < filled.length ? filled[group] : 0;
    }

    int groups() {
        return filled.length;
    }

    /** Removes workers of one word that are in the set. */
    void removeBits(int word, long gone) {
        if (gone != 0) {
            words[word] &= ~gone;
            size -= Long.bitCount(gone);
            if (words[word] == 0) {
                filled[word >> BITS] &= ~(1L << word);
            }
        }
    }

    /** Adds all workers of another set. */
    public void addAll(WorkerSet other) {
        if (words.length < other.words.length) {
            words = Arrays.copyOf(words, other.words.length);
            filled = Arrays.copyOf(filled, other.filled.length);
        }
        size = 0;
        for (int word = 0; word < words.length; word++) {
            if (word < other.words.length) {
                words[word] |= other.words[word];
            }
            size += Long.bitCount(words[word]);
        }
        for (int word = 0; word < other.filled.length; word++) {
            filled[word] |= other.filled[word];
        }
    }

    /** The first worker at or after an index; -1 when there is none. */
    public int next(int from) {
        int word = from >> BITS;
        if (word >= words.length) {
            return -1;
        }
        long bits = words[word] & -1L << from;
        if (bits != 0) {
            return (word << BITS) + Long.numberOfTrailingZeros(bits);
        }
        word++;
        long mask = -1L << word;
        for (int group = word >> BITS; group < filled.length; group++) {
            long there = filled[group] & mask;
            if (there != 0) {
                word = (group << BITS) + Long.numberOfTrailingZeros(there);
                return (word << BITS) + Long.numberOfTrailingZeros(words[word]);
            }
            mask = -1L;
        }
        return -1;
    }
}
