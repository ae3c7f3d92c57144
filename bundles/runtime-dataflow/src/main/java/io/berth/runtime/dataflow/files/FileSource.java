package io.berth.runtime.dataflow.files;

import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.Source;
import io.berth.dataflow.api.SplitReader;
import io.berth.dataflow.api.Text;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Lines of files, cut at byte offsets. A line belongs to the split that contains its first byte. */
final class FileSource implements Source<Text> {

    private final FileSplits splits;
    private final int lineBytes;
    private final LineLengths lengths = new LineLengths();
    private int parallelism = 1;

    FileSource(FilePattern pattern, long splitBytes, int lineBytes) {
        this.splits = new FileSplits(pattern, splitBytes);
        this.lineBytes = lineBytes;
    }

    @Override
    public void open(OperatorContext context) {
        parallelism = context.parallelism();
    }

    @Override
    public List<byte[]> enumerateSplits() throws IOException {
        return splits.enumerate(parallelism);
    }

    @Override
    public SplitReader<Text> read(byte[] split) throws IOException {
        return new LineReader(FileSplit.of(split), lineBytes, lengths, Optional.empty());
    }
}
