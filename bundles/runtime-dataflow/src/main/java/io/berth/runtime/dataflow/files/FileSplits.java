package io.berth.runtime.dataflow.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Cuts files into splits. Immutable. */
public final class FileSplits {

    /** Target number of splits per subtask, so that a slow subtask does not make the others wait. */
    private static final int SPLITS_PER_SUBTASK = 4;

    private static final long MIN_SPLIT = 64 << 10;

    /** Maximum number of splits of one vertex, in addition to one per file, because the JobMaster keeps them all. */
    static final int MAX_SPLITS = 10_000;

    private final FilePattern pattern;
    private final long splitBytes;

    /** @param splitBytes maximum size of a split; {@code Long.MAX_VALUE}: a split is a whole file */
    public FileSplits(FilePattern pattern, long splitBytes) {
        this.pattern = pattern;
        this.splitBytes = splitBytes;
    }

    /** All splits, for so many subtasks, in the order of the files. */
    public List<byte[]> enumerate(int parallelism) throws IOException {
        List<Path> files = pattern.files();
        long total = 0;
        for (Path file : files) {
            total += Files.size(file);
        }
        long shared = Math.max(MIN_SPLIT, total / ((long) parallelism * SPLITS_PER_SUBTASK) + 1);
        long size = splitBytes == Long.MAX_VALUE
                ? splitBytes
                : Math.max(Math.min(splitBytes, shared), total / MAX_SPLITS + 1);
        List<byte[]> splits = new ArrayList<>();
        for (Path file : files) {
            long length = Files.size(file);
            for (long start = 0; start < length; ) {
                long end = length - start <= size ? length : start + size;
                splits.add(new FileSplit(file.toAbsolutePath().toString(), start, end).toBytes());
                start = end;
            }
        }
        return splits;
    }
}
