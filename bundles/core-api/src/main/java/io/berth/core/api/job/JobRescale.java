package io.berth.core.api.job;

import io.berth.core.api.job.JobFailure.TaskFailure;
import java.util.List;

/**
 * One restart that changed the parallelism of a job, its slots, or its workers.
 *
 * @param startedMillis wall time when the tasks were stopped, or had failed
 * @param trigger why, for people; a long text is shortened
 * @param policy the scaling policy that decided; empty when none did
 * @param vertices parallelism of each vertex, in the order of the job
 * @param groups slots of each slot sharing group, in the order of the job
 * @param phases the states that the job went through, in the order of their first occurrence
 */
public record JobRescale(
        long startedMillis,
        Kind kind,
        String trigger,
        String policy,
        List<Change> vertices,
        List<Change> groups,
        List<Phase> phases,
        Outcome outcome) {

    public JobRescale {
        trigger = TaskFailure.shortened(trigger);
        vertices = List.copyOf(vertices);
        groups = List.copyOf(groups);
        phases = List.copyOf(phases);
    }

    /** Why the job restarted. */
    public enum Kind {
        /** It was to run at another parallelism. */
        RESCALE,
        /** Its slots were assigned again. */
        REMATCH,
        /** Workers left. */
        MOVE,
        /** It failed, and runs at another parallelism since. */
        FAILURE
    }

    /** How it ended. */
    public enum Outcome {
        /** Not all tasks run yet. */
        UNDER_WAY,
        /** All tasks run. */
        DONE,
        /** Another rescale began before all tasks ran. */
        OVERTAKEN,
        /** The job ended before. */
        JOB_ENDED,
        /** The JobMaster was lost before. */
        JOB_MASTER_LOST
    }

    /** @param after 0 until the job has slots for it */
    public record Change(String name, int before, int after) {}

    /** How long the job was in a state, in all times together. */
    public record Phase(JobStatus status, long millis) {}

    /** From the stop until all tasks ran, or until now. */
    public long millis() {
        return phases.stream().mapToLong(Phase::millis).sum();
    }

    JobRescale endingWith(Outcome other) {
        return new JobRescale(startedMillis, kind, trigger, policy, vertices, groups, phases, other);
    }
}
