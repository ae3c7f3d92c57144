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
 * Bundles of user code by content hash. A bundle stays while a job uses it and for the cache time after the last one;
 * one that no job ever used goes after the upload time. What an earlier process left is verified when it is first used.
 * Used by one Dispatcher at a time, from {@link #begin} to {@link #end}. Any thread; file work happens on the caller's,
 * which is no main thread for what says that it blocks.
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
        /** Empty until the content was verified. */
        private Optional<StoredBundle> bundle = Optional.empty();
        /** Whether there is a file; else jobs wait for it to be uploaded again. */
        private boolean present;

        private int jobs;
        private int expiries;
        private Timers.Cancellable expiry = () -> {};
    }

    /** Keeps them as files of a directory; reads nothing yet. */
    public BlobServer(Path directory, Timers timers) throws IOException {
        this(new BundleDirectory(directory), timers);
    }

    /** Reads nothing yet. */
    public BlobServer(BundleFiles files, Timers timers) {
        this.files = files;
        this.timers = timers;
    }

    /**
     * A Dispatcher begins to work with it: takes over the files that are there. Blocks.
     *
     * @param epoch of the Dispatcher
     * @param live bundles of live jobs, once for each job that uses it
     * @return those of them that are not there
     * @throws IOException also when this Dispatcher, or a later one, has ended already
     */
    public synchronized SortedSet<BundleRef> begin(long epoch, List<BundleRef> live) throws IOException {
        if (epoch <= endedEpoch || epoch < begunEpoch) {
            throw new IOException("the Dispatcher of term " + epoch + " works with bundles no more");
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

    /** The Dispatcher of that epoch works with it no more; files stay as they are. */
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

    /** Takes over limits: bytes of a bundle, and times in ms. */
    public synchronized void limits(long newMaxBytes, long newCacheMillis, long newUploadMillis) {
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
     * Stores a bundle, or finds that it is stored. Blocks.
     *
     * @throws IllegalArgumentException when the content does not hash to {@code sha256}, is too large or is no bundle
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
            throw new IOException("no bundle is taken: the Dispatcher of " + files + " does not lead (yet); try again");
        }
    }

    /** Blocks when the file was not used since the process was started. */
    public Optional<StoredBundle> find(String sha256) {
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

    /** As {@link #find}; a bundle without jobs stays for another upload time. */
    public Optional<StoredBundle> touch(String sha256) {
        synchronized (this) {
            Entry entry = entries.get(sha256);
            if (entry != null && entry.jobs == 0) {
                expireAfter(sha256, entry, uploadMillis);
            }
        }
        return find(sha256);
    }

    /** Keeps all bundles for one more job; keeps none and returns the missing one when one is not there. */
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

    /** One job less uses these bundles. */
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
        LOG.info("Bundle {} is deleted: no job uses it any more", sha256);
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
     * @throws IllegalArgumentException when there is no such bundle
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
