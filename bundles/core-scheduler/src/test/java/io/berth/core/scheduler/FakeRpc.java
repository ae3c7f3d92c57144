package io.berth.core.scheduler;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.RpcService;
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
    private final SortedMap<FencingToken, Object> dispatchers = new ConcurrentSkipListMap<>();

    @Override
    public RpcAddress address() {
        return address;
    }

    @Override
    public <G> Served serve(EndpointName name, FencingToken token, Class<G> type, G gateway) {
        return serve(name, token, (Object) gateway);
    }

    /** Serves a gateway, or a fake with some of its methods. */
    Served serve(EndpointName name, FencingToken token, Object gateway) {
        if (name.equals(EndpointName.DISPATCHER)) {
            dispatchers.put(token, gateway);
        }
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
    public <G> G gateway(Class<G> type, EndpointRef endpoint) {
        Object served = type == DispatcherGateway.class ? dispatchers.get(endpoint.token()) : at(endpoint);
        return type.isInstance(served) ? type.cast(served) : PartialGateway.of(type, served);
    }
}
