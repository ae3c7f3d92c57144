package io.berth.simulator;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMastersGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcService;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** The transport of a process, with somebody between it and what it serves and calls. */
final class WatchedRpc implements RpcService {

    private final RpcService rpc;
    private final UnaryOperator<ResourceManagerGateway> resourceManager;
    private final UnaryOperator<TaskExecutorGateway> taskExecutor;
    private final UnaryOperator<TaskExecutorGateway> calledTaskExecutor;

    /**
     * @param resourceManager watches what reaches the ResourceManager that is served here
     * @param taskExecutor watches what reaches the TaskExecutor that is served here
     * @param calledTaskExecutor watches what is asked of workers from here
     */
    private WatchedRpc(
            RpcService rpc,
            UnaryOperator<ResourceManagerGateway> resourceManager,
            UnaryOperator<TaskExecutorGateway> taskExecutor,
            UnaryOperator<TaskExecutorGateway> calledTaskExecutor) {
        this.rpc = rpc;
        this.resourceManager = resourceManager;
        this.taskExecutor = taskExecutor;
        this.calledTaskExecutor = calledTaskExecutor;
    }

    static RpcService ofWorker(RpcService rpc, UnaryOperator<TaskExecutorGateway> taskExecutor) {
        return new WatchedRpc(rpc, UnaryOperator.identity(), taskExecutor, UnaryOperator.identity());
    }

    static RpcService ofResourceManager(RpcService rpc, WatchedResourceManager watched) {
        return new WatchedRpc(rpc, watched::of, UnaryOperator.identity(), watched::calling);
    }

    @Override
    public RpcAddress address() {
        return rpc.address();
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, ResourceManagerGateway gateway) {
        return rpc.serve(name, token, resourceManager.apply(gateway));
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, JobMasterGateway gateway) {
        return rpc.serve(name, token, gateway);
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, JobMastersGateway gateway) {
        return rpc.serve(name, token, gateway);
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, TaskExecutorGateway gateway) {
        return rpc.serve(name, token, taskExecutor.apply(gateway));
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, DispatcherGateway gateway) {
        return rpc.serve(name, token, gateway);
    }

    @Override
    public CompletionStage<EndpointRef> resolve(RpcAddress address, EndpointName name) {
        return rpc.resolve(address, name);
    }

    @Override
    public ResourceManagerGateway resourceManager(EndpointRef endpoint) {
        return rpc.resourceManager(endpoint);
    }

    @Override
    public JobMasterGateway jobMaster(EndpointRef endpoint) {
        return rpc.jobMaster(endpoint);
    }

    @Override
    public JobMastersGateway jobMasters(EndpointRef endpoint) {
        return rpc.jobMasters(endpoint);
    }

    @Override
    public TaskExecutorGateway taskExecutor(EndpointRef endpoint) {
        return calledTaskExecutor.apply(rpc.taskExecutor(endpoint));
    }

    @Override
    public DispatcherGateway dispatcher(EndpointRef endpoint) {
        return rpc.dispatcher(endpoint);
    }
}
