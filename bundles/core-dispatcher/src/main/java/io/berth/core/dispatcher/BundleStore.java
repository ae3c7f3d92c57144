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
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bundles of user code by content hash, in one directory. A file is there whole or not at all: written aside, forced to
 * disk, verified, renamed. A bundle stays while a job uses it and for the cache time after the last one; one that no job
 * ever used goes after the upload time. Files that an earlier process left are verified when they are first used. Used
 * by one Dispatcher at a time, from {@link #begin} to {@link #end}. Any thread; file work happens on the caller's, which
 * is no main thread for what says that it blocks.
 */
public final class BundleStore {

    private static final Logger LOG = LoggerFactory.getLogger(BundleStore.class);
    private static final String SUFFIX = ".jar";
    private static final Pattern FILE = Pattern.compile("([0-9a-f]{64})\\.([0-9]{1,18})\\.jar");
    private static final Pattern TEMPORARY = Pattern.compile("upload-([0-9]{1,18})-[0-9]+\\.tmp");
    private static final int BUFFER_BYTES = 64 * 1024;

    private final Path directory;
    private final Timers timers;
    private final Object verifying = new Object();
    private final Map<String, Entry> entries = new TreeMap<>();
    private boolean begun;
    private volatile long begunEpoch = Long.MIN_VALUE;
    private long endedEpoch = Long.MIN_VALUE;
    private long uploads;
    private long maxBytes;
    private long cacheMillis;
    private long uploadMillis;

    private static final class Entry {
        /** Empty until the content was verified. */
        private Optional<StoredBundle> bundle = Optional.empty();
        /** Whether there is a file; else jobs wait for it to be uploaded again. */
        private boolean present;
        private int jobs;
        private int expiries;
        private Timers.Cancellable expiry = () -> {};
    }

    /** Reads nothing yet. */
    public BundleStore(Path directory, Timers timers) throws IOException {
        this.directory = directory;
        this.timers = timers;
        Files.createDirectories(directory);
    }

    /**
     * A Dispatcher begins to work with it: takes over the files that are there. Blocks.
     *
     * @param epoch of the Dispatcher
     * @param live bundles of live jobs, once for each job that uses it
     * @return those of them that are not there
     * @throws IOException also when this Dispatcher, or a later one, has ended already
     */
    synchronized SortedSet<BundleRef> begin(long epoch, List<BundleRef> live) throws IOException {
        if (epoch <= endedEpoch || epoch < begunEpoch) {
            throw new IOException("the Dispatcher of term " + epoch + " works with bundles no more");
        }
        clear();
        begunEpoch = epoch;
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                Matcher bundle = FILE.matcher(name);
                Matcher temporary = TEMPORARY.matcher(name);
                if (bundle.matches()) {
                    take(file, bundle.group(1), Long.parseLong(bundle.group(2)));
                } else if (temporary.matches() && Long.parseLong(temporary.group(1)) <= epoch) {
                    Files.deleteIfExists(file);
                }
            }
        }
        SortedSet<BundleRef> missing = new TreeSet<>();
        for (BundleRef bundle : live) {
            Entry entry = entries.computeIfAbsent(bundle.sha256(), absent -> new Entry());
            entry.jobs++;
            if (!entry.present) {
                missing.add(bundle);
            }
        }
        entries.forEach((sha256, entry) -> {
            if (entry.jobs == 0) {
                expireAfter(sha256, entry, uploadMillis);
            }
        });
        begun = true;
        return missing;
    }

    /**
     * A Dispatcher takes a file over under a name with its own epoch: one that stood still meanwhile finds nothing to
     * delete under the name that it knows.
     */
    private void take(Path file, String sha256, long of) throws IOException {
        if (of > begunEpoch) {
            throw new IOException("bundles in " + directory + " belong to the Dispatcher of term " + of
                    + ", this is term " + begunEpoch + ": it leads no more");
        }
        try {
            Files.move(file, file(sha256), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException gone) {
            return;
        }
        Entry entry = new Entry();
        entry.present = true;
        entries.put(sha256, entry);
    }

    /** The Dispatcher of that epoch works with it no more; files stay as they are. */
    synchronized void end(long epoch) {
        endedEpoch = Math.max(endedEpoch, epoch);
        if (epoch >= begunEpoch) {
            clear();
        }
    }

    private void clear() {
        begun = false;
        entries.values().forEach(entry -> entry.expiry.cancel());
        entries.clear();
    }

    /** Takes over limits: bytes of a bundle, and times in ms. */
    public synchronized void limits(long newMaxBytes, long newCacheMillis, long newUploadMillis) {
        maxBytes = newMaxBytes;
        cacheMillis = newCacheMillis;
        uploadMillis = newUploadMillis;
    }

    /**
     * Stores a bundle, or finds that it is stored. Blocks.
     *
     * @throws IllegalArgumentException when the content does not hash to {@code sha256}, is too large or is no bundle
     */
    BundleRef store(String sha256, InputStream content) throws IOException {
        new BundleRef(sha256, 0);
        Path temporary;
        long limit;
        synchronized (this) {
            requireBegun();
            temporary = directory.resolve("upload-" + begunEpoch + "-" + ++uploads + ".tmp");
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
        MessageDigest digest = sha256();
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

    private void add(Path temporary, StoredBundle bundle) throws IOException {
        String sha256 = bundle.ref().sha256();
        synchronized (this) {
            requireBegun();
            Entry entry = entries.computeIfAbsent(sha256, absent -> new Entry());
            if (entry.bundle.isEmpty()) {
                Files.move(
                        temporary, file(sha256), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                entry.present = true;
                entry.bundle = Optional.of(bundle);
                LOG.info("Bundle {} stored: {} {}, {} bytes, operators {}", bundle.ref(), bundle.symbolicName(),
                        bundle.version(), bundle.ref().size(), bundle.operators());
            }
            if (entry.jobs == 0) {
                expireAfter(sha256, entry, uploadMillis);
            }
        }
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    private void requireBegun() throws IOException {
        if (!begun) {
            throw new IOException("no bundle is taken: the Dispatcher of " + directory + " does not lead (yet); try again");
        }
    }

    /** Blocks when the file was not used since the process was started. */
    Optional<StoredBundle> find(String sha256) {
        synchronized (this) {
            Entry entry = entries.get(sha256);
            if (entry == null || !entry.present || entry.bundle.isPresent()) {
                return Optional.ofNullable(entry).flatMap(known -> known.bundle);
            }
        }
        // One at a time, and never under the lock that a main thread takes.
        synchronized (verifying) {
            Entry entry;
            synchronized (this) {
                entry = entries.get(sha256);
                if (entry == null || !entry.present || entry.bundle.isPresent()) {
                    return Optional.ofNullable(entry).flatMap(known -> known.bundle);
                }
            }
            Optional<StoredBundle> verified = Optional.empty();
            boolean damaged = false;
            try {
                verified = Optional.of(verify(sha256));
            } catch (IllegalArgumentException damage) {
                damaged = true;
                LOG.error("Bundle {} {}; its file in {} is deleted, upload it again", sha256, damage.getMessage(),
                        directory);
            } catch (IOException failure) {
                LOG.error("Bundle {} in {} cannot be read; upload it again", sha256, directory, failure);
            }
            return verified(sha256, entry, verified, damaged);
        }
    }

    private synchronized Optional<StoredBundle> verified(
            String sha256, Entry entry, Optional<StoredBundle> verified, boolean damaged) {
        // Unless it was uploaded again meanwhile.
        if (entry.bundle.isEmpty() && entries.get(sha256) == entry) {
            entry.bundle = verified;
            entry.present = verified.isPresent();
            if (!entry.present && entry.jobs == 0) {
                entry.expiry.cancel();
                entries.remove(sha256);
            }
            if (damaged) {
                delete(sha256);
            }
        }
        return entry.bundle;
    }

    private StoredBundle verify(String sha256) throws IOException {
        Path file = file(sha256);
        String actual = hash(file);
        if (!actual.equals(sha256)) {
            throw new IllegalArgumentException("is damaged: its content has SHA-256 " + actual);
        }
        BundleManifest manifest = BundleManifest.read(file);
        return new StoredBundle(new BundleRef(sha256, Files.size(file)), manifest.symbolicName(), manifest.version(),
                manifest.operators());
    }

    private static String hash(Path file) throws IOException {
        MessageDigest digest = sha256();
        try (InputStream content = Files.newInputStream(file)) {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
                digest.update(buffer, 0, read);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException failure) {
            throw new IllegalStateException("each JVM has SHA-256", failure);
        }
    }

    /** As {@link #find}; a bundle without jobs stays for another upload time. */
    Optional<StoredBundle> touch(String sha256) {
        synchronized (this) {
            Entry entry = entries.get(sha256);
            if (entry != null && entry.jobs == 0) {
                expireAfter(sha256, entry, uploadMillis);
            }
        }
        return find(sha256);
    }

    /** Keeps all bundles for one more job; keeps none and returns the missing one when one is not there. */
    synchronized Optional<BundleRef> acquire(List<BundleRef> bundles) {
        for (BundleRef bundle : bundles) {
            Entry entry = entries.get(bundle.sha256());
            if (entry == null || !entry.present) {
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
            if (entry == null || --entry.jobs > 0) {
                continue;
            }
            if (entry.present) {
                expireAfter(bundle.sha256(), entry, cacheMillis);
            } else {
                entries.remove(bundle.sha256());
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
        LOG.info("Bundle {} is deleted: no job uses it any more", sha256);
        delete(sha256);
    }

    private void delete(String sha256) {
        try {
            Files.deleteIfExists(file(sha256));
        } catch (IOException failure) {
            LOG.warn("Bundle {} could not be deleted", sha256, failure);
        }
    }

    /**
     * Reads part of a bundle; empty at and after its end. Blocks.
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
            return buffer.hasRemaining() ? Arrays.copyOf(buffer.array(), buffer.position()) : buffer.array();
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
        return directory.resolve(sha256 + "." + begunEpoch + SUFFIX);
    }
}
