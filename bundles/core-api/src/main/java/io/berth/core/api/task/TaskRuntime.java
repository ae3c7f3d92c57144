package io.berth.core.api.task;

/** Runs tasks of one kind on a worker. Registered as a service by a runtime bundle. */
public interface TaskRuntime {

    /** The name that deployments select it by, for example {@code dataflow}. */
    String name();

    /** Where tasks of other workers reach the data of this one, HOST:PORT. */
    String dataAddress();

    /**
     * How many ends of channels can be open at once: the network memory of this worker has the minimum for that many. 0
     * when nothing bounds it.
     */
    default int maxChannelEnds() {
        return 0;
    }

    /**
     * Starts a task. Returns at once: what goes wrong later, and what goes wrong in starting, comes as the outcome.
     */
    TaskHandle start(TaskDeployment deployment, TaskContext context);
}
