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
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The transport of a process, with somebody between it and what it serves and calls. */
final class WatchedRpc implements RpcService {

    private final RpcService rpc;
    private final UnaryOperator<ResourceManagerGateway> resourceManager;
    private final UnaryOperator<TaskExecutorGateway> taskExecutor;
    private final UnaryOperator<TaskExecutorGateway> calledTaskExecutor;
    private final UnaryOperator<JobMasterGateway> jobMaster;
    private final UnaryOperator<JobMasterGateway> calledJobMaster;

    /**
     * @param resourceManager watches what reaches the ResourceManager that is served here
     * @param taskExecutor watches what reaches the TaskExecutor that is served here
     * @param calledTaskExecutor watches what is asked of workers from here
     * @param jobMaster watches what reaches the JobMasters that are served here
     * @param calledJobMaster watches what is asked of JobMasters from here
     */
    private WatchedRpc(
            RpcService rpc,
            UnaryOperator<ResourceManagerGateway> resourceManager,
            UnaryOperator<TaskExecutorGateway> taskExecutor,
            UnaryOperator<TaskExecutorGateway> calledTaskExecutor,
            UnaryOperator<JobMasterGateway> jobMaster,
            UnaryOperator<JobMasterGateway> calledJobMaster) {
        this.rpc = rpc;
        this.resourceManager = resourceManager;
        this.taskExecutor = taskExecutor;
        this.calledTaskExecutor = calledTaskExecutor;
        this.jobMaster = jobMaster;
        this.calledJobMaster = calledJobMaster;
    }

    /** @param watching made of the TaskExecutor when it is served */
    static RpcService ofWorker(RpcService rpc, Function<TaskExecutorGateway, WatchedTaskExecutor> watching) {
        AtomicReference<Optional<WatchedTaskExecutor>> served = new AtomicReference<>(Optional.empty());
        return new WatchedRpc(
                rpc,
                UnaryOperator.identity(),
                gateway -> {
                    WatchedTaskExecutor watched = watching.apply(gateway);
                    served.set(Optional.of(watched));
                    return watched;
                },
                UnaryOperator.identity(),
                UnaryOperator.identity(),
                called -> served.get().<JobMasterGateway>map(watched -> watched.calling(called)).orElse(called));
    }

    static RpcService ofJobMasters(RpcService rpc, Incarnation process, Ledger ledger) {
        return new WatchedRpc(
                rpc,
                UnaryOperator.identity(),
                UnaryOperator.identity(),
                UnaryOperator.identity(),
                served -> new WatchedJobMaster(served, new OffersTaken(process, ledger)),
                UnaryOperator.identity());
    }

    static RpcService ofResourceManager(RpcService rpc, WatchedResourceManager watched) {
        return new WatchedRpc(rpc, watched::of, UnaryOperator.identity(), watched::calling,
                UnaryOperator.identity(), UnaryOperator.identity());
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
        return rpc.serve(name, token, jobMaster.apply(gateway));
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
        return calledJobMaster.apply(rpc.jobMaster(endpoint));
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
