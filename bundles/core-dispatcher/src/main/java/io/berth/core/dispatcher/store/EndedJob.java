package io.berth.core.dispatcher.store;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.GroupDetails;
import io.berth.core.api.job.JobDetails.VertexDetails;
import io.berth.core.api.job.JobEvents;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Waiting;
import io.berth.core.dispatcher.store.RecordReader.UnreadableRecordException;
import io.berth.spi.JobId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a job ended, as the job store keeps it. Immutable.
 *
 * @param basis version of the record of the live job that this ends. When that record has another version, a newer
 *     Dispatcher runs the job, and this result is void
 * @param submissionKey of its submission, which may be repeated after its end
 * @param details of a terminal status; slots and waits are not stored
 */
record EndedJob(long basis, Optional<String> submissionKey, JobDetails details) {

    /** Since 0.1.0. */
    private static final int OLDEST_FORMAT = 1;
    /**
     * Since 0.2.0: with the key of the submission (2), its submitter and expected run time (3), whether that was learned
     * (4), its failures and rescales (5).
     */
    static final int FORMAT = 5;

    EndedJob {
        if (!details.status().isTerminal()) {
            throw new IllegalArgumentException("job " + details.id() + " is "
                    + details.status().label() + ": the result of a job that has ended is kept");
        }
    }

    byte[] bytes() {
        RecordWriter out = new RecordWriter(FORMAT);
        JobDetails d = details;
        out.number(basis);
        out.text(d.id().value());
        out.text(d.name());
        out.text(d.pool());
        out.text(d.queue());
        out.number(d.priority());
        out.number(d.submissionIndex());
        out.text(d.status().name());
        out.number(d.submittedMillis());
        out.number(d.startedMillis());
        out.number(d.endedMillis());
        out.count(d.restarts());
        out.count(d.rescales());
        out.number(d.runMillis());
        out.text(d.reason());
        PreviousRuns.writeHistory(out, d.history());
        out.list(d.vertices(), EndedJob::vertex);
        out.list(d.groups(), (record, group) -> {
            record.text(group.name());
            record.text(group.profile());
            record.count(group.minimum());
            record.count(group.desired());
            record.count(group.acquired());
        });
        out.list(d.counters().entrySet(), (record, counter) -> {
            record.text(counter.getKey());
            record.number(counter.getValue());
        });
        out.optionalText(submissionKey);
        out.text(d.submitter());
        out.number(d.expectedRuntimeMillis());
        out.count(d.runtimeLearnedFrom());
        EventRecords.write(out, d.events());
        return out.bytes();
    }

    EndedJob withoutEvents() {
        return new EndedJob(
                basis, submissionKey, details.toBuilder().events(JobEvents.NONE).build());
    }

    /** The same result, reduced to what fits into any store. */
    EndedJob shortened() {
        JobDetails d = details;
        String reason = d.reason().substring(0, Math.min(d.reason().length(), 1_000));
        return new EndedJob(
                basis,
                submissionKey,
                d.toBuilder()
                        .reason(reason)
                        .vertices(List.of())
                        .groups(List.of())
                        .slots(List.of())
                        .counters(new TreeMap<>())
                        .history(List.of())
                        .events(JobEvents.NONE)
                        .waiting(Waiting.NOT)
                        .build());
    }

    static EndedJob read(byte[] bytes) throws UnreadableRecordException {
        return RecordReader.read(bytes, OLDEST_FORMAT, FORMAT, EndedJob::body);
    }

    private static EndedJob body(RecordReader in) throws UnreadableRecordException {
        long basis = in.number();
        JobId id = new JobId(in.text());
        String name = in.text();
        String pool = in.text();
        String queue = in.text();
        int priority = Math.toIntExact(in.number());
        long index = in.number();
        JobStatus status = JobStatus.valueOf(in.text());
        long submitted = in.number();
        long started = in.number();
        long ended = in.number();
        int restarts = in.count();
        int rescales = in.count();
        long run = in.number();
        String reason = in.text();
        List<JobDetails.Transition> history = PreviousRuns.readHistory(in);
        List<VertexDetails> vertices = in.list(EndedJob::vertex);
        List<GroupDetails> groups = in.list(record ->
                new GroupDetails(record.text(), record.text(), record.count(), record.count(), record.count()));
        SortedMap<String, Long> counters = new TreeMap<>();
        for (Map.Entry<String, Long> counter : in.list(record -> Map.entry(record.text(), record.number()))) {
            counters.put(counter.getKey(), counter.getValue());
        }
        Optional<String> submissionKey = in.optionalTextSince(2);
        String submitter = in.isSince(3) ? in.text() : "";
        long expectedRuntimeMillis = in.isSince(3) ? in.number() : 0;
        int runtimeLearnedFrom = in.isSince(4) ? in.count() : 0;
        JobEvents events = in.isSince(5) ? EventRecords.read(in) : JobEvents.NONE;
        return new EndedJob(
                basis,
                submissionKey,
                JobDetails.of(id, name)
                        .pool(pool)
                        .queue(queue)
                        .submitter(submitter)
                        .priority(priority)
                        .expectedRuntimeMillis(expectedRuntimeMillis)
                        .runtimeLearnedFrom(runtimeLearnedFrom)
                        .submissionIndex(index)
                        .status(status)
                        .submittedMillis(submitted)
                        .startedMillis(started)
                        .endedMillis(ended)
                        .restarts(restarts)
                        .rescales(rescales)
                        .runMillis(run)
                        .reason(reason)
                        .vertices(vertices)
                        .groups(groups)
                        .counters(counters)
                        .history(history)
                        .events(events)
                        .build());
    }

    private static void vertex(RecordWriter out, VertexDetails vertex) {
        out.text(vertex.name());
        out.text(vertex.operator());
        out.count(vertex.minimum());
        out.count(vertex.desired());
        out.count(vertex.maximum());
        out.count(vertex.parallelism());
        out.count(vertex.running());
        out.count(vertex.finished());
        out.number(vertex.recordsIn());
        out.number(vertex.recordsOut());
        out.number(vertex.exchangedIn());
    }

    private static VertexDetails vertex(RecordReader in) throws UnreadableRecordException {
        return new VertexDetails(
                in.text(),
                in.text(),
                in.count(),
                in.count(),
                in.count(),
                in.count(),
                in.count(),
                in.count(),
                in.number(),
                in.number(),
                in.number());
    }
}
