package io.berth.benchmark.stub;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Connects the stubs by their tokens, without messages on a wire, and keeps the ResourceManager that serves. */
final class StubRpc implements RpcService {

    static final RpcAddress ADDRESS = new RpcAddress("127.0.0.1", 1);

    /** Filled before anything is served. */
    private final Map<FencingToken, TaskExecutorGateway> workers = new HashMap<>();

    private final Map<FencingToken, JobMasterGateway> jobMasters = new HashMap<>();
    private volatile Optional<ResourceManagerGateway> serving = Optional.empty();

    void add(StubWorker worker) {
        workers.put(worker.token(), PartialGateway.of(TaskExecutorGateway.class, worker));
    }

    void add(StubJobMaster jobMaster) {
        jobMasters.put(jobMaster.token(), PartialGateway.of(JobMasterGateway.class, jobMaster));
    }

    /** @throws IllegalStateException when none serves */
    ResourceManagerGateway resourceManager() {
        return serving.orElseThrow(() -> new IllegalStateException("no ResourceManager serves: begin a term first"));
    }

    @Override
    public RpcAddress address() {
        return ADDRESS;
    }

    private static UnsupportedOperationException none() {
        return new UnsupportedOperationException("only the ResourceManager is real here");
    }

    @Override
    public CompletionStage<EndpointRef> resolve(RpcAddress address, EndpointName name) {
        throw none();
    }

    @Override
    public <G> Served serve(EndpointName name, FencingToken token, Class<G> type, G gateway) {
        if (!(gateway instanceof ResourceManagerGateway resourceManager)) {
            throw none();
        }
        serving = Optional.of(resourceManager);
        return new Served() {
            @Override
            public EndpointRef endpoint() {
                return new EndpointRef(ADDRESS, name, token);
            }

            @Override
            public void close() {
                serving = serving.filter(other -> other != gateway);
            }
        };
    }

    @Override
    public <G> G gateway(Class<G> type, EndpointRef endpoint) {
        FencingToken token = endpoint.token();
        return type.cast(
                Objects.requireNonNull(type == TaskExecutorGateway.class ? workers.get(token) : jobMasters.get(token)));
    }
}
