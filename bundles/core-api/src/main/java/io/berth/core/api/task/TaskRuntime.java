package io.berth.core.api.task;

import io.berth.spi.JobId;
import java.util.Collection;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Runs tasks of one kind on a worker. A bundle of the worker registers it as a service; docs/runtimes.md says how to write
 * one. Any thread may call the methods, several at once. The worker calls {@link #start} on a thread that all runtimes
 * share.
 */
@ConsumerType
public interface TaskRuntime {

    /**
     * The name that job descriptions select it by in the field {@code runtime} of a vertex, for example {@code dataflow}:
     * 1 to 64 letters, digits, '.', '_' and '-'. It never changes.
     */
    String name();

    /**
     * The address at which tasks of other workers read data of this worker, HOST:PORT; empty when tasks of this runtime
     * exchange nothing. Only that of the runtime {@code dataflow} is used.
     */
    default String dataAddress() {
        return "";
    }

    /**
     * How many channel ends can be open at the same time, limited by the network memory of this worker; 0: no limit.
     */
    default int maxChannelEnds() {
        return 0;
    }

    /**
     * Deletes stored results of a job, soon: nobody reads them any longer. Unknown ones are ignored. Returns at once.
     */
    default void releaseResults(JobId job, Collection<PartitionId> partitions) {}

    /** Deletes all stored results of a job, soon. Returns at once. */
    default void releaseAllResults(JobId job) {}

    /**
     * Starts a task. Returns at once, because other tasks wait for the thread; all failures, also those of starting, are
     * part of the outcome. Until that is complete, the slot of the task is in use.
     */
    TaskHandle start(TaskDeployment deployment, TaskContext context);
}
