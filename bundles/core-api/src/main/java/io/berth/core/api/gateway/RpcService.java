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

    Served serve(EndpointName name, FencingToken token, ResourceManagerGateway gateway);

    Served serve(EndpointName name, FencingToken token, JobMasterGateway gateway);

    Served serve(EndpointName name, FencingToken token, JobMastersGateway gateway);

    Served serve(EndpointName name, FencingToken token, TaskExecutorGateway gateway);

    Served serve(EndpointName name, FencingToken token, DispatcherGateway gateway);

    /** Asks a process under which token it serves an endpoint now. */
    CompletionStage<EndpointRef> resolve(RpcAddress address, EndpointName name);

    ResourceManagerGateway resourceManager(EndpointRef endpoint);

    JobMasterGateway jobMaster(EndpointRef endpoint);

    JobMastersGateway jobMasters(EndpointRef endpoint);

    TaskExecutorGateway taskExecutor(EndpointRef endpoint);

    DispatcherGateway dispatcher(EndpointRef endpoint);

    /** An endpoint that is served; closing it makes calls fail as not found. */
    interface Served extends AutoCloseable {

        EndpointRef endpoint();

        @Override
        void close();
    }
}
