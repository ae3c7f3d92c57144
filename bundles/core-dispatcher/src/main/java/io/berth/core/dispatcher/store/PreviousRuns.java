package io.berth.core.dispatcher.store;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.Transition;
import io.berth.core.api.job.JobEvents;
import io.berth.core.api.job.JobStatus;
import io.berth.core.dispatcher.store.RecordReader.UnreadableRecordException;
import java.util.ArrayList;
import java.util.List;

/**
 * What happened to a job before its current JobMaster started. Immutable.
 *
 * @param startedMillis wall time of its first run, 0 when it never ran
 * @param restarts of earlier JobMasters, and one for each JobMaster that was lost while the job ran
 * @param rescales of earlier JobMasters
 * @param history transitions before the current JobMaster, the oldest first; at most {@link #KEPT}
 * @param events of earlier JobMasters
 */
public record PreviousRuns(long startedMillis, int restarts, int rescales, List<Transition> history, JobEvents events) {

    /** For a job with its first JobMaster. */
    public static final PreviousRuns NONE = new PreviousRuns(0, 0, 0, List.of(), JobEvents.NONE);

    static final int KEPT = 50;
    private static final int MAX_SHOWN = 100;
    private static final int MAX_REASON = 500;

    public PreviousRuns {
        history = List.copyOf(history);
    }

    /** What users see: these runs, followed by the report of the current JobMaster. */
    public JobDetails with(JobDetails newer) {
        if (equals(NONE)) {
            return newer;
        }
        List<Transition> all = new ArrayList<>(history);
        all.addAll(newer.history());
        return copy(
                newer,
                startedMillis > 0 ? startedMillis : newer.startedMillis(),
                restarts + newer.restarts(),
                rescales + newer.rescales(),
                last(all, MAX_SHOWN),
                events.then(newer.events()));
    }

    private static JobDetails copy(
            JobDetails d, long started, int restarts, int rescales, List<Transition> history, JobEvents events) {
        return d.toBuilder()
                .startedMillis(started)
                .restarts(restarts)
                .rescales(rescales)
                .history(history)
                .events(events)
                .build();
    }

    /** The previous runs after the loss of a JobMaster, whose last report was {@code shown}. */
    public static PreviousRuns of(JobDetails shown, long wallMillis, String reason) {
        boolean ran = shown.startedMillis() > 0;
        String kept = reason.length() <= MAX_REASON ? reason : reason.substring(0, MAX_REASON) + "...";
        List<Transition> all = new ArrayList<>(shown.history());
        all.add(new Transition(wallMillis, ran ? JobStatus.RESTARTING : JobStatus.CREATED, kept));
        return new PreviousRuns(
                shown.startedMillis(),
                shown.restarts() + (ran ? 1 : 0),
                shown.rescales(),
                last(all, KEPT),
                shown.events().interrupted());
    }

    /** The same for a job that runs for the first time. */
    public PreviousRuns started(long wallMillis) {
        return startedMillis > 0 ? this : new PreviousRuns(wallMillis, restarts, rescales, history, events);
    }

    /** The first transition, which is the submission, and the last ones. */
    private static List<Transition> last(List<Transition> all, int most) {
        if (all.size() <= most) {
            return all;
        }
        List<Transition> kept = new ArrayList<>(List.of(all.get(0)));
        kept.addAll(all.subList(all.size() - most + 1, all.size()));
        return kept;
    }

    /** Without the events, which are at the end of a record. */
    static void write(RecordWriter out, PreviousRuns past) {
        out.number(past.startedMillis());
        out.count(past.restarts());
        out.count(past.rescales());
        writeHistory(out, past.history());
    }

    static PreviousRuns read(RecordReader in) throws UnreadableRecordException {
        return new PreviousRuns(in.number(), in.count(), in.count(), readHistory(in), JobEvents.NONE);
    }

    PreviousRuns with(JobEvents others) {
        return new PreviousRuns(startedMillis, restarts, rescales, history, others);
    }

    static void writeHistory(RecordWriter out, List<Transition> history) {
        out.list(history, (record, change) -> {
            record.number(change.wallMillis());
            record.text(change.status().name());
            record.text(change.reason());
        });
    }

    static List<Transition> readHistory(RecordReader in) throws UnreadableRecordException {
        return in.list(record -> new Transition(record.number(), JobStatus.valueOf(record.text()), record.text()));
    }
}
