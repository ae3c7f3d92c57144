package io.berth.core.api.job;

import io.berth.spi.JobId;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What users see of a job.
 *
 * @param status its state
 * @param submittedMillis wall time of submission
 * @param startedMillis wall time when it ran first, 0 when it has not
 * @param endedMillis wall time of its end, 0 while it lives
 * @param restarts how often it was restarted after a failure
 * @param rescales how often it was restarted to change its parallelism
 * @param runMillis duration of the last execution from deployment to the last task's end, in milliseconds
 * @param reason why it waits, restarts or failed, in one line; empty when there is nothing to say
 * @param waiting the same as a tree, with the first cause; {@link Waiting#NOT} for a job that runs or has ended
 * @param vertices in the order of the job
 * @param groups requirements and what is fulfilled
 * @param slots the slots that it holds
 * @param counters totals of named counters of operators over all tasks of the current execution
 */
public record JobDetails(
        JobId id,
        String name,
        String pool,
        String queue,
        int priority,
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
        List<Transition> history) {

    public JobDetails {
        vertices = List.copyOf(vertices);
        groups = List.copyOf(groups);
        slots = List.copyOf(slots);
        counters = Collections.unmodifiableSortedMap(new TreeMap<>(counters));
        history = List.copyOf(history);
    }

    /** Of a job that does not wait. */
    public JobDetails(
            JobId id,
            String name,
            String pool,
            String queue,
            int priority,
            long submissionIndex,
            JobStatus status,
            long submittedMillis,
            long startedMillis,
            long endedMillis,
            int restarts,
            int rescales,
            long runMillis,
            String reason,
            List<VertexDetails> vertices,
            List<GroupDetails> groups,
            List<SlotDetails> slots,
            SortedMap<String, Long> counters,
            List<Transition> history) {
        this(
                id,
                name,
                pool,
                queue,
                priority,
                submissionIndex,
                status,
                submittedMillis,
                startedMillis,
                endedMillis,
                restarts,
                rescales,
                runMillis,
                reason,
                Waiting.NOT,
                vertices,
                groups,
                slots,
                counters,
                history);
    }

    /** The same with another wait. */
    public JobDetails with(Waiting other) {
        return new JobDetails(
                id,
                name,
                pool,
                queue,
                priority,
                submissionIndex,
                status,
                submittedMillis,
                startedMillis,
                endedMillis,
                restarts,
                rescales,
                runMillis,
                reason,
                other,
                vertices,
                groups,
                slots,
                counters,
                history);
    }

    /**
     * One vertex.
     *
     * @param parallelism that it runs at, 0 when it does not run
     * @param running tasks that run, {@code finished} that ended well
     * @param recordsIn records received over its inputs in the current execution; chained inputs included
     * @param recordsOut records emitted
     * @param exchangedIn records received over exchanges alone
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

    /** Slots of one group: what is declared and what is there. */
    public record GroupDetails(String name, String profile, int minimum, int desired, int acquired) {}

    /** One slot of the job. */
    public record SlotDetails(String allocation, String worker, String group, String profile, long decision) {}

    /** A change of state. */
    public record Transition(long wallMillis, JobStatus status, String reason) {}
}
