package io.berth.core.api.rpc;

import io.berth.spi.JobId;
import io.berth.spi.WorkerId;

/**
 * Name of an endpoint within a process.
 *
 * @param value for example {@code resource-manager} or {@code job-master/word-count-1}
 */
public record EndpointName(String value) implements Comparable<EndpointName> {

    public static final EndpointName RESOURCE_MANAGER = new EndpointName("resource-manager");
    public static final EndpointName DISPATCHER = new EndpointName("dispatcher");
    /** The role that runs JobMasters. */
    public static final EndpointName JOB_MASTERS = new EndpointName("job-masters");

    public static EndpointName jobMaster(JobId job) {
        return new EndpointName("job-master/" + job.value());
    }

    public static EndpointName worker(WorkerId worker) {
        return new EndpointName("worker/" + worker.value());
    }

    @Override
    public int compareTo(EndpointName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
