package io.berth.runtime.dataflow.files;

import io.berth.core.api.time.Clock;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Sink;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Makes sinks of files from their configuration: {@code path}, {@code file}, and {@code roll.bytes} and {@code roll.ms} for parts
 * that are published while the job runs. Pure functions.
 */
public final class FileSinks {

    private static final Pattern NAME = Pattern.compile("[^./\\\\\\p{Cntrl}][^/\\\\\\p{Cntrl}]{0,199}");
    private static final int MAX_ROLL_MILLIS = 86_400_000;

    private FileSinks() {}

    /**
     * A sink.
     *
     * @param file the name of the file if none is configured
     */
    public static Sink<Object> create(Configuration configuration, String file, Encoder encoder, Clock clock) {
        FileSink.Target target = new FileSink.Target(path(configuration), name(configuration, file));
        boolean rolls = configuration.find("roll.bytes").isPresent()
                || configuration.find("roll.ms").isPresent();
        if (!rolls) {
            return new FileSink(target, encoder);
        }
        long bytes = configuration.number("roll.bytes", 0, 1, 1L << 40);
        long millis = configuration.number("roll.ms", 0, 100, MAX_ROLL_MILLIS);
        return new RollingSink(
                target,
                encoder,
                new RollingSink.Limits(bytes == 0 ? Long.MAX_VALUE : bytes, millis == 0 ? Long.MAX_VALUE : millis),
                clock);
    }

    private static String name(Configuration configuration, String otherwise) {
        String file = configuration.text("file", otherwise);
        if (!NAME.matcher(file).matches()) {
            throw configuration.refused(
                    "file", "a file name of 1 to 200 characters without directory that does not start with a dot");
        }
        return file;
    }

    private static Path path(Configuration configuration) {
        try {
            return Path.of(configuration.text("path"));
        } catch (InvalidPathException e) {
            throw configuration.refused("path", "a path of this platform (" + e.getMessage() + ")");
        }
    }
}
