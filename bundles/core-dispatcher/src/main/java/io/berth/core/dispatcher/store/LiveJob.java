package io.berth.core.dispatcher.store;

import io.berth.core.api.job.JobGraph;
import io.berth.core.dispatcher.store.RecordReader.UnreadableRecordException;
import java.util.Optional;

/**
 * A job that was accepted and has not ended, as the job store keeps it. Immutable.
 *
 * @param graph with the id and the place that it keeps
 * @param epoch of the Dispatcher that accepted it
 * @param submittedMillis wall time of submission
 * @param cancelCause why it is to end, once that was asked for
 */
public record LiveJob(
        JobGraph graph, long epoch, long submittedMillis, Optional<String> cancelCause, PreviousRuns past) {

    static final int FORMAT = 1;

    JobKey key() {
        return new JobKey(graph.submissionIndex(), graph.id());
    }

    /** The first cause stays. */
    LiveJob canceled(String cause) {
        return cancelCause.isPresent() ? this : new LiveJob(graph, epoch, submittedMillis, Optional.of(cause), past);
    }

    LiveJob with(PreviousRuns newer) {
        return new LiveJob(graph, epoch, submittedMillis, cancelCause, newer);
    }

    byte[] bytes() {
        RecordWriter out = new RecordWriter(FORMAT);
        out.number(epoch);
        out.number(submittedMillis);
        out.flag(cancelCause.isPresent());
        cancelCause.ifPresent(out::text);
        PreviousRuns.write(out, past);
        GraphRecords.write(out, graph);
        return out.bytes();
    }

    static LiveJob read(byte[] bytes) throws UnreadableRecordException {
        return RecordReader.read(bytes, FORMAT, in -> {
            long epoch = in.number();
            long submittedMillis = in.number();
            Optional<String> cancelCause = in.flag() ? Optional.of(in.text()) : Optional.empty();
            PreviousRuns past = PreviousRuns.read(in);
            return new LiveJob(GraphRecords.read(in), epoch, submittedMillis, cancelCause, past);
        });
    }
}
