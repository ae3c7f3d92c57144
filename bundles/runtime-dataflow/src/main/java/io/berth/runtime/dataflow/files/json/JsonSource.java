package io.berth.runtime.dataflow.files.json;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Counter;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.PermanentException;
import io.berth.dataflow.api.Source;
import io.berth.dataflow.api.SplitReader;
import io.berth.dataflow.api.Text;
import io.berth.dataflow.api.data.Row;
import io.berth.runtime.dataflow.files.FilePosition;
import io.berth.runtime.dataflow.files.FileSplit;
import io.berth.runtime.dataflow.files.FileSplits;
import io.berth.runtime.dataflow.files.LineLengths;
import io.berth.runtime.dataflow.files.LineReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Rows of files with one JSON object per line. Blank lines are passed over. */
final class JsonSource implements Source<Row> {

    private final FileSplits splits;
    private final int lineBytes;
    private final boolean skip;
    private final LineLengths lengths = new LineLengths();
    private final JsonRows json = new JsonRows();
    private int parallelism = 1;
    private Counter skipped = amount -> {};

    /** @param skip whether to pass over lines that are malformed or too long */
    JsonSource(FileSplits splits, int lineBytes, boolean skip) {
        this.splits = splits;
        this.lineBytes = lineBytes;
        this.skip = skip;
    }

    @Override
    public void open(OperatorContext context) {
        parallelism = context.parallelism();
        skipped = context.counter("skipped");
    }

    @Override
    public List<byte[]> enumerateSplits() throws IOException {
        return splits.enumerate(parallelism);
    }

    @Override
    public SplitReader<Row> read(byte[] split) throws IOException {
        return new Reader(FileSplit.of(split));
    }

    private final class Reader implements SplitReader<Row> {
        private final FileSplit split;
        private final LineReader lines;

        Reader(FileSplit split) throws IOException {
            this.split = split;
            this.lines = new LineReader(
                    split, lineBytes, lengths, skip ? Optional.of(() -> skipped.add(1)) : Optional.empty());
        }

        @Override
        public boolean step(Collector<Row> out) throws IOException {
            return lines.step(line -> emit(line, out));
        }

        private void emit(Text line, Collector<Row> out) {
            if (isBlank(line)) {
                return;
            }
            Row row;
            try {
                row = json.read(line.bytes(), line.offset(), line.length());
            } catch (JsonRows.MalformedJsonException malformed) {
                if (!skip) {
                    // Another attempt would read the same.
                    throw new PermanentException(FilePosition.of(split.file(), lines.lineOffset()) + ", column "
                            + malformed.column() + ": " + malformed.getMessage());
                }
                skipped.add(1);
                return;
            }
            out.collect(row);
        }

        private boolean isBlank(Text line) {
            for (int i = 0; i < line.length(); i++) {
                byte each = line.bytes()[line.offset() + i];
                if (each != ' ' && each != '\t' && each != '\r') {
                    return false;
                }
            }
            return true;
        }

        @Override
        public OptionalLong recordsLeft() {
            return lines.recordsLeft();
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }
}
