package io.berth.core.policies.swap;

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
final class SwapSegments {

    /** Records of one segment. */
    static final int SEGMENT = 100;

    private int most;
    private final NavigableMap<Long, SwapDetails> earlier = new TreeMap<>();
    private final NavigableMap<Long, Swap> own = new TreeMap<>();
    /** Those that are kept, or should be. */
    private final TreeSet<Long> segments = new TreeSet<>();

    private final TreeSet<Long> unwritten = new TreeSet<>();
    private long last;

    SwapSegments(int most) {
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
    void trim() {
        while (earlier.size() + own.size() > most) {
            if (earlier.isEmpty() || !own.isEmpty() && own.firstKey() < earlier.firstKey()) {
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
        long first = segmentOf(
                Math.min(earlier.isEmpty() ? last + 1 : earlier.firstKey(), own.isEmpty() ? last + 1 : own.firstKey()));
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
     * Takes over what a store has: of earlier lives, of others that wrote since this one did, and of this one. What this
     * one has that is not there comes behind all of it and begins a segment of its own.
     *
     * @param there segments that the store has, damaged ones included
     * @param again whether records of this one may be among them
     * @return what is not there, the oldest first; in its new place
     */
    List<Swap> restore(SortedMap<Long, SwapDetails> records, Collection<Long> there, boolean again) {
        List<Swap> missing = new ArrayList<>();
        TreeSet<Long> touched = new TreeSet<>();
        for (Swap swap : List.copyOf(own.values())) {
            SwapDetails stored = records.get(swap.ordinal);
            if (again && stored != null && swap.wrote(stored)) {
                if (unwritten.contains(segmentOf(swap.ordinal))) {
                    touched.add(segmentOf(swap.ordinal));
                }
            } else {
                own.remove(swap.ordinal);
                missing.add(swap);
            }
        }
        segments.clear();
        unwritten.clear();
        unwritten.addAll(touched);
        earlier.clear();
        earlier.putAll(records);
        earlier.keySet().removeAll(own.keySet());
        segments.addAll(there);
        last = segments.isEmpty() ? 0 : (segments.last() + 1) * SEGMENT;
        missing.forEach(this::add);
        return missing;
    }

    List<SwapDetails> newest(int limit) {
        List<SwapDetails> found = new ArrayList<>();
        Long ordinal = newestBefore(Long.MAX_VALUE);
        while (ordinal != null && found.size() < limit) {
            Swap swap = own.get(ordinal);
            found.add(swap == null ? earlier.get(ordinal) : swap.details());
            ordinal = newestBefore(ordinal);
        }
        return found;
    }

    private Long newestBefore(long ordinal) {
        Long ours = own.lowerKey(ordinal);
        Long others = earlier.lowerKey(ordinal);
        return ours == null || others != null && others > ours ? others : ours;
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
