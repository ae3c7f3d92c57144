package io.berth.core.policies;

import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The last records of one kind by their ordinals, in segments by which they are kept: a bounded number of both, and
 * which segments are to be written anew. Under the lock of the log of swaps.
 */
final class SwapShelf {

    /** Records of one segment. */
    static final int SEGMENT = 100;

    private int most;
    private final NavigableMap<Long, SwapDetails> earlier = new TreeMap<>();
    private final NavigableMap<Long, Swap> own = new TreeMap<>();
    /** Those that are kept, or should be. */
    private final TreeSet<Long> segments = new TreeSet<>();
    private final TreeSet<Long> unwritten = new TreeSet<>();
    private long last;

    SwapShelf(int most) {
        this.most = most;
    }

    void keep(int newMost) {
        most = newMost;
        trim();
    }

    void add(Swap swap) {
        swap.ordinal = ++last;
        own.put(swap.ordinal, swap);
        segments.add(segmentOf(swap.ordinal));
        touched(swap);
        trim();
    }

    void touched(Swap swap) {
        if (own.containsKey(swap.ordinal)) {
            unwritten.add(segmentOf(swap.ordinal));
        }
    }

    private static long segmentOf(long ordinal) {
        return (ordinal - 1) / SEGMENT;
    }

    /** Each life of the host begins a segment, so that segments may be many where records are few. */
    private void trim() {
        while (earlier.size() + own.size() > most) {
            if (earlier.isEmpty()) {
                own.pollFirstEntry().getValue().forgotten();
            } else {
                earlier.pollFirstEntry();
            }
        }
        while (segments.size() > Math.max(2, 2 * most / SEGMENT)) {
            long end = (segments.first() + 1) * SEGMENT;
            earlier.headMap(end, true).clear();
            own.headMap(end, true).values().forEach(Swap::forgotten);
            own.headMap(end, true).clear();
            forget(segments.first());
        }
        long first = segmentOf(!earlier.isEmpty() ? earlier.firstKey() : own.isEmpty() ? last + 1 : own.firstKey());
        while (!segments.isEmpty() && segments.first() < first) {
            forget(segments.first());
        }
    }

    /** It is empty now: to write it is to delete it. */
    private void forget(long segment) {
        segments.remove(segment);
        unwritten.add(segment);
    }

    /**
     * Puts records of earlier lives before those of this one, which begin a segment of their own.
     *
     * @param there segments that a store has, damaged ones included
     */
    void restore(SortedMap<Long, SwapDetails> records, Collection<Long> there) {
        List<Swap> swaps = List.copyOf(own.values());
        own.clear();
        segments.clear();
        unwritten.clear();
        earlier.putAll(records);
        segments.addAll(there);
        last = segments.isEmpty() ? 0 : (segments.last() + 1) * SEGMENT;
        swaps.forEach(this::add);
        trim();
    }

    Collection<Swap> own() {
        return own.values();
    }

    List<SwapDetails> newest(int limit) {
        List<SwapDetails> found = new ArrayList<>();
        for (Swap swap : own.descendingMap().values()) {
            if (found.size() == limit) {
                return found;
            }
            found.add(swap.details());
        }
        for (SwapDetails swap : earlier.descendingMap().values()) {
            if (found.size() == limit) {
                return found;
            }
            found.add(swap);
        }
        return found;
    }

    /** Segments that are to be written, the oldest first; they count as written now. */
    List<Long> takeUnwritten(int limit) {
        List<Long> taken = unwritten.stream().limit(limit).toList();
        taken.forEach(unwritten::remove);
        return taken;
    }

    void unwritten(long segment) {
        unwritten.add(segment);
    }

    /** All are to be written: for a store that has none of them. */
    void allUnwritten() {
        unwritten.addAll(segments);
    }

    /** What a segment holds; empty: it is to be deleted. */
    SortedMap<Long, SwapDetails> segment(long segment) {
        long begin = segment * SEGMENT + 1;
        long end = (segment + 1) * SEGMENT;
        SortedMap<Long, SwapDetails> records = new TreeMap<>(earlier.subMap(begin, true, end, true));
        own.subMap(begin, true, end, true).forEach((ordinal, swap) -> records.put(ordinal, swap.details()));
        return records;
    }
}
