package io.berth.simulator.replay.cluster;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.JobMasterGateway;
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

    private final IntFunction<ReplayedWorker> workers;
    private final IntFunction<ReplayedJob> jobs;
    private Optional<ResourceManagerGateway> resourceManager = Optional.empty();

    public ReplayRpc(IntFunction<ReplayedWorker> workers, IntFunction<ReplayedJob> jobs) {
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

    private static int index(EndpointRef endpoint) {
        return (int) endpoint.token().id().getLeastSignificantBits();
    }

    @Override
    public CompletionStage<EndpointRef> resolve(RpcAddress address, EndpointName name) {
        throw unexpected(name);
    }

    @Override
    public <G> Served serve(EndpointName name, FencingToken token, Class<G> type, G gateway) {
        if (!(gateway instanceof ResourceManagerGateway serving)) {
            throw unexpected(name);
        }
        resourceManager = Optional.of(serving);
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
    public <G> G gateway(Class<G> type, EndpointRef endpoint) {
        if (type == TaskExecutorGateway.class) {
            return type.cast(workers.apply(index(endpoint)).gateway());
        }
        if (type == JobMasterGateway.class) {
            return type.cast(jobs.apply(index(endpoint)).gateway());
        }
        throw unexpected(endpoint.name());
    }

    private static UnsupportedOperationException unexpected(EndpointName name) {
        return new UnsupportedOperationException(name + " takes no part in a replay");
    }
}
