package io.berth.example.sort;

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Merges sorted runs: a heap of the next records of all of them. For one thread. */
final class RunMerge {

    /** The run with the smallest record first. */
    private final Cursor[] heap;

    private int size;

    private RunMerge(List<SpillFile> runs, int bufferBytes) throws IOException {
        List<Cursor> cursors = new ArrayList<>();
        for (SpillFile run : runs) {
            Cursor cursor = new Cursor(run, bufferBytes);
            if (cursor.next()) {
                cursors.add(cursor);
            }
        }
        heap = cursors.toArray(Cursor[]::new);
        size = heap.length;
        for (int root = size / 2 - 1; root >= 0; root--) {
            siftDown(root);
        }
    }

    /** @param bufferBytes of each run */
    static void merge(List<SpillFile> runs, int bufferBytes, ExternalSort.Output out) throws Exception {
        RunMerge merge = new RunMerge(runs, bufferBytes);
        while (merge.size > 0) {
            Cursor smallest = merge.heap[0];
            out.record(smallest.bytes, smallest.at, smallest.length);
            if (!smallest.next()) {
                merge.heap[0] = merge.heap[--merge.size];
            }
            merge.siftDown(0);
        }
    }

    private void siftDown(int start) {
        if (size == 0) {
            return;
        }
        Cursor moved = heap[start];
        int root = start;
        while (2 * root + 1 < size) {
            int child = 2 * root + 1;
            if (child + 1 < size && heap[child + 1].compareTo(heap[child]) < 0) {
                child++;
            }
            if (moved.compareTo(heap[child]) <= 0) {
                break;
            }
            heap[root] = heap[child];
            root = child;
        }
        heap[root] = moved;
    }

    /** One run, at its next record. */
    private static final class Cursor {

        private final SpillFile run;
        private byte[] bytes;
        private int at;
        private int length;
        private long prefix;
        private long readFrom;
        private int filled;

        Cursor(SpillFile run, int bufferBytes) {
            this.run = run;
            this.bytes = new byte[bufferBytes];
        }

        boolean next() throws IOException {
            int start = at + length;
            if (filled - start < SortMemory.HEADER) {
                start = refill(start, SortMemory.HEADER);
                if (filled == start) {
                    return false;
                }
            }
            int following = (bytes[start] & 0xff) << 24
                    | (bytes[start + 1] & 0xff) << 16
                    | (bytes[start + 2] & 0xff) << 8
                    | bytes[start + 3] & 0xff;
            if (filled - start < SortMemory.HEADER + following) {
                start = refill(start, SortMemory.HEADER + following);
            }
            at = start + SortMemory.HEADER;
            length = following;
            // Signed numbers in the order of unsigned ones.
            prefix = SortMemory.prefix(bytes, at, length) ^ Long.MIN_VALUE;
            return true;
        }

        /** Moves what is left to the beginning and reads on, until there are {@code needed} bytes or nothing at all. */
        private int refill(int start, int needed) throws IOException {
            int rest = filled - start;
            byte[] into = needed > bytes.length ? new byte[needed] : bytes;
            System.arraycopy(bytes, start, into, 0, rest);
            bytes = into;
            int more = run.read(readFrom, bytes, rest);
            readFrom += more;
            filled = rest + more;
            if (filled < needed && filled > 0) {
                throw new EOFException(
                        "a spill file ends within a record: " + (needed - filled) + " bytes are missing");
            }
            return 0;
        }

        int compareTo(Cursor other) {
            int order = Long.compare(prefix, other.prefix);
            return order != 0
                    ? order
                    : Arrays.compareUnsigned(bytes, at, at + length, other.bytes, other.at, other.at + other.length);
        }
    }
}
