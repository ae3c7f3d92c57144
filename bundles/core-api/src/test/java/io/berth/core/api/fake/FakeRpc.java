package io.berth.core.api.fake;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A transport without a network: it returns the gateways that were served or that the test connected. Thread-safe. */
public class FakeRpc implements RpcService {

    /** What is served here now. */
    public final SortedMap<EndpointName, Object> served = new ConcurrentSkipListMap<>();

    /** The addresses that were asked for an endpoint, oldest first. */
    public final List<RpcAddress> asked = new CopyOnWriteArrayList<>();

    private final RpcAddress address;
    private final Map<EndpointRef, Object> gateways = new ConcurrentHashMap<>();
    private final Map<EndpointName, EndpointRef> everywhere = new ConcurrentHashMap<>();
    private final Map<RpcAddress, Map<EndpointName, EndpointRef>> reachable = new ConcurrentHashMap<>();
    private final Map<Class<?>, Object> newest = new ConcurrentHashMap<>();

    /** A transport at 127.0.0.1:7077. */
    public FakeRpc() {
        this(new RpcAddress("127.0.0.1", 7077));
    }

    public FakeRpc(RpcAddress address) {
        this.address = address;
    }

    @Override
    public RpcAddress address() {
        return address;
    }

    @Override
    public <G> Served serve(EndpointName name, FencingToken token, Class<G> type, G gateway) {
        newest.put(type, gateway);
        return serve(name, token, (Object) gateway);
    }

    /** Serves a gateway, or an object with some of its methods. */
    public Served serve(EndpointName name, FencingToken token, Object gateway) {
        EndpointRef endpoint = new EndpointRef(address, name, token);
        connect(endpoint, gateway);
        publish(endpoint);
        served.put(name, gateway);
        return new Served() {
            @Override
            public EndpointRef endpoint() {
                return endpoint;
            }

            @Override
            public void close() {
                gateways.remove(endpoint, gateway);
                everywhere.remove(name, endpoint);
                served.remove(name, gateway);
            }
        };
    }

    /** The gateway of a type that was served last, also after it was closed. */
    public <G> Optional<G> newest(Class<G> type) {
        return Optional.ofNullable(newest.get(type)).map(type::cast);
    }

    /** Connects an endpoint with a gateway, or with an object that has some of its methods. */
    public void connect(EndpointRef endpoint, Object gateway) {
        gateways.put(endpoint, gateway);
    }

    /** The endpoint is found at each address for which {@link #publishAt} was not called. */
    public void publish(EndpointRef endpoint) {
        everywhere.put(endpoint.name(), endpoint);
    }

    /** Undoes {@link #publish}. */
    public void withdraw(EndpointName name) {
        everywhere.remove(name);
    }

    /** At this address, only these endpoints are found. */
    public void publishAt(RpcAddress at, EndpointRef... endpoints) {
        Map<EndpointName, EndpointRef> found = new ConcurrentHashMap<>();
        for (EndpointRef endpoint : endpoints) {
            found.put(endpoint.name(), endpoint);
        }
        reachable.put(at, found);
    }

    @Override
    public CompletionStage<EndpointRef> resolve(RpcAddress at, EndpointName name) {
        asked.add(at);
        EndpointRef endpoint = reachable.getOrDefault(at, everywhere).get(name);
        if (endpoint != null) {
            return CompletableFuture.completedStage(endpoint);
        }
        return CompletableFuture.failedStage(
                at.equals(address) || reachable.containsKey(at)
                        ? new RpcException(RpcException.Kind.NOT_FOUND, name + " is not served here")
                        : new RpcException(RpcException.Kind.UNREACHABLE, "refused"));
    }

    @Override
    public <G> G gateway(Class<G> type, EndpointRef endpoint) {
        Object gateway = gateways.get(endpoint);
        if (gateway == null) {
            throw new IllegalArgumentException(endpoint + " was neither served nor connected");
        }
        return type.isInstance(gateway) ? type.cast(gateway) : PartialGateway.of(type, gateway);
    }
}
