package io.berth.core.dispatcher.store;

import io.berth.core.dispatcher.store.RecordReader.UnreadableRecordException;
import java.util.ArrayList;
import java.util.List;

/**
 * The order of submission, and which Dispatcher adds to it. A job is accepted when this record counts it. Immutable.
 *
 * @param next place of the next job, at least 1
 * @param terms the last Dispatchers that led, the oldest first
 */
public record Submissions(long next, List<Term> terms) {

    static final int FORMAT = 1;
    public static final String KEY = "dispatcher/submissions";

    private static final int TERMS_KEPT = 16;

    /** A Dispatcher, and the place of the first job that it could accept. */
    record Term(long epoch, long from) {}

    public Submissions {
        if (next < 1) {
            throw new IllegalArgumentException("the next place is " + next + ": at least 1 is allowed");
        }
        terms = List.copyOf(terms.subList(Math.max(0, terms.size() - TERMS_KEPT), terms.size()));
    }

    /** Epoch of the Dispatcher that leads; 0 when none has led. */
    long epoch() {
        return terms.isEmpty() ? 0 : terms.get(terms.size() - 1).epoch();
    }

    /** Adds a Dispatcher that begins to lead. */
    Submissions withTerm(long epoch) {
        List<Term> all = new ArrayList<>(terms);
        all.add(new Term(epoch, next));
        return new Submissions(next, all);
    }

    /** Counts one more accepted job. */
    Submissions withOneMore() {
        return new Submissions(next + 1, terms);
    }

    /**
     * Whether the Dispatcher of that epoch accepted the job at that place. If not, that Dispatcher died or lost the
     * lead before it accepted the job.
     */
    boolean covers(long epoch, long index) {
        return terms.stream()
                .filter(term -> term.epoch() > epoch)
                .findFirst()
                .map(successor -> index < successor.from())
                .orElse(index < next);
    }

    byte[] bytes() {
        RecordWriter out = new RecordWriter(FORMAT);
        out.number(next);
        out.list(terms, (record, term) -> {
            record.number(term.epoch());
            record.number(term.from());
        });
        return out.bytes();
    }

    static Submissions read(byte[] bytes) throws UnreadableRecordException {
        return RecordReader.read(
                bytes,
                FORMAT,
                FORMAT,
                in -> new Submissions(in.number(), in.list(record -> new Term(record.number(), record.number()))));
    }
}
