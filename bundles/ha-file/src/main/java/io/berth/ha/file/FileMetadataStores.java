package io.berth.ha.file;

import io.berth.spi.ha.MetadataStores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Metadata stores below one directory, a folder for each part. Thread-safe. */
final class FileMetadataStores implements MetadataStores, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FileMetadataStores.class);
    private static final Pattern PART = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");

    private final Path directory;
    private final FileMetadataStore.Limits limits;
    private final List<FileMetadataStore> terms = new ArrayList<>();
    private boolean closed;

    private FileMetadataStores(Path directory, FileMetadataStore.Limits limits) {
        this.directory = directory;
        this.limits = limits;
    }

    /**
     * Creates the directory if it does not exist.
     *
     * @throws IOException when the directory cannot be used; the message names it and what to do
     */
    static FileMetadataStores in(Path directory, FileMetadataStore.Limits limits) throws IOException {
        RecordDirectory.create(directory);
        OwnFolder.check(directory);
        return new FileMetadataStores(directory.toAbsolutePath(), limits);
    }

    @Override
    public synchronized Term open(String part, long epoch) throws IOException {
        if (!PART.matcher(part).matches()) {
            throw new IllegalArgumentException(
                    "part '" + part + "': allowed are 1 to 64 characters, [a-z0-9][a-z0-9-]*");
        }
        if (epoch < 1) {
            throw new IllegalArgumentException("epoch " + epoch + " of " + part + ": allowed are epochs from 1");
        }
        if (closed) {
            throw new IOException("metadata stores in " + directory + " are closed: get the service again");
        }
        FileMetadataStore opened = FileMetadataStore.open(directory.resolve(part), epoch, limits);
        terms.removeIf(FileMetadataStore::isClosed);
        terms.add(opened);
        LOG.info(
                "Metadata of {} in {} is open with {} records, epoch {}",
                part,
                directory,
                opened.keys("").size(),
                epoch);
        return opened;
    }

    /** Closes all open stores. */
    @Override
    public synchronized void close() {
        closed = true;
        terms.forEach(FileMetadataStore::close);
        terms.clear();
    }

    @Override
    public String toString() {
        return directory.toString();
    }
}
