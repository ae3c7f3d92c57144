package io.berth.core.dispatcher.store;

import io.berth.core.api.job.JobEvents;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.dispatcher.store.RecordReader.UnreadableRecordException;
import java.util.Optional;

/**
 * A job that was accepted and has not ended, as the job store keeps it. Immutable.
 *
 * @param graph with the job's id and place
 * @param epoch of the Dispatcher that accepted it
 * @param submittedMillis wall time of submission
 * @param cancelCause why the job was canceled, if it was
 * @param submissionKey identifies repetitions of its submission
 */
public record LiveJob(
        JobGraph graph,
        long epoch,
        long submittedMillis,
        Optional<String> cancelCause,
        PreviousRuns past,
        Optional<String> submissionKey) {

    /** Since 0.1.0. */
    private static final int OLDEST_FORMAT = 1;
    /**
     * 2 has the key of the submission, 3 parameters of chosen policies and constraints, 4 who submitted it and how long
     * it runs, 5 the spread of constraints, 6 whether its run time was learned, 7 the revision of its bounds, 8 its
     * failures and rescales, 9 the runtimes of its vertices, what edges are, and which input and output they connect.
     */
    static final int FORMAT = 9;

    JobKey key() {
        return new JobKey(graph.submissionIndex(), graph.id());
    }

    /** Keeps the first cause. */
    LiveJob canceled(String cause) {
        return cancelCause.isPresent()
                ? this
                : new LiveJob(graph, epoch, submittedMillis, Optional.of(cause), past, submissionKey);
    }

    LiveJob with(ParallelismBounds bounds) {
        return new LiveJob(graph.with(bounds), epoch, submittedMillis, cancelCause, past, submissionKey);
    }

    LiveJob with(PreviousRuns newer) {
        return new LiveJob(graph, epoch, submittedMillis, cancelCause, newer, submissionKey);
    }

    /** The record, without failures and rescales if it would be larger with them. */
    byte[] bytes(int max) {
        byte[] whole = bytes();
        return whole.length <= max ? whole : with(past.with(JobEvents.NONE)).bytes();
    }

    byte[] bytes() {
        RecordWriter out = new RecordWriter(FORMAT);
        out.number(epoch);
        out.number(submittedMillis);
        out.optionalText(cancelCause);
        PreviousRuns.write(out, past);
        GraphRecords.write(out, graph);
        out.optionalText(submissionKey);
        EventRecords.write(out, past.events());
        return out.bytes();
    }

    static LiveJob read(byte[] bytes) throws UnreadableRecordException {
        return RecordReader.read(bytes, OLDEST_FORMAT, FORMAT, in -> {
            long epoch = in.number();
            long submittedMillis = in.number();
            Optional<String> cancelCause = in.optionalText();
            PreviousRuns past = PreviousRuns.read(in);
            JobGraph graph = GraphRecords.read(in);
            Optional<String> submissionKey = in.optionalTextSince(2);
            PreviousRuns all = in.isSince(8) ? past.with(EventRecords.read(in)) : past;
            return new LiveJob(graph, epoch, submittedMillis, cancelCause, all, submissionKey);
        });
    }
}
