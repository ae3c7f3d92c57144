package io.berth.core.api.task;

/** Runs tasks of one kind on a worker. Registered as a service by a runtime bundle. */
public interface TaskRuntime {

    /** The name that deployments select it by, for example {@code dataflow}. */
    String name();

    /** The address at which tasks of other workers read data of this worker, HOST:PORT. */
    String dataAddress();

    /**
     * How many channel ends can be open at the same time, limited by the network memory of this worker; 0: no limit.
     */
    default int maxChannelEnds() {
        return 0;
    }

    /** Starts a task. Returns at once; all failures, also those of starting, are part of the outcome. */
    TaskHandle start(TaskDeployment deployment, TaskContext context);
}
