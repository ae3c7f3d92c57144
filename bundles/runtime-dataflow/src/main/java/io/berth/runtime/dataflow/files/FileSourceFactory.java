package io.berth.runtime.dataflow.files;

import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.Text;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;

/**
 * {@code file-source}: the lines of text files, without line ends ({@code \n} or {@code \r\n}), as {@link Text}: a
 * view of the bytes that were read, so a line becomes a {@code String} only on demand.
 * <ul>
 * <li>{@code path}: files, directories (their files, without hidden ones) and patterns ({@code *}, {@code ?} in the
 * last part), separated by the platform's path separator or line ends
 * <li>{@code split.bytes}: maximum size of a split, default 4 MiB; splits are smaller if the subtasks would not share
 * the work otherwise, and larger if there would be more than 10000 of them
 * <li>{@code line.bytes}: maximum length of a line, default 16 MiB
 * </ul>
 */
@Component(service = OperatorFactory.class)
@Operator("file-source")
public final class FileSourceFactory implements OperatorFactory<Void, Text> {

    @Override
    public FileSource create(Configuration configuration) {
        return new FileSource(
                FilePattern.parse(configuration, "path"),
                configuration.number("split.bytes", 4L << 20, 1, 1L << 40),
                (int) configuration.number("line.bytes", 16L << 20, 16, 1L << 30));
    }

    @Override
    public Optional<Serializer<Text>> outputSerializer(Configuration configuration) {
        return Optional.of(Serializers.text());
    }
}
