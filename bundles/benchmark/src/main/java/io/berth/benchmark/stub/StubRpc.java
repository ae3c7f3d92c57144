package io.berth.benchmark.stub;

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
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Connects the stubs by their tokens, without messages on a wire, and keeps the ResourceManager that serves. */
final class StubRpc implements RpcService {

    static final RpcAddress ADDRESS = new RpcAddress("127.0.0.1", 1);

    /** Filled before anything is served. */
    private final Map<FencingToken, StubWorker> workers = new HashMap<>();

    private final Map<FencingToken, StubJobMaster> jobMasters = new HashMap<>();
    private volatile Optional<ResourceManagerGateway> serving = Optional.empty();

    void add(StubWorker worker) {
        workers.put(worker.token(), worker);
    }

    void add(StubJobMaster jobMaster) {
        jobMasters.put(jobMaster.token(), jobMaster);
    }

    /** @throws IllegalStateException when none serves */
    ResourceManagerGateway resourceManager() {
        return serving.orElseThrow(() -> new IllegalStateException("no ResourceManager serves: begin a term first"));
    }

    @Override
    public RpcAddress address() {
        return ADDRESS;
    }

    @Override
    public TaskExecutorGateway taskExecutor(EndpointRef endpoint) {
        return Objects.requireNonNull(workers.get(endpoint.token()));
    }

    @Override
    public JobMasterGateway jobMaster(EndpointRef endpoint) {
        return Objects.requireNonNull(jobMasters.get(endpoint.token()));
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, ResourceManagerGateway gateway) {
        serving = Optional.of(gateway);
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

    private static UnsupportedOperationException none() {
        return new UnsupportedOperationException("only the ResourceManager is real here");
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, JobMasterGateway gateway) {
        throw none();
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, JobMastersGateway gateway) {
        throw none();
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, TaskExecutorGateway gateway) {
        throw none();
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, DispatcherGateway gateway) {
        throw none();
    }

    @Override
    public CompletionStage<EndpointRef> resolve(RpcAddress address, EndpointName name) {
        throw none();
    }

    @Override
    public ResourceManagerGateway resourceManager(EndpointRef endpoint) {
        throw none();
    }

    @Override
    public JobMastersGateway jobMasters(EndpointRef endpoint) {
        throw none();
    }

    @Override
    public DispatcherGateway dispatcher(EndpointRef endpoint) {
        throw none();
    }
}
