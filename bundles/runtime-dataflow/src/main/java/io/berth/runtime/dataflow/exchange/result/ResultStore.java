package io.berth.runtime.dataflow.exchange.result;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.PartitionId;
import io.berth.dataflow.api.KeySelector;
import io.berth.dataflow.api.Serializer;
import io.berth.runtime.dataflow.exchange.buffer.BufferPool;
import io.berth.runtime.dataflow.exchange.output.PartitionTable;
import io.berth.spi.JobId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stored results of a worker. They belong to the worker and not to the tasks that wrote them, and are kept until they
 * are released. Their files are lost with the process. Thread-safe.
 */
public final class ResultStore implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ResultStore.class);

    private final Object lock = new Object();
    private final SortedMap<PartitionId, Kept> kept = new TreeMap<>();
    private final ResultSettings settings;
    private final PartitionTable table;
    private final ResultReads reads;
    private final ResultUsage usage;
    private final AtomicLong files = new AtomicLong();
    private Optional<Path> folder = Optional.empty();
    private boolean closed;

    private record Kept(StoredResult result, Reservation reservation) {}

    /**
     * Deletes what an earlier process has left in the folder.
     *
     * @param table where consumers find complete results
     * @param pool memory for reading
     * @param buffersPerChannel buffers that a reading channel holds if the pool has them
     */
    public ResultStore(
            ResultSettings settings, PartitionTable table, BufferPool pool, int buffersPerChannel, int threads) {
        this.settings = settings;
        this.table = table;
        this.reads = new ResultReads(pool, buffersPerChannel, threads, this::damaged);
        this.usage = new ResultUsage(settings.maxBytes());
        settings.folder().ifPresent(ResultStore::clear);
    }

    private static void clear(Path folder) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (var left = Files.newDirectoryStream(folder)) {
            for (Path file : left) {
                Files.delete(file);
            }
        } catch (IOException failure) {
            cannotDelete(folder, failure);
        }
    }

    private static void cannotDelete(Path what, IOException failure) {
        LOG.warn("Results at {} cannot be deleted: {}", what, failure.toString());
    }

    /**
     * A writer of a new partition. Nothing is on the disk before its first record.
     *
     * @param serializer creates a serializer for each part of each run
     */
    public <T> ResultWriter<T> writer(
            PartitionId id,
            int parts,
            Partitioning partitioning,
            KeySelector<T, ?> keys,
            Supplier<Serializer<T>> serializer) {
        return new ResultWriter<>(id, parts, partitioning, keys, serializer, this);
    }

    /** The bytes of one result, which count for its job. */
    static final class Reservation {
        private final ResultUsage usage;
        private final JobId job;
        private long bytes;

        Reservation(ResultUsage usage, JobId job) {
            this.usage = usage;
            this.job = job;
        }

        /** @throws ResultUsage.FullException when the limit of the worker does not allow it */
        void add(long more) throws IOException {
            usage.add(job, more);
            bytes += more;
        }

        void end() {
            usage.remove(job, bytes);
            bytes = 0;
        }
    }

    Reservation reservation(JobId job) {
        return new Reservation(usage, job);
    }

    int memoryBytes() {
        return settings.memoryBytes();
    }

    ResultFile newFile(Reservation reservation) throws IOException {
        Path in;
        synchronized (lock) {
            if (closed) {
                throw new IOException("the exchange of this worker is closed");
            }
            if (folder.isEmpty()) {
                folder = Optional.of(
                        settings.folder().isPresent()
                                ? Files.createDirectories(settings.folder().get())
                                : Files.createTempDirectory("berth-results-"));
            }
            in = folder.get();
        }
        return new ResultFile(in.resolve("result-" + files.incrementAndGet()), reservation);
    }

    StoredResult stored(PartitionId id, int parts, Path file, RunWriter.Table runs) {
        return new StoredResult(id, parts, Optional.of(file), runs, reads);
    }

    StoredResult empty(PartitionId id, int parts) {
        return new StoredResult(id, parts, Optional.empty(), new RunWriter.Table(0, 0, 0), reads);
    }

    void publish(StoredResult result, Reservation reservation) {
        synchronized (lock) {
            table.register(result);
            kept.put(result.id(), new Kept(result, reservation));
        }
        LOG.debug("Result {} is complete: {} bytes", result.id(), result.bytes());
    }

    /** The task has failed or was canceled: what it has written is deleted. */
    void discard(ResultFile file, Reservation reservation) {
        try {
            file.delete();
        } catch (IOException failure) {
            cannotDelete(file.path(), failure);
        }
        reservation.end();
    }

    /** What to throw when a result cannot be written. */
    ResultException failed(PartitionId id, IOException failure) {
        if (failure instanceof ResultUsage.FullException full) {
            return new ResultException(
                    "the result of partition " + id + " cannot be written: " + full.getMessage(), null);
        }
        return new ResultException(
                "the result of partition " + id + " cannot be written: " + failure + "; the disk has " + usable()
                        + " free bytes; " + usage.describe(),
                failure);
    }

    private String usable() {
        Optional<Path> in;
        synchronized (lock) {
            in = folder;
        }
        try {
            return in.isEmpty()
                    ? "?"
                    : String.valueOf(Files.getFileStore(in.get()).getUsableSpace());
        } catch (IOException unknown) {
            return "?";
        }
    }

    /** Forgets results and deletes their files, soon. Unknown ones are ignored. */
    public void release(JobId job, Collection<PartitionId> partitions) {
        remove(partitions.stream().filter(id -> id.producer().job().equals(job)).toList(), "its result was released");
    }

    /** Forgets all results of a job and deletes their files, soon. */
    public void releaseAll(JobId job) {
        List<PartitionId> all;
        synchronized (lock) {
            all = kept.keySet().stream()
                    .filter(id -> id.producer().job().equals(job))
                    .toList();
        }
        remove(all, "the results of its job were released");
    }

    private void damaged(StoredResult result, StoredResult.DamagedResultException damage) {
        LOG.warn("Result {} is lost: {}", result.id(), damage.getMessage());
        remove(List.of(result.id()), String.valueOf(damage.getMessage()));
    }

    private void remove(List<PartitionId> partitions, String reason) {
        List<Kept> removed = new ArrayList<>();
        synchronized (lock) {
            for (PartitionId partition : partitions) {
                Kept gone = kept.remove(partition);
                if (gone != null) {
                    removed.add(gone);
                    table.unregister(partition, reason);
                }
            }
        }
        if (!removed.isEmpty()) {
            reads.execute(() -> removed.forEach(this::delete));
        }
    }

    private void delete(Kept gone) {
        try {
            if (gone.result().file().isPresent()) {
                Files.deleteIfExists(gone.result().file().get());
            }
        } catch (IOException failure) {
            cannotDelete(gone.result().file().get(), failure);
        }
        gone.reservation().end();
    }

    /** Bytes of all results on the disk, with those that are being written. */
    public long bytes() {
        return usage.total();
    }

    /** Complete results. */
    public int size() {
        synchronized (lock) {
            return kept.size();
        }
    }

    /** Reading channels that wait for buffers. */
    public int waiting() {
        return reads.waiting();
    }

    /** Ends all reading and deletes all files. */
    @Override
    public void close() {
        Optional<Path> in;
        synchronized (lock) {
            closed = true;
            in = folder;
            kept.clear();
        }
        reads.close();
        in.ifPresent(ResultStore::clear);
        try {
            if (in.isPresent()) {
                Files.deleteIfExists(in.get());
            }
        } catch (IOException failure) {
            cannotDelete(in.get(), failure);
        }
    }
}
