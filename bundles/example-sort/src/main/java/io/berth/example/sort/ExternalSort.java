package io.berth.example.sort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * An external merge sort of records in the order of their unsigned bytes. It collects records in memory, and when that is
 * full writes them to a file as a sorted run; {@link #merge} reads all runs together. It uses its memory, and 256 KiB for
 * the file that it writes. For one thread.
 */
final class ExternalSort implements AutoCloseable {

    static final long MIN_MEMORY = 1 << 20;
    static final long MAX_MEMORY = SortMemory.MAX_BYTES;

    /** A smaller buffer makes reading a run slow, because it moves between the runs. */
    private static final int MIN_BUFFER = 64 << 10;

    private static final int MAX_BUFFER = 1 << 20;

    private final Path folder;
    private final long memoryBytes;
    private final ArrayDeque<SpillFile> files = new ArrayDeque<>();
    private SortMemory memory;
    private int runs;
    private long spilledBytes;

    /** Takes one record. */
    @FunctionalInterface
    interface Output {
        /** The record {@code bytes[offset, offset + length)}, valid during the call. */
        void record(byte[] bytes, int offset, int length) throws Exception;
    }

    /**
     * @param folder for runs, created when it is needed
     * @param memoryBytes from {@link #MIN_MEMORY} to {@link #MAX_MEMORY}
     */
    ExternalSort(Path folder, long memoryBytes) {
        this.folder = folder;
        this.memoryBytes = memoryBytes;
        this.memory = new SortMemory(memoryBytes);
    }

    /** @throws IOException when a run cannot be written */
    void add(byte[] bytes, int offset, int length) throws Exception {
        if (length > SortMemory.MAX_RECORD) {
            throw new IllegalArgumentException(
                    "a record to sort has " + length + " bytes: allowed are up to " + SortMemory.MAX_RECORD + " bytes");
        }
        if (!memory.add(bytes, offset, length)) {
            spill();
            memory.add(bytes, offset, length);
        }
    }

    private void spill() throws Exception {
        SpillFile run = newRun();
        memory.drain(run::append);
        spilledBytes += run.finish();
    }

    private SpillFile newRun() throws IOException {
        SpillFile run = new SpillFile(folder);
        files.addLast(run);
        runs++;
        return run;
    }

    /**
     * Hands over the records of all sorts in order, within the memory that these have together. They are empty then, and
     * hold no files.
     */
    static void merge(List<ExternalSort> sorts, Output out) throws Exception {
        if (sorts.size() == 1 && sorts.get(0).files.isEmpty()) {
            sorts.get(0).memory.drain(out);
            return;
        }
        long memoryBytes = 0;
        List<SpillFile> all = new ArrayList<>();
        for (ExternalSort sort : sorts) {
            sort.release();
            sort.mergeRuns();
            memoryBytes += sort.memoryBytes;
            all.addAll(sort.files);
        }
        RunMerge.merge(all, bufferBytes(memoryBytes, all.size()), out);
        sorts.forEach(ExternalSort::close);
    }

    /** Writes what is in memory, so that the memory is there for the merge. */
    private void release() throws Exception {
        if (memory.size() > 0) {
            spill();
        }
        memory = new SortMemory(memoryBytes);
    }

    /** Merges runs until their buffers fit in the memory. */
    private void mergeRuns() throws Exception {
        int most = (int) (memoryBytes / MIN_BUFFER);
        while (files.size() > most) {
            List<SpillFile> merged = new ArrayList<>();
            int count = Math.min(most, files.size() - most + 1);
            for (int i = 0; i < count; i++) {
                merged.add(files.removeFirst());
            }
            try {
                SpillFile run = newRun();
                RunMerge.merge(merged, bufferBytes(memoryBytes, count), run::append);
                spilledBytes += run.finish();
            } finally {
                closeAll(merged);
            }
        }
    }

    private static int bufferBytes(long memoryBytes, int runs) {
        return (int) Math.max(MIN_BUFFER, Math.min(MAX_BUFFER, memoryBytes / Math.max(1, runs)));
    }

    /** Runs that were written, with those that merged others. */
    int runs() {
        return runs;
    }

    /** Bytes that were written to files. */
    long spilledBytes() {
        return spilledBytes;
    }

    /** Heap that records take now. */
    long usedBytes() {
        return memory.bytes();
    }

    @Override
    public void close() {
        closeAll(files);
        files.clear();
        memory = new SortMemory(memoryBytes);
    }

    private static void closeAll(Iterable<SpillFile> files) {
        for (SpillFile file : files) {
            try {
                file.close();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
