package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ProviderType;

/** Where an operator instance runs. */
@ProviderType
public interface OperatorContext {

    /** The job's id: unique, and fit for a file name. */
    String jobId();

    /** The job's name, not unique. */
    String jobName();

    /** The operator's vertex in the job description. */
    String vertex();

    /** This subtask, in [0, {@link #parallelism}). */
    int subtask();

    /** How many subtasks the vertex has in this execution. */
    int parallelism();

    /** How many key groups the vertex has for the life of the job. */
    int maxParallelism();

    /**
     * Grows with each JobMaster of the job; executions are counted from 1 again by each. Of two executions the later one
     * has the higher epoch, or the same epoch and the higher {@link #execution}.
     */
    long epoch();

    /** Number of the job's execution within the {@link #epoch}: each restart has a higher one. */
    long execution();

    /** Distinguishes executions of the same subtask, in all epochs; fit for a file name. */
    String attempt();

    /** The counter of this name; the same one for the same name. */
    Counter counter(String name);
}
