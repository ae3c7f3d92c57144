package io.berth.core.scheduler.job;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.spi.JobId;

/**
 * A job and its JobMaster.
 *
 * @param endpoint where its JobMaster is served; its token is the JobMasterId
 */
public record JobIdentity(JobGraph graph, EndpointRef endpoint) {

    public JobId id() {
        return graph.id();
    }

    public JobMasterId jobMaster() {
        return new JobMasterId(endpoint.token());
    }
}
