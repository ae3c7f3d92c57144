package io.berth.core.api.rpc;

import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.util.Optional;

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

    private static final String JOB_MASTER = "job-master/";
    private static final String WORKER = "worker/";

    public static EndpointName jobMaster(JobId job) {
        return new EndpointName(JOB_MASTER + job.value());
    }

    public static EndpointName worker(WorkerId worker) {
        return new EndpointName(WORKER + worker.value());
    }

    /** Who serves it: a role, and for a worker which one. */
    public PeerRole servedBy() {
        if (value.startsWith(WORKER)) {
            return PeerRole.WORKER;
        }
        return value.startsWith(JOB_MASTER) || equals(JOB_MASTERS) ? PeerRole.JOB_MASTER : PeerRole.CONTROL_PLANE;
    }

    /** The id of the worker that serves it; empty when another process does. */
    public Optional<String> workerId() {
        return value.startsWith(WORKER) ? Optional.of(value.substring(WORKER.length())) : Optional.empty();
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
