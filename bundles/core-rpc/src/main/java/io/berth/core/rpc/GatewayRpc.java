package io.berth.core.rpc;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMastersGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.rpc.gateway.Caller;
import io.berth.core.rpc.gateway.GatewayType;

/** The gateways by their types, over one way to serve and one to call: the same on every transport. */
abstract class GatewayRpc implements RpcService {

    abstract <G> Served serve(EndpointName name, FencingToken token, Class<G> type, G gateway);

    /** What the stubs call. */
    abstract Caller caller();

    @Override
    public final Served serve(EndpointName name, FencingToken token, ResourceManagerGateway gateway) {
        return serve(name, token, ResourceManagerGateway.class, gateway);
    }

    @Override
    public final Served serve(EndpointName name, FencingToken token, JobMasterGateway gateway) {
        return serve(name, token, JobMasterGateway.class, gateway);
    }

    @Override
    public final Served serve(EndpointName name, FencingToken token, JobMastersGateway gateway) {
        return serve(name, token, JobMastersGateway.class, gateway);
    }

    @Override
    public final Served serve(EndpointName name, FencingToken token, TaskExecutorGateway gateway) {
        return serve(name, token, TaskExecutorGateway.class, gateway);
    }

    @Override
    public final Served serve(EndpointName name, FencingToken token, DispatcherGateway gateway) {
        return serve(name, token, DispatcherGateway.class, gateway);
    }

    @Override
    public final ResourceManagerGateway resourceManager(EndpointRef endpoint) {
        return GatewayType.stub(ResourceManagerGateway.class, endpoint, caller());
    }

    @Override
    public final JobMasterGateway jobMaster(EndpointRef endpoint) {
        return GatewayType.stub(JobMasterGateway.class, endpoint, caller());
    }

    @Override
    public final JobMastersGateway jobMasters(EndpointRef endpoint) {
        return GatewayType.stub(JobMastersGateway.class, endpoint, caller());
    }

    @Override
    public final TaskExecutorGateway taskExecutor(EndpointRef endpoint) {
        return GatewayType.stub(TaskExecutorGateway.class, endpoint, caller());
    }

    @Override
    public final DispatcherGateway dispatcher(EndpointRef endpoint) {
        return GatewayType.stub(DispatcherGateway.class, endpoint, caller());
    }

    record ServedEndpoint(EndpointRef endpoint, Runnable end) implements Served {

        @Override
        public void close() {
            end.run();
        }
    }
}
