package io.berth.core.dispatcher.bundle;

import io.berth.core.api.BundleRef;
import io.berth.core.api.time.Timers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores bundles of user code by content hash. A bundle is kept while a job uses it and for the cache time after the
 * last one. A bundle that no job used is deleted after the upload time. Files of an earlier process are verified on
 * first use. One Dispatcher uses this at a time, from {@link #begin} to {@link #end}. Thread-safe. File work runs on
 * the caller's thread, so a main thread must not call the methods that block.
 */
public final class BlobServer {

    private static final Logger LOG = LoggerFactory.getLogger(BlobServer.class);

    private final BundleFiles files;
    private final Timers timers;
    private final Object verifying = new Object();
    private final Map<String, Entry> entries = new TreeMap<>();
    private boolean begun;
    private long begunEpoch = Long.MIN_VALUE;
    private long endedEpoch = Long.MIN_VALUE;
    private long maxBytes;
    private long cacheMillis;
    private long uploadMillis;

    private static final class Entry {
        /** Empty until the content is verified. */
        private Optional<StoredBundle> bundle = Optional.empty();
        /** Whether the file exists; if not, jobs wait until it is uploaded again. */
        private boolean present;

        private int jobs;
        private int expiries;
        private Timers.Cancellable expiry = () -> {};
    }

    /** Stores bundles as files of a directory. The constructor reads none of them. */
    public BlobServer(Path directory, Timers timers) throws IOException {
        this(new BundleDirectory(directory), timers);
    }

    /** The constructor reads no bundle. */
    public BlobServer(BundleFiles files, Timers timers) {
        this.files = files;
        this.timers = timers;
    }

    /**
     * A Dispatcher begins to use this and takes over the existing files. Blocks.
     *
     * @param epoch of the Dispatcher
     * @param live bundles of live jobs, once for each job that uses them
     * @return the missing ones of them
     * @throws IOException also when this Dispatcher has ended, or a later one has begun
     */
    public synchronized SortedSet<BundleRef> begin(long epoch, List<BundleRef> live) throws IOException {
        if (epoch <= endedEpoch || epoch < begunEpoch) {
            throw new IOException("the Dispatcher of term " + epoch + " no longer uses bundles");
        }
        clear();
        begunEpoch = epoch;
        for (String sha256 : files.begin(epoch)) {
            Entry entry = new Entry();
            entry.present = true;
            entries.put(sha256, entry);
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

    /** The Dispatcher of that epoch no longer uses this. Files stay as they are. */
    public synchronized void end(long epoch) {
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

    /** Sets the limits: bytes of a bundle, and times in ms. */
    public synchronized void setLimits(long newMaxBytes, long newCacheMillis, long newUploadMillis) {
        requireAtLeast("bundle.max.bytes", newMaxBytes, 1);
        requireAtLeast("bundle.cache.ms", newCacheMillis, 0);
        requireAtLeast("bundle.upload.ms", newUploadMillis, 0);
        maxBytes = newMaxBytes;
        cacheMillis = newCacheMillis;
        uploadMillis = newUploadMillis;
    }

    private static void requireAtLeast(String key, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(key + " is " + value + ": at least " + least + " is allowed");
        }
    }

    /**
     * Stores a bundle unless it is already stored. Blocks.
     *
     * @throws IllegalArgumentException when the content does not hash to {@code sha256}, is too large or is not a
     *     bundle
     */
    public BundleRef store(String sha256, InputStream content) throws IOException {
        new BundleRef(sha256, 0);
        long limit;
        synchronized (this) {
            requireBegun();
            limit = maxBytes;
        }
        try (BundleFiles.Received received = files.receive(sha256, content, limit)) {
            StoredBundle bundle = stored(sha256, received.description());
            add(received, bundle);
            return bundle.ref();
        }
    }

    private static StoredBundle stored(String sha256, BundleFiles.Description found) {
        return new StoredBundle(
                new BundleRef(sha256, found.size()), found.symbolicName(), found.version(), found.operators());
    }

    private void add(BundleFiles.Received received, StoredBundle bundle) throws IOException {
        String sha256 = bundle.ref().sha256();
        synchronized (this) {
            requireBegun();
            Entry entry = entries.computeIfAbsent(sha256, absent -> new Entry());
            if (entry.bundle.isEmpty()) {
                received.keep();
                entry.present = true;
                entry.bundle = Optional.of(bundle);
                LOG.info(
                        "Bundle {} stored: {} {}, {} bytes, operators {}",
                        bundle.ref(),
                        bundle.symbolicName(),
                        bundle.version(),
                        bundle.ref().size(),
                        bundle.operators().stream().map(OfferedOperator::name).toList());
            }
            if (entry.jobs == 0) {
                expireAfter(sha256, entry, uploadMillis);
            }
        }
        files.force();
    }

    private void requireBegun() throws IOException {
        if (!begun) {
            throw new IOException(
                    "bundles cannot be stored: the Dispatcher of " + files + " does not lead (yet); try again");
        }
    }

    /** Blocks on the first use of a file since the start of the process, because the file is verified then. */
    public Optional<StoredBundle> find(String sha256) {
        synchronized (this) {
            Entry entry = entries.get(sha256);
            if (entry == null || !entry.present || entry.bundle.isPresent()) {
                return Optional.ofNullable(entry).flatMap(known -> known.bundle);
            }
        }
        // Verifies one file at a time, and never under the lock that a main thread takes.
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
                verified = Optional.of(stored(sha256, files.verify(sha256)));
            } catch (IllegalArgumentException damage) {
                damaged = true;
                LOG.error("{}; its file in {} is deleted, upload it again", damage.getMessage(), files);
            } catch (IOException failure) {
                LOG.error("Bundle {} in {} cannot be read; upload it again", sha256, files, failure);
            }
            return verified(sha256, entry, verified, damaged);
        }
    }

    private synchronized Optional<StoredBundle> verified(
            String sha256, Entry entry, Optional<StoredBundle> verified, boolean damaged) {
        // It may have been uploaded again in the meantime.
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

    /** Like {@link #find}; also keeps a bundle without jobs for another upload time. */
    public Optional<StoredBundle> touch(String sha256) {
        synchronized (this) {
            Entry entry = entries.get(sha256);
            if (entry != null && entry.jobs == 0) {
                expireAfter(sha256, entry, uploadMillis);
            }
        }
        return find(sha256);
    }

    /** Counts one more job that uses these bundles. When one is missing, counts nothing and returns it. */
    public synchronized Optional<BundleRef> acquire(List<BundleRef> bundles) {
        for (BundleRef bundle : bundles) {
            Entry entry = entries.get(bundle.sha256());
            if (entry == null || !entry.present) {
                return Optional.of(bundle);
            }
        }
        for (BundleRef bundle : bundles) {
            Entry entry = Objects.requireNonNull(entries.get(bundle.sha256()));
            entry.jobs++;
            entry.expiries++;
            entry.expiry.cancel();
        }
        return Optional.empty();
    }

    /** Counts one job less that uses these bundles. */
    public synchronized void release(List<BundleRef> bundles) {
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
        LOG.info("Bundle {} is deleted: no job uses it", sha256);
        delete(sha256);
    }

    private void delete(String sha256) {
        try {
            files.delete(sha256);
        } catch (IOException failure) {
            LOG.warn("Bundle {} could not be deleted", sha256, failure);
        }
    }

    /**
     * Reads part of a bundle; empty at and after its end. Blocks.
     *
     * @throws IllegalArgumentException when the bundle is not stored
     */
    public byte[] read(String sha256, long offset, int length) throws IOException {
        if (find(sha256).isEmpty()) {
            throw missing(sha256);
        }
        try {
            return files.read(sha256, offset, length);
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
}
