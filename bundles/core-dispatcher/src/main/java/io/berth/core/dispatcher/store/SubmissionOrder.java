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
 * The record of {@link Submissions}, as one Dispatcher changes it. Each change is by compare-and-set, so a Dispatcher
 * whose successor has begun can change it no more, and finds out here. Calls block; one at a time, on any thread.
 */
public final class SubmissionOrder {

    private static final Logger LOG = LoggerFactory.getLogger(SubmissionOrder.class);
    private static final int CLAIM_TRIES = 3;
    /** Places skipped when the record is gone: those of jobs that were forgotten are not known any more. */
    private static final long SKIPPED = 1_000;

    private final MetadataStore store;
    private final long epoch;
    private Submissions current = new Submissions(1, List.of());
    private long version = MetadataStore.ABSENT;
    /** A change failed, and it is open whether it was kept. */
    private boolean inDoubt;

    private Optional<String> problem = Optional.of("the job store was not read yet");
    private boolean superseded;

    /** Another Dispatcher leads. */
    public static final class SupersededException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        SupersededException(long epoch, long newer) {
            super("this Dispatcher (term " + epoch + ") leads no more, one of term " + newer + " does: ask that one. If"
                    + " there is none, remove the record '" + Submissions.KEY + "' while the metadata store is closed");
        }
    }

    SubmissionOrder(MetadataStore store, long epoch) {
        this.store = store;
        this.epoch = epoch;
    }

    /**
     * Begins to lead. A record that cannot be read keeps jobs from being accepted, and nothing else.
     *
     * @param lastPlace the largest place of a job that is in the store
     * @throws SupersededException when a newer Dispatcher has begun
     */
    void claim(long lastPlace) throws IOException {
        for (int i = 0; i < CLAIM_TRIES; i++) {
            try {
                take(store.read(Submissions.KEY), lastPlace);
            } catch (DamagedRecordException | UnreadableRecordException damaged) {
                String message = damaged instanceof DamagedRecordException
                        ? damaged.getMessage()
                        : "record '" + Submissions.KEY + "' " + damaged.getMessage();
                problem = Optional.of("the order of submission is lost: " + message
                        + "; put the record back, or remove it while the metadata store is closed");
                LOG.error("No job can be accepted: {}", problem.get());
                return;
            }
            problem = Optional.empty();
            if (current.epoch() == epoch || change(current.begun(epoch))) {
                return;
            }
        }
        throw new IOException("record '" + Submissions.KEY + "' is changed by others all the time");
    }

    private void take(Optional<Versioned> record, long lastPlace) throws UnreadableRecordException {
        if (record.isEmpty()) {
            long next = lastPlace == 0 ? 1 : lastPlace + SKIPPED;
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

    /** The place of the next job. After {@link #settle}. */
    long next() {
        return current.next();
    }

    /** Whether a record of that Dispatcher and place is one of an accepted job; true as well when nobody knows. */
    boolean covers(long ofEpoch, long index) {
        return problem.isPresent() || current.covers(ofEpoch, index);
    }

    /** The same of a record that cannot be read. */
    boolean covers(long index) {
        return problem.isPresent() || index < current.next();
    }

    /**
     * Finds out what became of a change that failed.
     *
     * @throws IOException also when no job can be accepted; the message says why
     */
    void settle() throws IOException {
        requireLead();
        if (problem.isPresent()) {
            throw new IOException(problem.get());
        }
        if (inDoubt) {
            reread();
        }
    }

    /** The job at the next place is accepted when this returns. */
    void accept() throws IOException {
        if (!change(current.accepted())) {
            reread();
            throw new IOException("record '" + Submissions.KEY + "' was changed by others");
        }
    }

    /**
     * Confirms that no other Dispatcher has begun: what was written before this is seen by whoever begins later.
     *
     * @throws SupersededException when one has
     */
    void confirm() throws IOException {
        requireLead();
        if (problem.isEmpty()) {
            reread();
        }
    }

    /** Fails when it is known that another Dispatcher leads. */
    void requireLead() {
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
            throw new IOException("record '" + Submissions.KEY + "' is gone");
        }
        if (!inDoubt && record.get().version() == version) {
            return;
        }
        try {
            take(record, 0);
        } catch (UnreadableRecordException damaged) {
            throw new IOException("record '" + Submissions.KEY + "' " + damaged.getMessage());
        }
    }
}
