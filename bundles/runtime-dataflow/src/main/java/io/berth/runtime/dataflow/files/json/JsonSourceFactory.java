package io.berth.runtime.dataflow.files.json;

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
 * {@code json-source}: files with one JSON object per line, as {@link Row}. Objects in objects are rows, arrays are lists.
 * <ul>
 * <li>{@code path}, {@code split.bytes}, {@code line.bytes}: as of {@code file-source}
 * <li>{@code errors}: {@code fail} (default) or {@code skip} for lines that are no JSON object; the counter {@code skipped} says
 * how many
 * </ul>
 */
@Component(service = OperatorFactory.class)
@Operator("json-source")
public final class JsonSourceFactory implements OperatorFactory<Void, Row> {

    @Override
    public JsonSource create(Configuration configuration) {
        return new JsonSource(
                new FileSplits(
                        FilePattern.parse(configuration, "path"),
                        configuration.number("split.bytes", 4L << 20, 1, 1L << 40)),
                (int) configuration.number("line.bytes", 16L << 20, 16, 1L << 30),
                configuration.choice("errors", "fail", "skip").equals("skip"));
    }

    @Override
    public Optional<Serializer<Row>> outputSerializer(Configuration configuration) {
        return Optional.of(Row.serializer());
    }
}
