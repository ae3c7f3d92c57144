package io.berth.core.api.job;

import io.berth.spi.JobId;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A job as users see it.
 *
 * @param expectedRuntimeMillis how long it is expected to run; 0: not known
 * @param runtimeLearnedFrom from how many earlier runs that was learned; 0: it was stated, or it is not known
 * @param status state of the job
 * @param submittedMillis wall time of submission
 * @param startedMillis wall time when it first ran, 0 when it has not run
 * @param endedMillis wall time of its end, 0 before that
 * @param restarts number of restarts after a failure
 * @param rescales number of restarts to change its parallelism
 * @param runMillis duration of the last execution from deployment to the last task's end, in milliseconds
 * @param reason why it waits, restarts or failed, in one line; empty when there is no reason
 * @param waiting the same reason as a tree, with the first cause; {@link Waiting#NOT} for a job that runs or has ended
 * @param vertices in the order of the job
 * @param groups requirements, and how far they are fulfilled
 * @param slots the slots that it has
 * @param counters totals of named counters of operators over all tasks of the current execution
 * @param measures what was measured over the last time
 * @param history changes of its state, the oldest first; the first and the last ones
 * @param events failures and rescales
 */
public record JobDetails(
        JobId id,
        String name,
        String pool,
        String queue,
        String submitter,
        int priority,
        long expectedRuntimeMillis,
        int runtimeLearnedFrom,
        long submissionIndex,
        JobStatus status,
        long submittedMillis,
        long startedMillis,
        long endedMillis,
        int restarts,
        int rescales,
        long runMillis,
        String reason,
        Waiting waiting,
        List<VertexDetails> vertices,
        List<GroupDetails> groups,
        List<SlotDetails> slots,
        SortedMap<String, Long> counters,
        JobMeasures measures,
        List<Transition> history,
        JobEvents events) {

    public JobDetails {
        vertices = List.copyOf(vertices);
        groups = List.copyOf(groups);
        slots = List.copyOf(slots);
        counters = Collections.unmodifiableSortedMap(new TreeMap<>(counters));
        history = List.copyOf(history);
    }

    /** A builder for the details of a new job. */
    public static Builder of(JobId id, String name) {
        return new Builder(id, name);
    }

    /** A builder for the details of a new job with this graph. */
    public static Builder of(JobGraph graph) {
        return new Builder(graph.id(), graph.name())
                .pool(graph.attributes().pool())
                .queue(graph.attributes().queue())
                .submitter(graph.attributes().submitter())
                .priority(graph.attributes().priority())
                .expectedRuntimeMillis(graph.attributes().expectedRuntimeMillis())
                .runtimeLearnedFrom(graph.attributes().runtimeLearnedFrom())
                .submissionIndex(graph.submissionIndex());
    }

    /** A builder that begins with these details. */
    public Builder toBuilder() {
        return new Builder(id, name)
                .pool(pool)
                .queue(queue)
                .submitter(submitter)
                .priority(priority)
                .expectedRuntimeMillis(expectedRuntimeMillis)
                .runtimeLearnedFrom(runtimeLearnedFrom)
                .submissionIndex(submissionIndex)
                .status(status)
                .submittedMillis(submittedMillis)
                .startedMillis(startedMillis)
                .endedMillis(endedMillis)
                .restarts(restarts)
                .rescales(rescales)
                .runMillis(runMillis)
                .reason(reason)
                .waiting(waiting)
                .vertices(vertices)
                .groups(groups)
                .slots(slots)
                .counters(counters)
                .measures(measures)
                .history(history)
                .events(events);
    }

    /** A copy with another wait. */
    public JobDetails withWaiting(Waiting other) {
        return toBuilder().waiting(other).build();
    }

    /** Collects details; fields that are not set are empty or 0. Not thread-safe. */
    public static final class Builder {

        private final JobId id;
        private final String name;
        private String pool = "default";
        private String queue = "default";
        private String submitter = "";
        private int priority;
        private long expectedRuntimeMillis;
        private int runtimeLearnedFrom;
        private long submissionIndex;
        private JobStatus status = JobStatus.CREATED;
        private long submittedMillis;
        private long startedMillis;
        private long endedMillis;
        private int restarts;
        private int rescales;
        private long runMillis;
        private String reason = "";
        private Waiting waiting = Waiting.NOT;
        private List<VertexDetails> vertices = List.of();
        private List<GroupDetails> groups = List.of();
        private List<SlotDetails> slots = List.of();
        private SortedMap<String, Long> counters = Collections.emptySortedMap();
        private JobMeasures measures = JobMeasures.NONE;
        private List<Transition> history = List.of();
        private JobEvents events = JobEvents.NONE;

        private Builder(JobId id, String name) {
            this.id = id;
            this.name = name;
        }

        public Builder pool(String pool) {
            this.pool = pool;
            return this;
        }

        public Builder queue(String queue) {
            this.queue = queue;
            return this;
        }

        /** Empty: not known. */
        public Builder submitter(String submitter) {
            this.submitter = submitter;
            return this;
        }

        /** 0: not known. */
        public Builder runtimeLearnedFrom(int runtimeLearnedFrom) {
            this.runtimeLearnedFrom = runtimeLearnedFrom;
            return this;
        }

        public Builder expectedRuntimeMillis(long expectedRuntimeMillis) {
            this.expectedRuntimeMillis = expectedRuntimeMillis;
            return this;
        }

        public Builder priority(int priority) {
            this.priority = priority;
            return this;
        }

        public Builder submissionIndex(long submissionIndex) {
            this.submissionIndex = submissionIndex;
            return this;
        }

        public Builder status(JobStatus status) {
            this.status = status;
            return this;
        }

        public Builder submittedMillis(long submittedMillis) {
            this.submittedMillis = submittedMillis;
            return this;
        }

        public Builder startedMillis(long startedMillis) {
            this.startedMillis = startedMillis;
            return this;
        }

        public Builder endedMillis(long endedMillis) {
            this.endedMillis = endedMillis;
            return this;
        }

        public Builder restarts(int restarts) {
            this.restarts = restarts;
            return this;
        }

        public Builder rescales(int rescales) {
            this.rescales = rescales;
            return this;
        }

        public Builder runMillis(long runMillis) {
            this.runMillis = runMillis;
            return this;
        }

        public Builder reason(String reason) {
            this.reason = reason;
            return this;
        }

        public Builder waiting(Waiting waiting) {
            this.waiting = waiting;
            return this;
        }

        public Builder vertices(List<VertexDetails> vertices) {
            this.vertices = vertices;
            return this;
        }

        public Builder groups(List<GroupDetails> groups) {
            this.groups = groups;
            return this;
        }

        public Builder slots(List<SlotDetails> slots) {
            this.slots = slots;
            return this;
        }

        public Builder counters(SortedMap<String, Long> counters) {
            this.counters = counters;
            return this;
        }

        public Builder measures(JobMeasures measures) {
            this.measures = measures;
            return this;
        }

        public Builder history(List<Transition> history) {
            this.history = history;
            return this;
        }

        public Builder events(JobEvents events) {
            this.events = events;
            return this;
        }

        public JobDetails build() {
            return new JobDetails(
                    id,
                    name,
                    pool,
                    queue,
                    submitter,
                    priority,
                    expectedRuntimeMillis,
                    runtimeLearnedFrom,
                    submissionIndex,
                    status,
                    submittedMillis,
                    startedMillis,
                    endedMillis,
                    restarts,
                    rescales,
                    runMillis,
                    reason,
                    waiting,
                    vertices,
                    groups,
                    slots,
                    counters,
                    measures,
                    history,
                    events);
        }
    }

    /**
     * One vertex.
     *
     * @param parallelism current parallelism, 0 when the job does not run
     * @param running number of running tasks; {@code finished}: number of finished ones
     * @param recordsIn records received over its inputs in the current execution; chained inputs included
     * @param recordsOut records emitted
     * @param exchangedIn records received over exchanges only
     */
    public record VertexDetails(
            String name,
            String operator,
            int minimum,
            int desired,
            int maximum,
            int parallelism,
            int running,
            int finished,
            long recordsIn,
            long recordsOut,
            long exchangedIn) {}

    /** Slots of one group: declared and acquired. */
    public record GroupDetails(String name, String profile, int minimum, int desired, int acquired) {}

    /** One slot of the job. */
    public record SlotDetails(String allocation, String worker, String group, String profile, long decision) {}

    /** A change of state. */
    public record Transition(long wallMillis, JobStatus status, String reason) {}
}
