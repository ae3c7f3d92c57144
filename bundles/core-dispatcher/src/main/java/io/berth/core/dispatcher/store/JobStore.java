package io.berth.core.dispatcher.store;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.operations.TooLargeException;
import io.berth.core.dispatcher.store.RecordReader.UnreadableRecordException;
import io.berth.spi.JobId;
import io.berth.spi.ha.DamagedRecordException;
import io.berth.spi.ha.MetadataStore;
import io.berth.spi.ha.Versioned;
import io.berth.spi.ha.WriteResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the jobs of the Dispatcher in the metadata store during one term
 * (docs/decisions/0012-what-the-dispatcher-keeps.md). When a method returns, its change is on stable storage; one that
 * fails with an {@link IOException} may be called again. Calls block. The caller makes one call at a time, never on a
 * main thread.
 */
public final class JobStore {

    private static final Logger LOG = LoggerFactory.getLogger(JobStore.class);
    private static final int TRIES = 3;
    /** How many reads in a row an existing record may fail before it counts as damaged. */
    static final int MAX_READ_FAILURES = 10;

    private final MetadataStore store;
    private final SubmissionOrder order;
    private final SortedMap<JobId, Kept> live = new TreeMap<>();
    /** Keys of records to remove: those of rejected and ended jobs. They have no effect. */
    private final SortedSet<String> leftovers = new TreeSet<>();
    /** How many reads in a row of a record failed, though it may not be damaged. */
    private final SortedMap<String, Integer> readFailures = new TreeMap<>();

    /** A live job and the version of its record. It is in doubt after a failed change. */
    private record Kept(LiveJob job, long version, boolean inDoubt) {}

    /**
     * What a new term finds in the store.
     *
     * @param submissionKeys the jobs by the key of their submission
     */
    public record Recovered(
            List<LiveJob> live,
            SortedMap<JobKey, JobDetails> ended,
            List<Damaged> damaged,
            SortedMap<String, JobId> submissionKeys) {

        public Recovered {
            live = List.copyOf(live);
            ended = Collections.unmodifiableSortedMap(new TreeMap<>(ended));
            damaged = List.copyOf(damaged);
            submissionKeys = Collections.unmodifiableSortedMap(new TreeMap<>(submissionKeys));
        }
    }

    /** A job whose record exists and cannot be read. */
    public record Damaged(JobKey key, String reason) {}

    /** @param epoch of this Dispatcher, larger than those of all earlier ones */
    public JobStore(MetadataStore store, long epoch) {
        this.store = store;
        this.order = new SubmissionOrder(store, epoch);
    }

    /**
     * Begins to lead and reads what earlier terms stored. It claims the lead before it reads, so it misses no job that
     * an earlier Dispatcher still accepts. The caller repeats this until it succeeds. A record that cannot be read
     * now, but may not be damaged, makes this fail; after more than {@link #MAX_READ_FAILURES} failures in a row the record counts
     * as damaged.
     *
     * @throws SubmissionOrder.SupersededException when a newer Dispatcher leads
     */
    public Recovered recover() throws IOException {
        live.clear();
        List<String> before = store.keys("dispatcher/");
        order.claim(before.stream()
                .flatMap(key -> JobKey.parse(key).stream())
                .mapToLong(JobKey::index)
                .max()
                .orElse(0));
        List<IOException> failures = new ArrayList<>();
        SortedMap<JobKey, Read<EndedJob>> ended = readAll(JobKey.ENDED, EndedJob::read, failures);
        SortedMap<JobKey, Read<LiveJob>> found = readAll(JobKey.LIVE, LiveJob::read, failures);
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
        List<Damaged> damaged = new ArrayList<>();
        SortedMap<JobKey, JobDetails> results = new TreeMap<>();
        ended.forEach((key, read) -> read.value()
                .ifPresentOrElse(
                        result -> results.put(key, result.details()),
                        () -> damaged.add(new Damaged(key, read.problem()))));
        for (Map.Entry<JobKey, Read<LiveJob>> each : found.entrySet()) {
            JobKey key = each.getKey();
            Read<LiveJob> read = each.getValue();
            Optional<Read<EndedJob>> end = Optional.ofNullable(ended.get(key));
            boolean over = end.isPresent()
                    && end.get()
                            .value()
                            .map(result -> result.basis() == read.version())
                            .orElse(true);
            if (over) {
                // An operator may restore an unreadable result, which then needs the record of its live job.
                if (end.get().value().isPresent()) {
                    removeLater(key.live());
                }
            } else if (!isAccepted(key, read)) {
                LOG.info("Job {} is dropped: its Dispatcher died before it accepted the job", key.id());
                removeLater(key.live());
            } else if (read.value().isEmpty()) {
                damaged.add(new Damaged(key, read.problem()));
            } else {
                if (results.remove(key) != null) {
                    LOG.warn("Job {}: the result that a Dispatcher wrote after its term is dropped", key.id());
                    removeLater(key.ended());
                }
                live.put(key.id(), new Kept(read.value().get(), read.version(), false));
            }
        }
        SortedMap<String, JobId> submissionKeys = new TreeMap<>();
        results.keySet()
                .forEach(key -> Objects.requireNonNull(ended.get(key))
                        .value()
                        .flatMap(EndedJob::submissionKey)
                        .ifPresent(name -> submissionKeys.put(name, key.id())));
        live.forEach((id, kept) -> kept.job().submissionKey().ifPresent(name -> submissionKeys.put(name, id)));
        return new Recovered(live.values().stream().map(Kept::job).toList(), results, damaged, submissionKeys);
    }

