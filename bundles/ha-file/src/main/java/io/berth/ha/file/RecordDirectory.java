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
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a store. A file gets its name only when its content is on stable storage: written under another name,
 * forced, renamed, and the directory forced. A crash leaves a file whole or without its name. One caller at a time.
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
            force(made.getParent());
        }
        return new RecordDirectory(absolute);
    }

    /** One that is there already. */
    static RecordDirectory at(Path path) {
        return new RecordDirectory(path.toAbsolutePath());
    }

    /** Names of all versions. Files that are none are left alone. */
    List<RecordName> names() throws IOException {
        List<RecordName> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                String fileName = file.getFileName().toString();
                Optional<RecordName> name = RecordName.parse(fileName);
                name.ifPresent(names::add);
                if (name.isEmpty()) {
                    LOG.warn("Metadata directory {}: {} is not part of the store and is left alone", path, fileName);
                }
            }
        } catch (DirectoryIteratorException failure) {
            throw failure.getCause();
        }
        return names;
    }

    /** Removes what a crash left half written. */
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

    /** The value, checked. A file that is gone is damaged as well. */
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

    /** The file is there, whole and on stable storage, when this returns. */
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
     * The same for a file that must not be there yet, whoever else wants to write it at the same time.
     *
     * @throws IOException also when it is there
     */
    void create(RecordName name, byte[] bytes) throws IOException {
        Path unfinished = path.resolve(String.format(
                "%s%016x-%d",
                UNFINISHED, name.version(), ProcessHandle.current().pid()));
        try {
            content(unfinished, bytes);
            // A link does not replace what is there, as a move would.
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
