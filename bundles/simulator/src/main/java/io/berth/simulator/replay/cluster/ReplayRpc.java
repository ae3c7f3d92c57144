package io.berth.simulator.replay.cluster;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMastersGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;

/** Connects workers and jobs of a replay without a network. The id of a token is the index of its owner. */
public final class ReplayRpc implements RpcService {

    private final IntFunction<TaskExecutorGateway> workers;
    private final IntFunction<JobMasterGateway> jobs;
    private Optional<ResourceManagerGateway> resourceManager = Optional.empty();

    public ReplayRpc(IntFunction<TaskExecutorGateway> workers, IntFunction<JobMasterGateway> jobs) {
        this.workers = workers;
        this.jobs = jobs;
    }

    /** The gateway that serves as ResourceManager. */
    public ResourceManagerGateway resourceManager() {
        return resourceManager.orElseThrow();
    }

    @Override
    public RpcAddress address() {
        return ReplayedWorker.ADDRESS;
    }

    @Override
    public TaskExecutorGateway taskExecutor(EndpointRef endpoint) {
        return workers.apply(index(endpoint));
    }

    @Override
    public JobMasterGateway jobMaster(EndpointRef endpoint) {
        return jobs.apply(index(endpoint));
    }

    private static int index(EndpointRef endpoint) {
        return (int) endpoint.token().id().getLeastSignificantBits();
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, ResourceManagerGateway gateway) {
        resourceManager = Optional.of(gateway);
        return new Served() {
            @Override
            public EndpointRef endpoint() {
                return new EndpointRef(address(), name, token);
            }

            @Override
            public void close() {
                resourceManager = Optional.empty();
            }
        };
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, JobMasterGateway gateway) {
        throw unexpected(name);
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, JobMastersGateway gateway) {
        throw unexpected(name);
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, TaskExecutorGateway gateway) {
        throw unexpected(name);
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, DispatcherGateway gateway) {
        throw unexpected(name);
    }

    @Override
    public CompletionStage<EndpointRef> resolve(RpcAddress address, EndpointName name) {
        throw unexpected(name);
    }

    @Override
    public ResourceManagerGateway resourceManager(EndpointRef endpoint) {
        throw unexpected(endpoint.name());
    }

    @Override
    public JobMastersGateway jobMasters(EndpointRef endpoint) {
        throw unexpected(endpoint.name());
    }

    @Override
    public DispatcherGateway dispatcher(EndpointRef endpoint) {
        throw unexpected(endpoint.name());
    }

    private static UnsupportedOperationException unexpected(EndpointName name) {
        return new UnsupportedOperationException(name + " takes no part in a replay");
    }
}
