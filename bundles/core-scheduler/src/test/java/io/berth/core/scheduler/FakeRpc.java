package io.berth.core.scheduler;

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
import io.berth.core.api.rpc.RpcException;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;

/** Hands out the gateways that were served, all under one address. */
final class FakeRpc implements RpcService {

    private record Entry(EndpointRef ref, Object gateway) {}

    private final RpcAddress address = new RpcAddress("127.0.0.1", 7077);
    final SortedMap<EndpointName, Object> served = new ConcurrentSkipListMap<>();
    private final SortedMap<EndpointName, Entry> entries = new ConcurrentSkipListMap<>();
    private final SortedMap<FencingToken, DispatcherGateway> dispatchers = new ConcurrentSkipListMap<>();

    @Override
    public RpcAddress address() {
        return address;
    }

    private Served put(EndpointName name, FencingToken token, Object gateway) {
        EndpointRef ref = new EndpointRef(address, name, token);
        entries.put(name, new Entry(ref, gateway));
        served.put(name, gateway);
        return new Served() {
            @Override
            public EndpointRef endpoint() {
                return ref;
            }

            @Override
            public void close() {
                entries.remove(name);
                served.remove(name);
            }
        };
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, ResourceManagerGateway gateway) {
        return put(name, token, gateway);
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, JobMasterGateway gateway) {
        return put(name, token, gateway);
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, JobMastersGateway gateway) {
        return put(name, token, gateway);
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, TaskExecutorGateway gateway) {
        return put(name, token, gateway);
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, DispatcherGateway gateway) {
        dispatchers.put(token, gateway);
        return put(name, token, gateway);
    }

    @Override
    public CompletionStage<EndpointRef> resolve(RpcAddress at, EndpointName name) {
        Entry entry = entries.get(name);
        return entry == null
                ? CompletableFuture.failedFuture(new RpcException(RpcException.Kind.NOT_FOUND, "no " + name))
                : CompletableFuture.completedFuture(entry.ref());
    }

    private Object at(EndpointRef endpoint) {
        return entries.get(endpoint.name()).gateway();
    }

    @Override
    public ResourceManagerGateway resourceManager(EndpointRef endpoint) {
        return (ResourceManagerGateway) at(endpoint);
    }

    @Override
    public JobMasterGateway jobMaster(EndpointRef endpoint) {
        return (JobMasterGateway) at(endpoint);
    }

    @Override
    public JobMastersGateway jobMasters(EndpointRef endpoint) {
        return (JobMastersGateway) at(endpoint);
    }

    @Override
    public TaskExecutorGateway taskExecutor(EndpointRef endpoint) {
        return (TaskExecutorGateway) at(endpoint);
    }

    @Override
    public DispatcherGateway dispatcher(EndpointRef endpoint) {
        return dispatchers.get(endpoint.token());
    }
}
