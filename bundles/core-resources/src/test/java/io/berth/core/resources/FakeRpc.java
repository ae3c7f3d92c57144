package io.berth.core.resources;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.PartialGateway;
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

    final Map<FencingToken, FakeWorker> workers = new ConcurrentSkipListMap<>();
    final Map<FencingToken, FakeJobMaster> jobMasters = new ConcurrentSkipListMap<>();
    final Map<EndpointName, EndpointRef> served = new ConcurrentSkipListMap<>();
    volatile Optional<ResourceManagerGateway> resourceManager = Optional.empty();

    @Override
    public RpcAddress address() {
        return new RpcAddress("127.0.0.1", 7077);
    }

    @Override
    public CompletionStage<EndpointRef> resolve(RpcAddress address, EndpointName name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <G> Served serve(EndpointName name, FencingToken token, Class<G> type, G gateway) {
        EndpointRef endpoint = new EndpointRef(address(), name, token);
        served.put(name, endpoint);
        resourceManager = Optional.of((ResourceManagerGateway) gateway);
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
    public <G> G gateway(Class<G> type, EndpointRef endpoint) {
        Map<FencingToken, ?> fakes = type == TaskExecutorGateway.class ? workers : jobMasters;
        return PartialGateway.of(type, fakes.get(endpoint.token()));
    }
}
