package io.berth.ops.cli.process;

import io.berth.ops.cli.console.Terminal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The folder of one demo, {@code .berth/demo-X}. It is locked while this process uses it, so that another demo does
 * not remove it. A later demo removes it, unless a control plane runs in it. Blocks.
 */
final class DemoFolder implements AutoCloseable {

    private static final String PREFIX = "demo-";
    private static final String LOCK = "demo.lock";
    /** Suffix of the folder with the logs of a failed demo. */
    private static final String LEFT = ".logs";

    private static final List<Path> LOGS = List.of(Path.of("data", "log"), Path.of("data", "berth", "backend-local"));

    private final Path path;
    private final FileChannel lock;

    private DemoFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    static DemoFolder create(Terminal terminal) {
        Path parent = terminal.home().resolve(".berth");
        try {
            Files.createDirectories(parent);
            // For two demos that start at once: a folder is visible only with its lock.
            try (FileChannel all = locked(parent.resolve(LOCK))) {
                removeEnded(terminal, parent);
                Path path = Files.createTempDirectory(parent, PREFIX);
                return new DemoFolder(path, locked(path.resolve(LOCK)));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("no folder for the demo can be made in " + parent, failure);
        }
    }

    private static FileChannel locked(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        channel.lock();
        return channel;
    }

    private static void removeEnded(Terminal terminal, Path parent) throws IOException {
        List<Path> folders;
        try (Stream<Path> all = Files.list(parent)) {
            folders = all.filter(Files::isDirectory)
                    .filter(folder -> folder.getFileName().toString().startsWith(PREFIX))
                    .filter(folder -> !folder.getFileName().toString().endsWith(LEFT))
                    .sorted()
                    .toList();
        }
        for (Path folder : folders) {
            if (isFree(folder.resolve(LOCK)) && !ControlPlane.mayRunIn(folder)) {
                terminal.progress("removing " + folder + ", whose demo has ended");
                ControlPlane.delete(folder);
            }
        }
    }

    private static boolean isFree(Path file) throws IOException {
        if (!Files.exists(file)) {
            return true;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException ofThisProcess) {
            return false;
        }
    }

    Path path() {
        return path;
    }

    void delete() {
        ControlPlane.delete(path);
    }

    /**
     * Deletes everything except the logs.
     *
     * @return where the logs are; empty when there are none
     */
    Optional<Path> deleteAllButLogs() {
        try {
            Path kept = path.resolveSibling(path.getFileName() + LEFT);
            for (Path logs : LOGS) {
                if (Files.exists(path.resolve(logs))) {
                    Files.createDirectories(kept);
                    Files.move(path.resolve(logs), kept.resolve(logs.getFileName()));
                }
            }
            delete();
            return Optional.of(kept).filter(Files::exists);
        } catch (IOException failure) {
            throw new UncheckedIOException(path + " cannot be cleared", failure);
        }
    }

    /** Ends the use by this process. The content of the folder stays. */
    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(path + " cannot be unlocked", failure);
        }
    }
}
