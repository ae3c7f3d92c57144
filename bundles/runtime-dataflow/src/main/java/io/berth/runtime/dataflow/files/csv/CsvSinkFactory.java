package io.berth.runtime.dataflow.files.csv;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Sink;
import io.berth.runtime.dataflow.files.FileSinks;
import org.osgi.service.component.annotations.Component;

/**
 * {@code csv-sink}: rows, Java records and pairs as CSV files.
 * <ul>
 * <li>{@code path}, {@code file} (default {@code part.csv}), {@code roll.bytes}, {@code roll.ms}: as of {@code file-sink}
 * <li>{@code header}: whether each file begins with the names of the columns, default true
 * <li>{@code columns}: which columns to write, in this order, separated by commas; default those of the first record
 * <li>{@code delimiter}: one ASCII character or {@code tab}, default a comma
 * </ul>
 */
@Component(service = OperatorFactory.class)
@Operator("csv-sink")
public final class CsvSinkFactory implements OperatorFactory<Object, Void> {

    private final Clock clock;

    public CsvSinkFactory() {
        this(new SystemClock());
    }

    CsvSinkFactory(Clock clock) {
        this.clock = clock;
    }

    @Override
    public Sink<Object> create(Configuration configuration) {
        return FileSinks.create(configuration, "part.csv", new CsvEncoder(CsvFormat.of(configuration)), clock);
    }
}
