package io.berth.example.sort;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Records in memory, in pages, with an index that is sorted: for each record the first 36 bits of its bytes, and 28 bits
 * that say where it is. So most comparisons look at the index alone. For one thread.
 */
final class SortMemory {

    /** Small enough that a garbage collector with regions of 1 MiB does not give a page regions of its own. */
    static final int PAGE_BYTES = 256 << 10;

    /** Bytes before a record: its length. */
    static final int HEADER = Integer.BYTES;

    static final int MAX_RECORD = PAGE_BYTES - HEADER;

    /** Records begin at multiples of 8 bytes. */
    private static final int ALIGNED = 3;

    private static final int PLACE_BITS = 28;
    private static final int PAGE_SHIFT = 18 - ALIGNED;

    /** What 28 bits can tell apart. */
    static final long MAX_BYTES = 1L << (PLACE_BITS + ALIGNED);

    private static final int FIRST_INDEX = 1 << 10;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final long maxBytes;
    private final List<byte[]> pages = new ArrayList<>();
    private long[] index = new long[FIRST_INDEX];
    private int size;
    private int page = -1;
    private int filled = PAGE_BYTES;

    SortMemory(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** False if it is full. */
    boolean add(byte[] bytes, int offset, int length) {
        if (size == index.length && !growIndex() || PAGE_BYTES - filled < HEADER + length && !nextPage()) {
            return false;
        }
        byte[] to = pages.get(page);
        INT.set(to, filled, length);
        System.arraycopy(bytes, offset, to, filled + HEADER, length);
        long place = (long) page << PAGE_SHIFT | filled >> ALIGNED;
        // The sort is of signed numbers, and bytes are unsigned.
        index[size++] = (prefix(bytes, offset, length) & -1L << PLACE_BITS | place) ^ Long.MIN_VALUE;
        filled = Math.min(PAGE_BYTES, (filled + HEADER + length + 7) & ~7);
        return true;
    }

    private boolean growIndex() {
        // The old index is there until it is copied.
        if (bytes() + 2L * Long.BYTES * index.length > maxBytes) {
            return false;
        }
        index = Arrays.copyOf(index, index.length * 2);
        return true;
    }

    private boolean nextPage() {
        if (page + 1 == pages.size()) {
            if (bytes() + PAGE_BYTES > maxBytes) {
                return false;
            }
            pages.add(new byte[PAGE_BYTES]);
        }
        page++;
        filled = 0;
        return true;
    }

    /** Bytes of all pages and of the index. */
    long bytes() {
        return (long) pages.size() * PAGE_BYTES + (long) index.length * Long.BYTES;
    }

    int size() {
        return size;
    }

    /** Up to eight first bytes as a number, the first one highest. */
    static long prefix(byte[] bytes, int offset, int length) {
        if (length >= Long.BYTES) {
            return (long) LONG.get(bytes, offset);
        }
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = value << 8 | (i < length ? bytes[offset + i] & 0xff : 0);
        }
        return value;
    }

    /** Hands over all records in order, and is empty then. */
    void drain(ExternalSort.Output out) throws Exception {
        Arrays.sort(index, 0, size);
        int from = 0;
        while (from < size) {
            int to = from + 1;
            while (to < size && index[to] >>> PLACE_BITS == index[from] >>> PLACE_BITS) {
                to++;
            }
            if (to - from > 1) {
                heapSort(from, to - from);
            }
            for (int i = from; i < to; i++) {
                byte[] in = in(index[i]);
                int at = at(index[i]);
                out.record(in, at + HEADER, (int) INT.get(in, at));
            }
            from = to;
        }
        size = 0;
        page = -1;
        filled = PAGE_BYTES;
    }

    /** Sorts records with the same prefix; a heap needs no further memory. */
    private void heapSort(int from, int count) {
        for (int root = count / 2 - 1; root >= 0; root--) {
            siftDown(from, root, count);
        }
        for (int end = count - 1; end > 0; end--) {
            swap(from, from + end);
            siftDown(from, 0, end);
        }
    }

    private void siftDown(int from, int start, int count) {
        int root = start;
        while (2 * root + 1 < count) {
            int child = 2 * root + 1;
            if (child + 1 < count && compare(index[from + child], index[from + child + 1]) < 0) {
                child++;
            }
            if (compare(index[from + root], index[from + child]) >= 0) {
                return;
            }
            swap(from + root, from + child);
            root = child;
        }
    }

    private void swap(int one, int other) {
        long kept = index[one];
        index[one] = index[other];
        index[other] = kept;
    }

    private int compare(long one, long other) {
        byte[] in = in(one);
        byte[] otherIn = in(other);
        int from = at(one) + HEADER;
        int otherFrom = at(other) + HEADER;
        return Arrays.compareUnsigned(
                in,
                from,
                from + (int) INT.get(in, from - HEADER),
                otherIn,
                otherFrom,
                otherFrom + (int) INT.get(otherIn, otherFrom - HEADER));
    }

    private byte[] in(long entry) {
        return pages.get((int) (entry & (1 << PLACE_BITS) - 1) >>> PAGE_SHIFT);
    }

    private static int at(long entry) {
        return ((int) entry & (1 << PAGE_SHIFT) - 1) << ALIGNED;
    }
}
