package io.berth.core.policies;

import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The last records of one kind, in segments by which they are kept: a bounded number of them, and which segments are to
 * be written anew. Under the lock of the log of swaps.
 */
final class SwapShelf {

    /** Records of one segment. */
    static final int SEGMENT = 100;

    private final int most;
    private final NavigableMap<Long, Swap> kept = new TreeMap<>();
    private final SortedSet<Long> unwritten = new TreeSet<>();
    private long last;

    SwapShelf(int most) {
        this.most = most;
    }

    /** From 1. */
    long nextOrdinal() {
        return ++last;
    }

    void add(Swap swap) {
        kept.put(swap.ordinal, swap);
        touched(swap);
        if (kept.size() > most) {
            kept.pollFirstEntry();
        }
    }

    void touched(Swap swap) {
        unwritten.add((swap.ordinal - 1) / SEGMENT);
    }

    List<SwapDetails> newest(int limit) {
        List<SwapDetails> found = new ArrayList<>();
        for (Swap swap : kept.descendingMap().values()) {
            if (found.size() == limit) {
                break;
            }
            found.add(swap.details());
        }
        return found;
    }
}
