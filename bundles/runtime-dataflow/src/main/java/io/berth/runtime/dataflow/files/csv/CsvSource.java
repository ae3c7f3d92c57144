package io.berth.runtime.dataflow.files.csv;

import io.berth.dataflow.api.Counter;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.Source;
import io.berth.dataflow.api.SplitReader;
import io.berth.dataflow.api.data.Row;
import io.berth.runtime.dataflow.files.FileSplit;
import io.berth.runtime.dataflow.files.FileSplits;
import io.berth.runtime.dataflow.files.LineLengths;
import java.io.IOException;
import java.util.List;

/** Rows of CSV files. */
final class CsvSource implements Source<Row> {

    private final FileSplits splits;
    private final CsvReader.Settings settings;
    private final LineLengths lengths = new LineLengths();
    private int parallelism = 1;
    private Counter skipped = amount -> {};

    CsvSource(FileSplits splits, CsvReader.Settings settings) {
        this.splits = splits;
        this.settings = settings;
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
        return new CsvReader(FileSplit.of(split), settings, lengths, () -> skipped.add(1));
    }
}
