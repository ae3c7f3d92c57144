package io.berth.dataflow.api;

import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** The place where an operator instance runs. */
@ProviderType
public interface OperatorContext {

    /** The id of the job: unique, and valid as a file name. */
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
     * The epoch grows with each JobMaster of the job, and each JobMaster counts executions from 1. Of two executions
     * the later one has the higher epoch, or the same epoch and the higher {@link #execution}.
     */
    long epoch();

    /**
     * Number of the job's execution within the {@link #epoch}. Each restart of the job has a higher number. When only a part of
     * the job is restarted, the execution goes on: the tasks of that part have other {@link #attempt}s in it.
     */
    long execution();

    /** Distinguishes attempts of the same subtask, across all executions and epochs. Valid as a file name; without a dot. */
    String attempt();

    /**
     * The secret of this name, for example a password; empty if the worker has none. The operators of the cluster give
     * secrets to workers. Whoever may submit jobs can read all of them.
     */
    Optional<String> secret(String name);

    /** The counter with this name. The same name returns the same counter. */
    Counter counter(String name);

    /**
     * Takes the records of the side output with this name, which the factory has announced. {@code SideOutput.collector} calls it
     * with the right type.
     *
     * @throws IllegalArgumentException when the factory has no such side output
     */
    default <T> Collector<T> sideOutput(String name) {
        throw new IllegalArgumentException("there is no side output '" + name + "' here");
    }
}
