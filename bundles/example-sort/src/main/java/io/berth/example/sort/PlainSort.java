package io.berth.example.sort;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Sorts the records of {@code sort-records} in this process alone, by the same merge sort as the operator {@code sort}: a
 * measure of what distributing the work costs. {@code --threads} threads generate records and sort runs; one thread merges
 * them into a file.
 */
public final class PlainSort {

    private static final int BUFFER_BYTES = 1 << 20;

    private PlainSort() {}

    /**
     * {@code --records N --memory BYTES --threads N --folder DIR --output FILE}; the exit code is 2 when one of them is
     * wrong.
     */
    public static void main(String[] arguments) throws Exception {
        try {
            ToolOptions options = new ToolOptions(
                    Map.of("records", "", "memory", "", "threads", "1", "folder", "", "output", ""), arguments);
            sort(
                    options.number("records", 0, 1L << 40),
                    options.number("memory", ExternalSort.MIN_MEMORY, ExternalSort.MAX_MEMORY),
                    (int) options.number("threads", 1, 64),
                    Path.of(options.text("folder")),
                    Path.of(options.text("output")));
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage());
            System.exit(2);
        }
    }

    /** @param memoryBytes of all threads together */
    static void sort(long records, long memoryBytes, int threads, Path folder, Path output) throws Exception {
        List<ExternalSort> sorts = new ArrayList<>();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> parts = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                ExternalSort sort = new ExternalSort(folder, Math.max(ExternalSort.MIN_MEMORY, memoryBytes / threads));
                sorts.add(sort);
                long from = records * thread / threads;
                long to = records * (thread + 1) / threads;
                parts.add(pool.submit(() -> {
                    collect(from, to, sort);
                    return null;
                }));
            }
            for (Future<?> part : parts) {
                part.get();
            }
            write(sorts, output);
        } finally {
            pool.shutdownNow();
            sorts.forEach(ExternalSort::close);
        }
    }

    private static void collect(long from, long to, ExternalSort sort) throws Exception {
        byte[] record = new byte[SortRecord.BYTES];
        for (long number = from; number < to; number++) {
            SortRecord.write(number, record, 0);
            sort.add(record, 0, record.length);
        }
    }

    private static void write(List<ExternalSort> sorts, Path output) throws Exception {
        try (FileChannel file = FileChannel.open(
                        output,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(file), BUFFER_BYTES)) {
            ExternalSort.merge(sorts, (bytes, offset, length) -> writeLine(out, bytes, offset, length));
            out.flush();
            // As the sink of a job does.
            file.force(true);
        }
    }

    private static void writeLine(OutputStream out, byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        out.write('\n');
    }
}
