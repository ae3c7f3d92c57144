package io.berth.runtime.dataflow.files;

import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorFactory;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.osgi.service.component.annotations.Component;

/**
 * {@code file-sink}: one line per record, into files that appear under their names when the job has finished. A {@code
 * Text} is written as it is, a {@code Pair} with a tab between its parts, anything else with its {@code toString}.
 * <ul>
 * <li>{@code path}: the directory; created if it is missing
 * <li>{@code file}: the file's name at parallelism 1, default {@code part.txt}; at higher parallelism the number of
 * the subtask is inserted:  {@code part-0.txt}
 * </ul>
 */
@Component(service = OperatorFactory.class)
@Operator("file-sink")
public final class FileSinkFactory implements OperatorFactory<Object, Void> {

    private static final Pattern NAME = Pattern.compile("[^./\\\\\\p{Cntrl}][^/\\\\\\p{Cntrl}]{0,199}");

    @Override
    public FileSink create(Configuration configuration) {
        String file = configuration.text("file", "part.txt");
        if (!NAME.matcher(file).matches()) {
            throw configuration.refused(
                    "file", "a file name of 1 to 200 characters without directory that does not start with a dot");
        }
        try {
            return new FileSink(Path.of(configuration.text("path")), file);
        } catch (InvalidPathException e) {
            throw configuration.refused("path", "a path of this platform (" + e.getMessage() + ")");
        }
    }
}