    private boolean isAccepted(JobKey key, Read<LiveJob> read) {
        return read.value()
                .map(job -> order.covers(job.epoch(), key.index()))
                .orElseGet(() -> order.covers(key.index()));
    }

    /** A record, or why it cannot be read. */
    private record Read<T>(Optional<T> value, long version, String problem) {}

    /** Reads the content of a record. */
    private interface Format<T> {
        T read(byte[] bytes) throws UnreadableRecordException;
    }

    private <T> SortedMap<JobKey, Read<T>> readAll(String prefix, Format<T> format, List<IOException> failures)
            throws IOException {
        SortedMap<JobKey, Read<T>> all = new TreeMap<>();
        for (String name : store.keys(prefix)) {
            Optional<JobKey> key = JobKey.parse(name);
            if (key.isEmpty()) {
                LOG.warn("Record '{}' of the metadata store does not belong to a job; it is ignored", name);
                continue;
            }
            read(name, format, failures).ifPresent(read -> all.put(key.get(), read));
        }
        return all;
    }

    /** Empty also after a failure, which is added to the failures. */
    private <T> Optional<Read<T>> read(String name, Format<T> format, List<IOException> failures) {
        String problem;
        try {
            Optional<Versioned> record = store.read(name);
            readFailures.remove(name);
            if (record.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(new Read<>(
                    Optional.of(format.read(record.get().value())), record.get().version(), ""));
        } catch (UnreadableRecordException unreadable) {
            problem = "record '" + name + "' " + unreadable.getMessage();
        } catch (DamagedRecordException damage) {
            problem = String.valueOf(damage.getMessage());
        } catch (IOException failure) {
            if (readFailures.merge(name, 1, Integer::sum) <= MAX_READ_FAILURES) {
                failures.add(failure);
                return Optional.empty();
            }
            problem = "record '" + name + "' cannot be read: " + failure.getMessage();
        }
        LOG.error("A job is lost unless its record is restored: {}", problem);
        return Optional.of(new Read<>(Optional.empty(), MetadataStore.ABSENT, problem));
    }

    /**
     * Accepts a job. When this returns, the job has its place and every later Dispatcher knows it. When this fails,
     * the job is not accepted, unless the message says that this is unknown.
     *
     * @param graph creates the job for its place
     * @throws TooLargeException when the job is too large for the store
     */
    public LiveJob accept(JobId id, Function<Long, LiveJob> graph) throws IOException {
        settle();
        LiveJob job = graph.apply(order.next());
        byte[] bytes = job.bytes();
        if (bytes.length > store.maxValueBytes()) {
            throw new TooLargeException(
                    "job " + id + " takes " + bytes.length + " bytes in the metadata store: at most "
                            + store.maxValueBytes() + " are allowed there; make its description smaller");
        }
        String key = job.key().live();
        leftovers.add(key);
        long version;
        try {
            version = requireWritten(key, store.write(key, MetadataStore.ABSENT, bytes));
            order.accept();
        } catch (IOException | RuntimeException failure) {
            throw undoAccept(key, failure);
        }
        leftovers.remove(key);
        live.put(id, new Kept(job, version, false));
        return job;
    }

    /** Removes what was written of a job, if possible before the next job is accepted. */
    private IOException undoAccept(String key, Exception failure) {
        if (failure instanceof SubmissionOrder.SupersededException superseded) {
            removeLater(key);
            throw superseded;
        }
        try {
            settle();
            return new IOException(
                    "the job cannot be stored (" + message(failure) + "); nothing was submitted", failure);
        } catch (IOException | RuntimeException second) {
            return new IOException(
                    "the job cannot be stored (" + message(failure) + "); it does not run now, but may after"
                            + " a restart of the control plane: check the list of jobs before you submit it again",
                    failure);
        }
    }

    private void settle() throws IOException {
        order.settle();
        for (String key : List.copyOf(leftovers)) {
            remove(key);
            leftovers.remove(key);
        }
    }

    /** Stores that the job was canceled. Empty when it has ended. */
    public Optional<LiveJob> cancel(JobId id, String cause) throws IOException {
        return update(id, job -> job.canceled(cause));
    }

    /** Stores other bounds of the parallelism. Empty when the job has ended. */
    public Optional<LiveJob> change(JobId id, ParallelismBounds bounds) throws IOException {
        return update(id, job -> job.with(bounds));
    }

    /** Stores the previous runs of the job, which its next JobMaster does not know. Empty when the job has ended. */
    public Optional<LiveJob> keep(JobId id, PreviousRuns past) throws IOException {
        return update(id, job -> job.with(past));
    }

    /** Applies the change again when the record has another version, so the change must be idempotent. */
    private Optional<LiveJob> update(JobId id, UnaryOperator<LiveJob> change) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            order.confirm();
            Optional<Kept> kept = current(id);
            if (kept.isEmpty()) {
                return Optional.empty();
            }
            LiveJob changed = change.apply(kept.get().job());
            if (changed.equals(kept.get().job())) {
                return Optional.of(changed);
            }
            markInDoubt(id, kept.get());
            WriteResult result =
                    store.write(changed.key().live(), kept.get().version(), changed.bytes(store.maxValueBytes()));
            if (result instanceof WriteResult.Written written) {
                live.put(id, new Kept(changed, written.version(), false));
                order.confirm();
                return Optional.of(changed);
            }
        }
        throw new IOException("other processes keep changing the record of job " + id);
    }

    /**
     * Stores that the job has ended, so that it never runs again. It writes the result first and then deletes the
     * record of the live job. A crash between the two leaves both, and the result counts.
     */
    public void end(JobId id, JobDetails details) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            order.confirm();
            Optional<Kept> kept = current(id);
            if (kept.isEmpty()) {
                return;
            }
            JobKey key = kept.get().job().key();
            putResult(key, new EndedJob(kept.get().version(), kept.get().job().submissionKey(), details));
            // The result alone ends the job. Removing the record only saves work for the next term.
            WriteResult removed = removedOrLater(key.live(), kept.get().version());
            if (removed instanceof WriteResult.Conflict conflict
                    && conflict.current().isPresent()) {
                markInDoubt(id, kept.get());
                continue;
            }
            live.remove(id);
            order.confirm();
            return;
        }
        throw new IOException("other processes keep changing the record of job " + id);
    }

    private WriteResult removedOrLater(String key, long version) {
        try {
            return store.delete(key, version);
        } catch (IOException failure) {
            LOG.warn("Record '{}' of an ended job cannot be removed yet: {}", key, failure.getMessage());
            leftovers.add(key);
            return new WriteResult.Written(MetadataStore.ABSENT);
        }
    }

    private void putResult(JobKey key, EndedJob result) throws IOException {
        byte[] bytes = result.bytes();
        if (bytes.length > store.maxValueBytes()) {
            bytes = result.withoutEvents().bytes();
        }
        if (bytes.length > store.maxValueBytes()) {
            LOG.warn("Job {}: its result of {} bytes is too large; only its summary is stored", key.id(), bytes.length);
            bytes = result.shortened().bytes();
        }
        long expected = MetadataStore.ABSENT;
        for (int i = 0; i < TRIES; i++) {
            if (!(store.write(key.ended(), expected, bytes) instanceof WriteResult.Conflict conflict)) {
                return;
            }
            expected = conflict.current().map(Versioned::version).orElse(MetadataStore.ABSENT);
        }
        throw new IOException("other processes keep changing record '" + key.ended() + "'");
    }

    /** Removes a result that is no longer needed. */
    public void forget(JobKey key) throws IOException {
        order.confirm();
        remove(key.ended());
    }

    /** The stored job, read again when it is in doubt; empty when the job has ended. */
    private Optional<Kept> current(JobId id) throws IOException {
        Kept kept = live.get(id);
        if (kept == null || !kept.inDoubt()) {
            return Optional.ofNullable(kept);
        }
        Optional<Versioned> record = store.read(kept.job().key().live());
        if (record.isEmpty()) {
            live.remove(id);
            return Optional.empty();
        }
        try {
            Kept read =
                    new Kept(LiveJob.read(record.get().value()), record.get().version(), false);
            live.put(id, read);
            return Optional.of(read);
        } catch (UnreadableRecordException damaged) {
            throw new IOException("record '" + kept.job().key().live() + "' " + damaged.getMessage());
        }
    }

    private void markInDoubt(JobId id, Kept kept) {
        live.put(id, new Kept(kept.job(), kept.version(), true));
    }

    private void removeLater(String key) {
        try {
            remove(key);
        } catch (IOException failure) {
            LOG.warn("Record '{}' cannot be removed yet: {}", key, failure.getMessage());
            leftovers.add(key);
        }
    }

    private void remove(String key) throws IOException {
        Optional<Versioned> record;
        try {
            record = store.read(key);
        } catch (DamagedRecordException damage) {
            LOG.warn("Record '{}' is not needed, but cannot be read and is not removed: {}", key, damage.getMessage());
            return;
        }
        if (record.isPresent() && store.delete(key, record.get().version()) instanceof WriteResult.Conflict) {
            throw new IOException("another process changed record '" + key + "'");
        }
    }

    private static long requireWritten(String key, WriteResult result) throws IOException {
        if (result instanceof WriteResult.Written written) {
            return written.version();
        }
        throw new IOException("record '" + key + "' already exists");
    }

    private static String message(Exception failure) {
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }
}
