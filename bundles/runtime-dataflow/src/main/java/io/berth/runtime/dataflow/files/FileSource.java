package io.berth.runtime.dataflow.files;

import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.Source;
import io.berth.dataflow.api.SplitReader;
import io.berth.dataflow.api.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Lines of files, cut at byte offsets. A line belongs to the split that contains its first byte. */
final class FileSource implements Source<Text> {

    /** Target number of splits per subtask, so that a slow subtask does not make the others wait. */
    private static final int SPLITS_PER_SUBTASK = 4;

    private static final long MIN_SPLIT = 64 << 10;

    /** Maximum number of splits of one vertex, in addition to one per file, because the JobMaster keeps them all. */
    static final int MAX_SPLITS = 10_000;

    private final FilePattern pattern;
    private final long splitBytes;
    private final int lineBytes;
    private final LineLengths lengths = new LineLengths();
    private int parallelism = 1;

    FileSource(FilePattern pattern, long splitBytes, int lineBytes) {
        this.pattern = pattern;
        this.splitBytes = splitBytes;
        this.lineBytes = lineBytes;
    }

    @Override
    public void open(OperatorContext context) {
        parallelism = context.parallelism();
    }

    @Override
    public List<byte[]> enumerateSplits() throws IOException {
        List<Path> files = pattern.files();
        long total = 0;
        for (Path file : files) {
            total += Files.size(file);
        }
        long shared = Math.max(MIN_SPLIT, total / ((long) parallelism * SPLITS_PER_SUBTASK) + 1);
        long size = Math.max(Math.min(splitBytes, shared), total / MAX_SPLITS + 1);
        List<byte[]> splits = new ArrayList<>();
        for (Path file : files) {
            long length = Files.size(file);
            for (long start = 0; start < length; start += size) {
                long end = length - start <= size ? length : start + size;
                splits.add(new FileSplit(file.toAbsolutePath().toString(), start, end).toBytes());
            }
        }
        return splits;
    }

    @Override
    public SplitReader<Text> read(byte[] split) throws IOException {
        return new LineReader(FileSplit.of(split), lineBytes, lengths);
    }
}
