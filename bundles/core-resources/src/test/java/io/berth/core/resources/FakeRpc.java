package io.berth.core.resources;

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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;

/** Reaches the fakes of a test by their tokens, and remembers what is served. */
final class FakeRpc implements RpcService {

    final Map<FencingToken, TaskExecutorGateway> workers = new ConcurrentSkipListMap<>();
    final Map<FencingToken, JobMasterGateway> jobMasters = new ConcurrentSkipListMap<>();
    final Map<EndpointName, EndpointRef> served = new ConcurrentSkipListMap<>();
    volatile Optional<ResourceManagerGateway> resourceManager = Optional.empty();

    @Override
    public RpcAddress address() {
        return new RpcAddress("127.0.0.1", 7077);
    }

    @Override
    public TaskExecutorGateway taskExecutor(EndpointRef endpoint) {
        return workers.get(endpoint.token());
    }

    @Override
    public JobMasterGateway jobMaster(EndpointRef endpoint) {
        return jobMasters.get(endpoint.token());
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, ResourceManagerGateway gateway) {
        EndpointRef endpoint = new EndpointRef(address(), name, token);
        served.put(name, endpoint);
        resourceManager = Optional.of(gateway);
        return new Served() {
            @Override
            public EndpointRef endpoint() {
                return endpoint;
            }

            @Override
            public void close() {
                served.remove(name);
            }
        };
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, JobMasterGateway gateway) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, JobMastersGateway gateway) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, TaskExecutorGateway gateway) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, DispatcherGateway gateway) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<EndpointRef> resolve(RpcAddress address, EndpointName name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ResourceManagerGateway resourceManager(EndpointRef endpoint) {
        throw new UnsupportedOperationException();
    }

    @Override
    public JobMastersGateway jobMasters(EndpointRef endpoint) {
        throw new UnsupportedOperationException();
    }

    @Override
    public DispatcherGateway dispatcher(EndpointRef endpoint) {
        throw new UnsupportedOperationException();
    }
}
