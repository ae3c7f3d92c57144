package io.berth.runtime.dataflow.files;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Sink;
import org.osgi.service.component.annotations.Component;

/**
 * {@code file-sink}: one line per record, into files that appear under their names when the job has finished. A {@code
 * Text} is written as it is, a {@code Pair} with a tab between its parts, anything else with its {@code toString}.
 * <ul>
 * <li>{@code path}: the directory; created if it is missing
 * <li>{@code file}: the file's name at parallelism 1, default {@code part.txt}; at higher parallelism the number of
 * the subtask is inserted:  {@code part-0.txt}
 * <li>{@code roll.bytes}, {@code roll.ms}: parts are published while the job runs, each when it has this size or this age, named
 * with job, subtask, attempt and number: {@code part-JOB-0-1-1-000001.txt}
 * </ul>
 */
@Component(service = OperatorFactory.class)
@Operator("file-sink")
public final class FileSinkFactory implements OperatorFactory<Object, Void> {

    private final Clock clock;

    public FileSinkFactory() {
        this(new SystemClock());
    }

    FileSinkFactory(Clock clock) {
        this.clock = clock;
    }

    @Override
    public Sink<Object> create(Configuration configuration) {
        return FileSinks.create(configuration, "part.txt", new TextEncoder(), clock);
    }
}
