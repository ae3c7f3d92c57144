package io.berth.backend.local;

import io.berth.spi.WorkerId;
import io.berth.spi.backend.LaunchDescription;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file with the secrets of a worker, which only the user of the process may read. See the launch description. */
final class SecretsFile {

    private static final Logger LOG = LoggerFactory.getLogger(SecretsFile.class);

    private static final String SUFFIX = ".secrets";

    private SecretsFile() {}

    /** Writes the secrets; empty if the worker has none. */
    static Optional<Path> write(Path directory, LaunchDescription launch) throws IOException {
        if (launch.secrets().isEmpty()) {
            return Optional.empty();
        }
        Path file = of(directory, launch.worker());
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        StringBuilder lines = new StringBuilder();
        launch.secrets()
                .forEach((name, value) ->
                        lines.append(name).append('=').append(value).append('\n'));
        Files.write(file, lines.toString().getBytes(StandardCharsets.UTF_8));
        return Optional.of(file);
    }

    static void remove(Path directory, WorkerId worker) {
        try {
            Files.deleteIfExists(of(directory, worker));
        } catch (IOException failure) {
            LOG.warn("worker {}: its file of secrets cannot be removed", worker, failure);
        }
    }

    /** Removes the files of workers that ended without a control plane. */
    static void removeOthers(Path directory, Set<WorkerId> workers) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.filter(file -> file.toString().endsWith(SUFFIX)).toList();
        }
        for (Path file : files) {
            String name = file.getFileName().toString();
            String of = name.substring(0, name.length() - SUFFIX.length());
            if (workers.stream().noneMatch(worker -> worker.value().equals(of))) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static Path of(Path directory, WorkerId worker) {
        return directory.resolve(worker.value() + SUFFIX);
    }
}
