package io.berth.ha.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens a store as soon as no other process has it, publishes it, and ends both when closed. */
final class StoreOpening implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StoreOpening.class);
    private static final long END_MILLIS = 5_000;

    /** What is done with the open store; closing what it returns takes that back. */
    interface Publication {
        AutoCloseable publish(FileMetadataStore store) throws IOException;
    }

    private final Path directory;
    private final FileMetadataStore.Limits limits;
    private final Publication publication;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private FileMetadataStore store;
    private AutoCloseable published;

    private StoreOpening(
            Path directory, FileMetadataStore.Limits limits, long pollMillis, Publication publication) {
        this.directory = directory;
        this.limits = limits;
        this.publication = publication;
        thread = new Thread(() -> await(pollMillis), "berth-ha-file-metadata");
        thread.setDaemon(true);
    }

    /**
     * Publishes the store before it returns, or later when another opener has the directory.
     *
     * @throws IOException when the directory cannot be used; nothing is left then
     */
    static StoreOpening begin(
            Path directory, FileMetadataStore.Limits limits, long pollMillis, Publication publication)
            throws IOException {
        StoreOpening opening = new StoreOpening(directory, limits, pollMillis, publication);
        try {
            opening.open();
        } catch (StoreLock.HeldException held) {
            LOG.info("{}; this process waits for it", held.getMessage());
            opening.thread.start();
        }
        return opening;
    }

    private synchronized void open() throws IOException {
        if (closing.getCount() == 0) {
            return;
        }
        store = FileMetadataStore.open(directory, limits);
        try {
            published = publication.publish(store);
        } catch (IOException | RuntimeException failure) {
            store.close();
            store = null;
            throw failure;
        }
    }

    private void await(long pollMillis) {
        String trouble = "";
        try {
            while (!closing.await(pollMillis, TimeUnit.MILLISECONDS)) {
                try {
                    open();
                    return;
                } catch (StoreLock.HeldException held) {
                    trouble = "";
                } catch (IOException | RuntimeException failure) {
                    if (!failure.toString().equals(trouble)) {
                        trouble = failure.toString();
                        LOG.error("Metadata store {} cannot be opened, trying again", directory, failure);
                    }
                }
            }
        } catch (InterruptedException interrupted) {
            LOG.warn("Metadata store {}: interrupted, it is not opened any more", directory);
        }
    }

    @Override
    public void close() {
        closing.countDown();
        synchronized (this) {
            if (published != null) {
                close("its service", published);
                close("it", store);
                published = null;
            }
        }
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void close(String what, AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception failure) {
            LOG.warn("Metadata store {}: {} did not close", directory, what, failure);
        }
    }
}
