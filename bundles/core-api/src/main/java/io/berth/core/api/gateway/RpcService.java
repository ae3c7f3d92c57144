package io.berth.core.api.gateway;

import io.berth.core.api.FencingToken;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcException;
import java.util.concurrent.CompletionStage;

/**
 * Serves gateways and calls gateways of other processes; one per process. Each call carries the token of its target
 * endpoint, the protocol version and a deadline. A call for another token fails as {@link RpcException.Kind#FENCED}
 * before the receiver sees it. Calls never block the caller: they return a stage that completes on any thread and
 * fails with an {@link RpcException}. Calls within the process pass the same checks, but no socket.
 */
public interface RpcService {

    /** The address at which other processes reach the endpoints of this process. */
    RpcAddress address();

    /**
     * Serves a gateway until the result is closed.
     *
     * @throws IllegalStateException when the name is already served
     */
    <G> Served serve(EndpointName name, FencingToken token, Class<G> type, G gateway);

    /** Whether peers are known by certificates, so that other hosts may connect. */
    default boolean isSecured() {
        return false;
    }

    /** Asks a process for the current token of an endpoint. */
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

    /** A served endpoint. After it is closed, calls fail as not found. */
    interface Served extends AutoCloseable {

        EndpointRef endpoint();

        @Override
        void close();
    }
}
