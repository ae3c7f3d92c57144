package io.berth.worker;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcException;
import io.berth.worker.code.FakeDispatcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Hands out the gateways that a test put in, and resolves what the test said is served. */
public class FakeRpc implements RpcService {

    final Map<EndpointRef, FakeResourceManager> resourceManagers = new HashMap<>();
    final Map<EndpointRef, FakeJobMaster> jobMasters = new HashMap<>();
    /** What is served at each address that has no entry in {@link #elsewhere}. */
    final Map<EndpointName, EndpointRef> served = new TreeMap<>();

    final Map<RpcAddress, Map<EndpointName, EndpointRef>> elsewhere = new HashMap<>();
    final Map<EndpointName, TaskExecutorGateway> taskExecutors = new TreeMap<>();
    final List<RpcAddress> asked = new ArrayList<>();
    public FakeDispatcher dispatcher;
    int resolved;

    @Override
    public RpcAddress address() {
        return new RpcAddress("127.0.0.1", 7001);
    }

    @Override
    public CompletionStage<EndpointRef> resolve(RpcAddress address, EndpointName name) {
        resolved++;
        asked.add(address);
        boolean other = elsewhere.containsKey(address);
        EndpointRef endpoint = (other ? elsewhere.get(address) : served).get(name);
        if (endpoint != null) {
            return CompletableFuture.completedStage(endpoint);
        }
        return CompletableFuture.failedStage(
                other
                        ? new RpcException(RpcException.Kind.NOT_FOUND, name + " is not served here")
                        : new RpcException(RpcException.Kind.UNREACHABLE, "refused"));
    }

    @Override
    public <G> G gateway(Class<G> type, EndpointRef endpoint) {
        if (type == DispatcherGateway.class) {
            return PartialGateway.of(type, dispatcher);
        }
        Map<EndpointRef, ?> fakes = type == ResourceManagerGateway.class ? resourceManagers : jobMasters;
        return PartialGateway.of(type, fakes.get(endpoint));
    }

    @Override
    public <G> Served serve(EndpointName name, FencingToken token, Class<G> type, G gateway) {
        taskExecutors.put(name, (TaskExecutorGateway) gateway);
        EndpointRef endpoint = new EndpointRef(address(), name, token);
        return new Served() {
            @Override
            public EndpointRef endpoint() {
                return endpoint;
            }

            @Override
            public void close() {
                taskExecutors.remove(name, gateway);
            }
        };
    }
}
