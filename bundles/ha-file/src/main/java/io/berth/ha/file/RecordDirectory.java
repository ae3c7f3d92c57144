package io.berth.ha.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a store. A file gets its name only when its content is on stable storage: it is written under another
 * name, forced and renamed, and then the directory is forced. After a crash a file is complete or does not have its
 * name. One caller at a time.
 */
final class RecordDirectory {

    private static final Logger LOG = LoggerFactory.getLogger(RecordDirectory.class);
    private static final String UNFINISHED = ".unfinished-";

    private final Path path;

    private RecordDirectory(Path path) {
        this.path = path;
    }

    static RecordDirectory create(Path path) throws IOException {
        Path absolute = path.toAbsolutePath();
        Path existing = absolute;
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        Files.createDirectories(absolute);
        for (Path made = absolute; !made.equals(existing); made = made.getParent()) {
            force(Objects.requireNonNull(made.getParent()));
        }
        return new RecordDirectory(absolute);
    }

    /** A directory that already exists. */
    static RecordDirectory at(Path path) {
        return new RecordDirectory(path.toAbsolutePath());
    }

    /** Names of all versions. Other files are ignored. */
    List<RecordName> names() throws IOException {
        List<RecordName> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                String fileName = file.getFileName().toString();
                Optional<RecordName> name = RecordName.parse(fileName);
                name.ifPresent(names::add);
                if (name.isEmpty()) {
                    LOG.warn("Metadata directory {}: {} is not part of the store and is ignored", path, fileName);
                }
            }
        } catch (DirectoryIteratorException failure) {
            throw failure.getCause();
        }
        return names;
    }

    /** Removes files that a crash left half written. */
    void removeUnfinished() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path, UNFINISHED + "*")) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }

    boolean has(RecordName name) {
        return Files.exists(path.resolve(name.fileName()));
    }

    /** The value, checked. A missing file counts as damaged. */
    byte[] read(RecordName name) throws IOException {
        Path file = path.resolve(name.fileName());
        if (!Files.exists(file)) {
            throw new DamagedBytesException("the file is gone");
        }
        long largest = RecordFormat.largestFile(name.key().length());
        if (Files.size(file) > largest) {
            throw new DamagedBytesException("it has " + Files.size(file) + " bytes, a record at most " + largest);
        }
        try (InputStream input = Files.newInputStream(file)) {
            return RecordFormat.decode(name.key(), name.version(), input.readAllBytes());
        }
    }

    /** When this returns, the file exists, complete and on stable storage. */
    void write(RecordName name, byte[] bytes) throws IOException {
        Path unfinished = path.resolve(String.format("%s%016x", UNFINISHED, name.version()));
        try {
            content(unfinished, bytes);
            Files.move(unfinished, path.resolve(name.fileName()), StandardCopyOption.ATOMIC_MOVE);
            force(path);
        } catch (IOException failure) {
            throw failed(name, unfinished, failure);
        }
    }

    /**
     * Like {@link #write}, for a file that must not exist yet, even if others try to write it at the same time.
     *
     * @throws IOException also when it exists
     */
    void create(RecordName name, byte[] bytes) throws IOException {
        Path unfinished = path.resolve(String.format(
                "%s%016x-%d",
                UNFINISHED, name.version(), ProcessHandle.current().pid()));
        try {
            content(unfinished, bytes);
            // Unlike a move, a link does not replace an existing file.
            Files.createLink(path.resolve(name.fileName()), unfinished);
            Files.deleteIfExists(unfinished);
            force(path);
        } catch (IOException failure) {
            throw failed(name, unfinished, failure);
        }
    }

    private static void content(Path unfinished, byte[] bytes) throws IOException {
        try (FileChannel file = FileChannel.open(
                unfinished,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (rest.hasRemaining()) {
                file.write(rest);
            }
            file.force(true);
        }
    }

    private IOException failed(RecordName name, Path unfinished, IOException failure) {
        try {
            Files.deleteIfExists(unfinished);
        } catch (IOException second) {
            failure.addSuppressed(second);
        }
        return new IOException(
                "metadata '" + name.key() + "' version " + name.version() + " could not be written to " + path
                        + ": read it again before the next try",
                failure);
    }

    void remove(RecordName name) throws IOException {
        Files.deleteIfExists(path.resolve(name.fileName()));
    }

    private static void force(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
