package io.berth.core.scheduler.job;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.spi.JobId;

/**
 * A job and its JobMaster. Of the graph, only the bounds of the parallelism change, on the main thread of the job; any thread
 * may read it.
 */
public final class JobIdentity {

    private final EndpointRef endpoint;
    private volatile JobGraph graph;

    /** @param endpoint where its JobMaster is served; its token is the JobMasterId */
    public JobIdentity(JobGraph graph, EndpointRef endpoint) {
        this.graph = graph;
        this.endpoint = endpoint;
    }

    public JobGraph graph() {
        return graph;
    }

    /** The job has these bounds from now on. */
    public void change(ParallelismBounds bounds) {
        graph = graph.with(bounds);
    }

    public EndpointRef endpoint() {
        return endpoint;
    }

    public JobId id() {
        return graph.id();
    }

    public JobMasterId jobMaster() {
        return new JobMasterId(endpoint.token());
    }
}
