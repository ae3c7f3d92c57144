package io.berth.core.dispatcher.store;

import io.berth.core.api.job.JobEvents;
import io.berth.core.api.job.JobFailure;
import io.berth.core.api.job.JobFailure.TaskFailure;
import io.berth.core.api.job.JobRescale;
import io.berth.core.api.job.JobRescale.Change;
import io.berth.core.api.job.JobRescale.Kind;
import io.berth.core.api.job.JobRescale.Outcome;
import io.berth.core.api.job.JobRescale.Phase;
import io.berth.core.api.job.JobStatus;
import io.berth.core.dispatcher.store.RecordReader.UnreadableRecordException;

/** The failures and rescales of a job as part of a record of the job store. */
final class EventRecords {

    private EventRecords() {}

    static void write(RecordWriter out, JobEvents events) {
        out.list(events.failures(), (record, failure) -> {
            record.number(failure.execution());
            failure(record, failure.cause());
            record.list(failure.others(), EventRecords::failure);
            record.count(failure.othersInAll());
        });
        out.list(events.rescales(), (record, rescale) -> {
            record.number(rescale.startedMillis());
            record.text(rescale.kind().name());
            record.text(rescale.trigger());
            record.text(rescale.policy());
            record.list(rescale.vertices(), EventRecords::change);
            record.list(rescale.groups(), EventRecords::change);
            record.list(rescale.phases(), (phases, phase) -> {
                phases.text(phase.status().name());
                phases.number(phase.millis());
            });
            record.text(rescale.outcome().name());
        });
    }

    static JobEvents read(RecordReader in) throws UnreadableRecordException {
        return new JobEvents(
                in.list(record -> new JobFailure(
                        record.number(), failure(record), record.list(EventRecords::failure), record.count())),
                in.list(record -> new JobRescale(
                        record.number(),
                        Kind.valueOf(record.text()),
                        record.text(),
                        record.text(),
                        record.list(EventRecords::change),
                        record.list(EventRecords::change),
                        record.list(phase -> new Phase(JobStatus.valueOf(phase.text()), phase.number())),
                        Outcome.valueOf(record.text()))));
    }

    private static void failure(RecordWriter out, TaskFailure failure) {
        out.number(failure.wallMillis());
        out.text(failure.task());
        out.text(failure.worker());
        out.text(failure.text());
        out.text(failure.stack());
    }

    private static TaskFailure failure(RecordReader in) throws UnreadableRecordException {
        return new TaskFailure(in.number(), in.text(), in.text(), in.text(), in.text());
    }

    private static void change(RecordWriter out, Change change) {
        out.text(change.name());
        out.count(change.before());
        out.count(change.after());
    }

    private static Change change(RecordReader in) throws UnreadableRecordException {
        return new Change(in.text(), in.count(), in.count());
    }
}
