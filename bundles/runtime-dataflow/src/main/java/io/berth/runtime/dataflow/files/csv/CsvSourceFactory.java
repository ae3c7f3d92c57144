package io.berth.runtime.dataflow.files.csv;

import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.data.Row;
import io.berth.runtime.dataflow.files.FilePattern;
import io.berth.runtime.dataflow.files.FileSplits;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;

/**
 * {@code csv-source}: the records of CSV files as {@link Row}. A field that is empty and not in quotes is missing in its row.
 * <ul>
 * <li>{@code path}: as of {@code file-source}
 * <li>{@code header}: whether the first record of each file names the columns, default true
 * <li>{@code columns}: their names, separated by commas, when there is no header, or instead of it
 * <li>{@code types}: {@code COLUMN=TYPE}, separated by commas; a TYPE is {@code string} (default), {@code long}, {@code double},
 * {@code decimal}, {@code boolean} or {@code instant}
 * <li>{@code delimiter}: one ASCII character or {@code tab}, default a comma
 * <li>{@code multiline}: whether a field in quotes may contain line ends, default true. Then a file is read by one subtask; with
 * false large files are divided
 * <li>{@code split.bytes}: maximum size of a split, default 4 MiB; only with {@code multiline = false}
 * <li>{@code record.bytes}: maximum length of a record, default 16 MiB
 * <li>{@code errors}: {@code fail} (default) or {@code skip} for records that are malformed or do not fit their types; the counter
 * {@code skipped} says how many
 * </ul>
 */
@Component(service = OperatorFactory.class)
@Operator("csv-source")
public final class CsvSourceFactory implements OperatorFactory<Void, Row> {

    @Override
    public CsvSource create(Configuration configuration) {
        CsvFormat format = CsvFormat.of(configuration);
        if (!format.header() && format.columns().isEmpty()) {
            throw configuration.refused(
                    "columns", "the names of the columns, separated by commas, because header is false");
        }
        long splitBytes = configuration.number("split.bytes", 4L << 20, 1, 1L << 40);
        if (format.multiline() && configuration.find("split.bytes").isPresent()) {
            throw configuration.refused(
                    "split.bytes",
                    "only with multiline = false, because a record of several lines cannot be"
                            + " found from the middle of a file");
        }
        return new CsvSource(
                new FileSplits(
                        FilePattern.parse(configuration, "path"), format.multiline() ? Long.MAX_VALUE : splitBytes),
                new CsvReader.Settings(
                        format,
                        (int) configuration.number("record.bytes", 16L << 20, 16, 1L << 30),
                        configuration.choice("errors", "fail", "skip").equals("skip")));
    }

    @Override
    public Optional<Serializer<Row>> outputSerializer(Configuration configuration) {
        return Optional.of(Row.serializer());
    }
}
