package io.berth.core.scheduler.job;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.spi.JobId;

/**
 * A job, or one of its units, and its JobMaster. Of the graph, only the bounds of the parallelism change, on the main
 * thread of the job; any thread may read it.
 */
public final class JobIdentity {

    private final JobUnit unit;
    private final EndpointRef endpoint;
    private volatile JobGraph graph;

    /**
     * All of a job.
     *
     * @param endpoint where its JobMaster is served; its token is the JobMasterId
     */
    public JobIdentity(JobGraph graph, EndpointRef endpoint) {
        this(JobUnit.whole(graph), endpoint);
    }

    /** A unit of a job. */
    public JobIdentity(JobUnit unit, EndpointRef endpoint) {
        this.unit = unit;
        this.endpoint = endpoint;
        this.graph = unit.graph();
    }

    /** Vertices and edges, with their present bounds. */
    public JobGraph graph() {
        return graph;
    }

    /** How it is connected with other units. */
    public JobUnit unit() {
        return unit;
    }

    /** It has these bounds from now on. */
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

    /** For messages: the job, and the unit unless it is all of it. */
    @Override
    public String toString() {
        return unit.name().equals(JobUnit.ALL) ? id().toString() : id() + " (" + unit.name() + ")";
    }
}
