package io.berth.core.api.gateway;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.rpc.CalledBy;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.PeerRole;
import java.util.concurrent.CompletionStage;

/** The role that runs JobMasters. */
public interface JobMastersGateway {

    /**
     * Starts a JobMaster. The answer comes as soon as the JobMaster is served and does not wait for workers. If the
     * job already has a JobMaster, the answer is that one, and it reports to the calling Dispatcher from then on.
     */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<EndpointRef> startJob(JobStart start);

    /**
     * A job to run.
     *
     * @param submittedMillis wall time of submission
     * @param dispatcher that stores its bundles and is notified when it ends
     */
    record JobStart(JobGraph graph, long submittedMillis, EndpointRef dispatcher) {}
}
