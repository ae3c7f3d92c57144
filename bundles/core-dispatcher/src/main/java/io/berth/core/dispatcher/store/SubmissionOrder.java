package io.berth.core.dispatcher.store;

import io.berth.core.dispatcher.store.RecordReader.UnreadableRecordException;
import io.berth.spi.ha.DamagedRecordException;
import io.berth.spi.ha.MetadataStore;
import io.berth.spi.ha.Versioned;
import io.berth.spi.ha.WriteResult;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The record of {@link Submissions} as one Dispatcher sees it. Each change is a compare-and-set, so a Dispatcher can
 * no longer change the record after its successor has begun, and finds that out here. Calls block. The caller makes
 * one call at a time, on any thread.
 */
public final class SubmissionOrder {

    private static final Logger LOG = LoggerFactory.getLogger(SubmissionOrder.class);
    private static final int CLAIM_TRIES = 3;
    /** Places to skip when the record is missing, because the places of forgotten jobs are unknown. */
    private static final long SKIPPED_PLACES = 1_000;

    private final MetadataStore store;
    private final long epoch;
    private Submissions current = new Submissions(1, List.of());
    private long version = MetadataStore.ABSENT;
    /** Whether a change failed and may or may not have been stored. */
    private boolean inDoubt;

    private Optional<String> problem = Optional.of("the job store was not read yet");
    private boolean superseded;

    /** Another Dispatcher leads. */
    public static final class SupersededException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        SupersededException(long epoch, long newer) {
            super("this Dispatcher (term " + epoch + ") no longer leads, one of term " + newer
                    + " does: call that one. If" + " there is none, remove the record '" + Submissions.KEY
                    + "' while the metadata store is closed");
        }
    }

    SubmissionOrder(MetadataStore store, long epoch) {
        this.store = store;
        this.epoch = epoch;
    }

    /**
     * Begins to lead. When the record cannot be read, no job can be accepted, but everything else works.
     *
     * @param lastPlace the largest place of a stored job
     * @throws SupersededException when a newer Dispatcher has begun
     */
    void claim(long lastPlace) throws IOException {
        for (int i = 0; i < CLAIM_TRIES; i++) {
            try {
                load(store.read(Submissions.KEY), lastPlace);
            } catch (DamagedRecordException | UnreadableRecordException damaged) {
                String message = damaged instanceof DamagedRecordException
                        ? damaged.getMessage()
                        : "record '" + Submissions.KEY + "' " + damaged.getMessage();
                problem = Optional.of("the order of submission is lost: " + message
                        + "; restore the record, or remove it while the metadata store is closed");
                LOG.error("No job can be accepted: {}", problem.get());
                return;
            }
            problem = Optional.empty();
            if (current.epoch() == epoch || change(current.withTerm(epoch))) {
                return;
            }
        }
        throw new IOException("other processes keep changing record '" + Submissions.KEY + "'");
    }

    private void load(Optional<Versioned> record, long lastPlace) throws UnreadableRecordException {
        if (record.isEmpty()) {
            long next = lastPlace == 0 ? 1 : lastPlace + SKIPPED_PLACES;
            if (lastPlace > 0) {
                LOG.warn(
                        "The job store has jobs but no record '{}': the next job gets place {}", Submissions.KEY, next);
            }
            current = new Submissions(next, List.of());
            version = MetadataStore.ABSENT;
        } else {
            current = Submissions.read(record.get().value());
            version = record.get().version();
        }
        inDoubt = false;
        if (current.epoch() > epoch) {
            superseded = true;
            throw new SupersededException(epoch, current.epoch());
        }
    }

    /** The place of the next job. Call {@link #settle} first. */
    long next() {
        return current.next();
    }

    /** Whether a record of that Dispatcher and place belongs to an accepted job; true also when that is unknown. */
    boolean covers(long ofEpoch, long index) {
        return problem.isPresent() || current.covers(ofEpoch, index);
    }

    /** The same for a record that cannot be read. */
    boolean covers(long index) {
        return problem.isPresent() || index < current.next();
    }

    /**
     * Finds out whether a failed change was stored.
     *
     * @throws IOException also when no job can be accepted; the message says why
     */
    void settle() throws IOException {
        requireLeadership();
        if (problem.isPresent()) {
            throw new IOException(problem.get());
        }
        if (inDoubt) {
            reread();
        }
    }

    /** Accepts the job at the next place. */
    void accept() throws IOException {
        if (!change(current.withOneMore())) {
            reread();
            throw new IOException("another process changed record '" + Submissions.KEY + "'");
        }
    }

    /**
     * Confirms that no other Dispatcher has begun. A Dispatcher that begins later sees what was written before this.
     *
     * @throws SupersededException when another one has begun
     */
    void confirm() throws IOException {
        requireLeadership();
        if (problem.isEmpty()) {
            reread();
        }
    }

    /** Fails when another Dispatcher is known to lead. */
    void requireLeadership() {
        if (superseded) {
            throw new SupersededException(epoch, current.epoch());
        }
    }

    private boolean change(Submissions next) throws IOException {
        inDoubt = true;
        WriteResult result = store.write(Submissions.KEY, version, next.bytes());
        if (result instanceof WriteResult.Written written) {
            inDoubt = false;
            current = next;
            version = written.version();
            return true;
        }
        return false;
    }

    private void reread() throws IOException {
        Optional<Versioned> record = store.read(Submissions.KEY);
        if (record.isEmpty()) {
            throw new IOException("record '" + Submissions.KEY + "' is missing");
        }
        if (!inDoubt && record.get().version() == version) {
            return;
        }
        try {
            load(record, 0);
        } catch (UnreadableRecordException damaged) {
            throw new IOException("record '" + Submissions.KEY + "' " + damaged.getMessage());
        }
    }
}
