package io.berth.scorecard.trace;

import io.berth.simulator.replay.ReplayedTrace;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;

/**
 * The example of docs/examples: small jobs that keep coming to a cluster of three nodes, and a large one that needs all of
 * it.
 */
public final class ExampleTrace {

    private ExampleTrace() {}

    /** Reads it from the classes. */
    public static ReplayedTrace read() {
        try {
            Path folder = Files.createTempDirectory("berth-trace");
            try {
                return ReplayedTrace.read(copy("batch-nodes.csv", folder), copy("batch-jobs.csv", folder));
            } finally {
                Files.deleteIfExists(folder.resolve("batch-nodes.csv"));
                Files.deleteIfExists(folder.resolve("batch-jobs.csv"));
                Files.delete(folder);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("the example of a trace cannot be read", failed);
        }
    }

    private static Path copy(String name, Path folder) throws IOException {
        Path file = folder.resolve(name);
        try (InputStream content = Objects.requireNonNull(ExampleTrace.class.getResourceAsStream(name))) {
            Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
        }
        return file;
    }
}
