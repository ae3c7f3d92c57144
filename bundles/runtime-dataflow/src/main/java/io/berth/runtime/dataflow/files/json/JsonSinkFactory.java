package io.berth.runtime.dataflow.files.json;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Sink;
import io.berth.runtime.dataflow.files.AnyRow;
import io.berth.runtime.dataflow.files.Encoder;
import io.berth.runtime.dataflow.files.FileSinks;
import java.io.IOException;
import java.io.OutputStream;
import org.osgi.service.component.annotations.Component;

/**
 * {@code json-sink}: rows, Java records and pairs as one JSON object per line. Settings {@code path}, {@code file} (default
 * {@code part.jsonl}), {@code roll.bytes} and {@code roll.ms} as of {@code file-sink}.
 */
@Component(service = OperatorFactory.class)
@Operator("json-sink")
public final class JsonSinkFactory implements OperatorFactory<Object, Void> {

    private final Clock clock;

    public JsonSinkFactory() {
        this(new SystemClock());
    }

    JsonSinkFactory(Clock clock) {
        this.clock = clock;
    }

    @Override
    public Sink<Object> create(Configuration configuration) {
        return FileSinks.create(configuration, "part.jsonl", new Lines(), clock);
    }

    private static final class Lines implements Encoder {
        private final JsonRows json = new JsonRows();
        private final AnyRow rows = new AnyRow();

        @Override
        public void begin() {}

        @Override
        public void write(Object record, OutputStream out) throws IOException {
            json.write(rows.of(record), out);
        }
    }
}
