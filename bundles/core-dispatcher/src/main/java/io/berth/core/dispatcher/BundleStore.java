package io.berth.core.dispatcher;

import io.berth.core.api.BundleRef;
import io.berth.core.api.operations.TooLargeException;
import io.berth.core.api.time.Timers;
import io.berth.core.dispatcher.JobCatalogue.StoredBundle;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bundles of user code by content hash, in one directory. A file is there whole or not at all: written aside, forced to
 * disk, verified, renamed. A bundle stays while a job uses it and for the cache time after the last one; one that no job
 * ever used goes after the upload time. Any thread; file work happens on the caller's.
 */
public final class BundleStore {

    private static final Logger LOG = LoggerFactory.getLogger(BundleStore.class);
    private static final String SUFFIX = ".jar";
    private static final int BUFFER_BYTES = 64 * 1024;

    private final Path directory;
    private final Timers timers;
    private final Map<String, Entry> entries = new TreeMap<>();
    private long uploads;
    private long maxBytes;
    private long cacheMillis;
    private long uploadMillis;

    private static final class Entry {
        private final StoredBundle bundle;
        private int jobs;
        private int expiries;
        private Timers.Cancellable expiry = () -> {};

        Entry(StoredBundle bundle) {
            this.bundle = bundle;
        }
    }

    /** Begins with an empty directory: nothing that an earlier process left is trusted. */
    public BundleStore(Path directory, Timers timers) throws IOException {
        this.directory = directory;
        this.timers = timers;
        Files.createDirectories(directory);
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                if (file.getFileName().toString().matches("[0-9a-f]{64}\\.jar|upload-[0-9]+\\.tmp")) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** Takes over limits: bytes of a bundle, and times in ms. */
    public synchronized void limits(long newMaxBytes, long newCacheMillis, long newUploadMillis) {
        maxBytes = newMaxBytes;
        cacheMillis = newCacheMillis;
        uploadMillis = newUploadMillis;
    }

    /**
     * Stores a bundle, or finds that it is stored.
     *
     * @throws IllegalArgumentException when the content does not hash to {@code sha256}, is too large or is no bundle
     */
    BundleRef store(String sha256, InputStream content) throws IOException {
        new BundleRef(sha256, 0);
        Path temporary;
        long limit;
        synchronized (this) {
            temporary = directory.resolve("upload-" + ++uploads + ".tmp");
            limit = maxBytes;
        }
        try {
            long size = write(sha256, content, temporary, limit);
            BundleManifest manifest;
            try {
                manifest = BundleManifest.read(temporary);
            } catch (IllegalArgumentException refusal) {
                throw new IllegalArgumentException("bundle " + sha256 + " " + refusal.getMessage(), refusal);
            }
            BundleRef ref = new BundleRef(sha256, size);
            add(temporary, new StoredBundle(ref, manifest.symbolicName(), manifest.version(), manifest.operators()));
            return ref;
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static long write(String sha256, InputStream content, Path file, long limit) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException failure) {
            throw new IllegalStateException("each JVM has SHA-256", failure);
        }
        long size = 0;
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
                size += read;
                if (size > limit) {
                    throw new TooLargeException("bundle " + sha256 + " has more than " + limit
                            + " bytes: at most that many are allowed (bundle.max.bytes)");
                }
                digest.update(buffer, 0, read);
                ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, read);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
            channel.force(true);
        }
        String actual = HexFormat.of().formatHex(digest.digest());
        if (!actual.equals(sha256)) {
            throw new IllegalArgumentException("bundle " + sha256 + " has content of SHA-256 " + actual
                    + ": the content must hash to the name; upload it again");
        }
        return size;
    }

    private synchronized void add(Path temporary, StoredBundle bundle) throws IOException {
        String sha256 = bundle.ref().sha256();
        Entry entry = entries.get(sha256);
        if (entry == null) {
            Files.move(temporary, file(sha256), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            entry = new Entry(bundle);
            entries.put(sha256, entry);
            LOG.info("Bundle {} stored: {} {}, {} bytes, operators {}", bundle.ref(), bundle.symbolicName(),
                    bundle.version(), bundle.ref().size(), bundle.operators());
        }
        if (entry.jobs == 0) {
            expireAfter(sha256, entry, uploadMillis);
        }
    }

    synchronized Optional<StoredBundle> find(String sha256) {
        return Optional.ofNullable(entries.get(sha256)).map(entry -> entry.bundle);
    }

    /** As {@link #find}; a bundle without jobs stays for another upload time. */
    synchronized Optional<StoredBundle> touch(String sha256) {
        Entry entry = entries.get(sha256);
        if (entry != null && entry.jobs == 0) {
            expireAfter(sha256, entry, uploadMillis);
        }
        return find(sha256);
    }

    /** Keeps all bundles for one more job; keeps none and returns the missing one when one is not there. */
    synchronized Optional<BundleRef> acquire(List<BundleRef> bundles) {
        for (BundleRef bundle : bundles) {
            if (!entries.containsKey(bundle.sha256())) {
                return Optional.of(bundle);
            }
        }
        for (BundleRef bundle : bundles) {
            Entry entry = entries.get(bundle.sha256());
            entry.jobs++;
            entry.expiries++;
            entry.expiry.cancel();
        }
        return Optional.empty();
    }

    /** One job less uses these bundles. */
    synchronized void release(List<BundleRef> bundles) {
        for (BundleRef bundle : bundles) {
            Entry entry = entries.get(bundle.sha256());
            if (entry != null && --entry.jobs == 0) {
                expireAfter(bundle.sha256(), entry, cacheMillis);
            }
        }
    }

    private void expireAfter(String sha256, Entry entry, long millis) {
        entry.expiry.cancel();
        int number = ++entry.expiries;
        entry.expiry = timers.schedule(millis, () -> expire(sha256, entry, number));
    }

    private synchronized void expire(String sha256, Entry entry, int number) {
        if (entry.expiries != number || entries.get(sha256) != entry) {
            return;
        }
        entries.remove(sha256);
        try {
            Files.deleteIfExists(file(sha256));
            LOG.info("Bundle {} deleted: no job uses it any more", entry.bundle.ref());
        } catch (IOException failure) {
            LOG.warn("Bundle {} could not be deleted", entry.bundle.ref(), failure);
        }
    }

    /**
     * Reads part of a bundle; empty at and after its end.
     *
     * @throws IllegalArgumentException when there is no such bundle
     */
    byte[] read(String sha256, long offset, int length) throws IOException {
        if (find(sha256).isEmpty()) {
            throw missing(sha256);
        }
        try (FileChannel channel = FileChannel.open(file(sha256), StandardOpenOption.READ)) {
            int available = (int) Math.max(0, Math.min(length, channel.size() - offset));
            ByteBuffer buffer = ByteBuffer.allocate(available);
            while (buffer.hasRemaining() && channel.read(buffer, offset + buffer.position()) >= 0) {
                // Reads on until the part is complete.
            }
            return buffer.hasRemaining() ? java.util.Arrays.copyOf(buffer.array(), buffer.position()) : buffer.array();
        } catch (NoSuchFileException deletedMeanwhile) {
            throw missing(sha256);
        }
    }

    private static IllegalArgumentException missing(String sha256) {
        return new IllegalArgumentException("bundle " + sha256 + " is not stored; upload it again");
    }

    synchronized int size() {
        return entries.size();
    }

    private Path file(String sha256) {
        return directory.resolve(sha256 + SUFFIX);
    }
}
