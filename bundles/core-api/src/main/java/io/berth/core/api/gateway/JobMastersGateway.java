package io.berth.core.api.gateway;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import java.util.concurrent.CompletionStage;

/** The role that runs JobMasters. */
public interface JobMastersGateway {

    /** Starts a JobMaster; answered as soon as it is served, without waiting for workers. */
    CompletionStage<EndpointRef> startJob(JobStart start);

    /**
     * A job to run.
     *
     * @param submittedMillis wall time of submission
     * @param dispatcher that keeps its bundles and is told of its end
     * @param resourceManager where the ResourceManager is served
     */
    record JobStart(JobGraph graph, long submittedMillis, EndpointRef dispatcher, RpcAddress resourceManager) {}
}
