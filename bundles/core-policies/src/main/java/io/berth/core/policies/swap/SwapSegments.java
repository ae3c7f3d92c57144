package io.berth.core.policies.swap;

import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The last records of one kind by their ordinals, in segments that are stored as a whole, and which segments must be
 * written again. Both are bounded. Guarded by the lock of the log.
 */
final class SwapSegments {

    /** Records of one segment. */
    static final int SEGMENT = 100;

    private int max;
    /** Each one a {@link Swap} of this host or a record that was read. */
    private final NavigableMap<Long, Supplier<SwapDetails>> records = new TreeMap<>();
    /** Those that the store has or will get. */
    private final TreeSet<Long> segments = new TreeSet<>();

    private final TreeSet<Long> unwritten = new TreeSet<>();
    private long last;

    SwapSegments(int max) {
        this.max = max;
    }

    void keep(int newMax) {
        max = newMax;
        trim();
    }

    void add(Swap swap) {
        swap.ordinal = ++last;
        records.put(swap.ordinal, swap);
        segments.add(segmentOf(swap.ordinal));
        changed(swap);
        trim();
    }

    void changed(Swap swap) {
        if (records.get(swap.ordinal) == swap) {
            unwritten.add(segmentOf(swap.ordinal));
        }
    }

    void changed(Collection<SwapTrigger> triggers) {
        records.values().forEach(one -> {
            if (one instanceof Swap swap && triggers.contains(swap.trigger)) {
                changed(swap);
            }
        });
    }

    private static long segmentOf(long ordinal) {
        return (ordinal - 1) / SEGMENT;
    }

    /** Each start of the host begins a segment: there may be many segments with few records. */
    void trim() {
        while (records.size() > max) {
            records.pollFirstEntry();
        }
        while (segments.size() > Math.max(2, 2 * max / SEGMENT)) {
            records.headMap((segments.first() + 1) * SEGMENT, true).clear();
            forgetFirstSegment();
        }
        long first = segmentOf(records.isEmpty() ? last + 1 : records.firstKey());
        while (!segments.isEmpty() && segments.first() < first) {
            forgetFirstSegment();
        }
    }

    /** It is empty: writing it deletes it. */
    private void forgetFirstSegment() {
        long first = segments.first();
        segments.remove(first);
        unwritten.add(first);
    }

    /**
     * Replaces the records by those of a store. Records of this host that the store does not have follow them in a new
     * segment.
     *
     * @param stored segments that the store has, damaged ones included
     * @param again whether the store may have records of this host
     * @return the records that the store does not have, the oldest first
     */
    List<Swap> restore(SortedMap<Long, SwapDetails> read, Collection<Long> stored, boolean again) {
        List<Supplier<SwapDetails>> before = List.copyOf(records.values());
        List<Swap> missing = new ArrayList<>();
        TreeSet<Long> present = new TreeSet<>();
        records.clear();
        read.forEach((ordinal, details) -> records.put(ordinal, () -> details));
        for (Supplier<SwapDetails> one : before) {
            if (one instanceof Swap swap) {
                SwapDetails details = read.get(swap.ordinal);
                if (again && details != null && swap.isStoredAs(details)) {
                    records.put(swap.ordinal, swap);
                    present.add(segmentOf(swap.ordinal));
                } else {
                    missing.add(swap);
                }
            }
        }
        unwritten.retainAll(present);
        segments.clear();
        segments.addAll(stored);
        last = segments.isEmpty() ? 0 : (segments.last() + 1) * SEGMENT;
        missing.forEach(this::add);
        return missing;
    }

    List<SwapDetails> newest(int limit) {
        return records.descendingMap().values().stream()
                .limit(limit)
                .map(Supplier::get)
                .toList();
    }

    /** Segments to write, the oldest first; they count as written from now on. */
    List<Long> takeUnwritten(int limit) {
        List<Long> taken = unwritten.stream().limit(limit).toList();
        taken.forEach(unwritten::remove);
        return taken;
    }

    void unwritten(long segment) {
        unwritten.add(segment);
    }

    void allUnwritten() {
        unwritten.addAll(segments);
    }

    /** Empty: the segment is to be deleted. */
    SortedMap<Long, SwapDetails> segment(long segment) {
        SortedMap<Long, SwapDetails> found = new TreeMap<>();
        records.subMap(segment * SEGMENT, false, (segment + 1) * SEGMENT, true)
                .forEach((ordinal, one) -> found.put(ordinal, one.get()));
        return found;
    }
}
