package io.berth.core.api.gateway;

import io.berth.core.api.FencingToken;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcException;
import java.util.concurrent.CompletionStage;

/**
 * Serves and reaches gateways. One per process. Each call carries the token of the endpoint it is meant for, the
 * protocol version and a deadline; a call for another token fails as {@link RpcException.Kind#FENCED} before the
 * receiver sees it. Calls never block the caller: their outcome comes as a stage, on any thread, and fails with an
 * {@link RpcException}. Calls to endpoints of the same process take the same way without the socket.
 */
public interface RpcService {

    /** Where other processes reach the endpoints of this one. */
    RpcAddress address();

    /**
     * Serves a gateway until the result is closed.
     *
     * @throws IllegalStateException when the name is served already
     */
    <G> Served serve(EndpointName name, FencingToken token, Class<G> type, G gateway);

    /** Asks a process under which token it serves an endpoint now. */
    CompletionStage<EndpointRef> resolve(RpcAddress address, EndpointName name);

    /** A gateway whose calls go to the endpoint. */
    <G> G gateway(Class<G> type, EndpointRef endpoint);

    default Served serve(EndpointName name, FencingToken token, ResourceManagerGateway gateway) {
        return serve(name, token, ResourceManagerGateway.class, gateway);
    }

    default Served serve(EndpointName name, FencingToken token, JobMasterGateway gateway) {
        return serve(name, token, JobMasterGateway.class, gateway);
    }

    default Served serve(EndpointName name, FencingToken token, JobMastersGateway gateway) {
        return serve(name, token, JobMastersGateway.class, gateway);
    }

    default Served serve(EndpointName name, FencingToken token, TaskExecutorGateway gateway) {
        return serve(name, token, TaskExecutorGateway.class, gateway);
    }

    default Served serve(EndpointName name, FencingToken token, DispatcherGateway gateway) {
        return serve(name, token, DispatcherGateway.class, gateway);
    }

    default ResourceManagerGateway resourceManager(EndpointRef endpoint) {
        return gateway(ResourceManagerGateway.class, endpoint);
    }

    default JobMasterGateway jobMaster(EndpointRef endpoint) {
        return gateway(JobMasterGateway.class, endpoint);
    }

    default JobMastersGateway jobMasters(EndpointRef endpoint) {
        return gateway(JobMastersGateway.class, endpoint);
    }

    default TaskExecutorGateway taskExecutor(EndpointRef endpoint) {
        return gateway(TaskExecutorGateway.class, endpoint);
    }

    default DispatcherGateway dispatcher(EndpointRef endpoint) {
        return gateway(DispatcherGateway.class, endpoint);
    }

    /** An endpoint that is served; closing it makes calls fail as not found. */
    interface Served extends AutoCloseable {

        EndpointRef endpoint();

        @Override
        void close();
    }
}
