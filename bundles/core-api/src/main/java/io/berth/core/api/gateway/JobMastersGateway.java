package io.berth.core.api.gateway;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.rpc.EndpointRef;
import java.util.concurrent.CompletionStage;

/** The role that runs JobMasters. */
public interface JobMastersGateway {

    /**
     * Starts a JobMaster; answered as soon as it is served, without waiting for workers. A job that runs already is
     * answered the same way again, and reports to the Dispatcher that asked from then on.
     */
    CompletionStage<EndpointRef> startJob(JobStart start);

    /**
     * A job to run.
     *
     * @param submittedMillis wall time of submission
     * @param dispatcher that keeps its bundles and is told of its end
     */
    record JobStart(JobGraph graph, long submittedMillis, EndpointRef dispatcher) {}
}
