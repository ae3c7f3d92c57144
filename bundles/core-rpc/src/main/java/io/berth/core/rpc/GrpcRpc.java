package io.berth.core.rpc;

import com.google.protobuf.ByteString;
import io.berth.core.api.FencingToken;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.rpc.RpcException.Kind;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Pools;
import io.berth.core.api.time.SystemTimers;
import io.berth.core.api.time.Timers;
import io.berth.core.rpc.gateway.Endpoints;
import io.berth.core.rpc.gateway.GatewayType;
import io.berth.core.rpc.gateway.RpcMethod;
import io.berth.core.rpc.gateway.RpcProtocol;
import io.berth.core.rpc.proto.CommonProto;
import io.berth.core.rpc.proto.CommonProto.CallHeader;
import io.berth.core.rpc.proto.DirectoryProto.ResolveRequest;
import io.berth.core.rpc.transport.GatewayServer;
import io.berth.core.rpc.transport.PeerChannels;
import io.berth.core.rpc.transport.Peers;
import io.berth.core.rpc.transport.RefusalLog;
import io.berth.core.rpc.transport.RemoteCalls;
import io.berth.core.rpc.wire.Codecs;
import io.berth.core.security.LiveCredentials;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transport over gRPC: one listener, and one channel for each peer. Calls to endpoints of this process skip the
 * socket, but have the same checks and the same deadline, and their answers also come on the transport's threads.
 *
 * <p>Threads: two for connections, the configured number for calls, and one for timers.
 */
final class GrpcRpc implements RunningRpc {

    private static final Logger LOG = LoggerFactory.getLogger(GrpcRpc.class);
    private static final int CONNECTION_THREADS = 2;

    private final RpcConfig started;
    private final int protocolVersion;
    private final Peers peers;
    private final Endpoints endpoints = new Endpoints();
    private final Set<CompletableFuture<?>> pending = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(
            CONNECTION_THREADS,
            new DefaultThreadFactory("berth-core-rpc-connections", true),
            NioIoHandler.newFactory());
    private final ExecutorService executor;
    private final SystemTimers timers = new SystemTimers("berth-core-rpc-timers");
    private final PeerChannels channels;
    private final RemoteCalls remote;
    private final GatewayServer server;
    private final RpcAddress address;
    private volatile long callDeadlineMillis;
    private LiveCredentials.Listening listening = () -> {};

    private GrpcRpc(RpcConfig config, Peers peers, Clock clock, int protocolVersion) {
        this.started = config;
        this.peers = peers;
        this.protocolVersion = protocolVersion;
        this.callDeadlineMillis = config.callDeadlineMillis();
        executor = Pools.fixed("berth-core-rpc-calls", config.callThreads());
        try {
            channels = new PeerChannels(
                    config.messageMaxBytes(),
                    config.channelIdleMillis(),
                    config.connectTimeoutMillis(),
                    peers,
                    loops,
                    executor,
                    clock);
            remote = new RemoteCalls(channels, peers, executor, config.messageMaxBytes());
            server = GatewayServer.start(
                    new InetSocketAddress(config.host(), config.port()),
                    config.messageMaxBytes(),
                    config.maxConnections(),
                    protocolVersion,
                    endpoints,
                    peers,
                    loops,
                    executor,
                    new RefusalLog(clock));
        } catch (RuntimeException failure) {
            endThreads();
            throw failure;
        }
        address = new RpcAddress(config.reachedAt(), server.port());
    }

    /**
     * @param credentials of this process; empty: connections are not secured
     * @param protocolVersion {@link RpcProtocol#VERSION}, except in tests of different releases
     * @throws IllegalArgumentException when other hosts could connect, and connections are not secured
     * @throws IllegalStateException when the address cannot be bound
     */
    static GrpcRpc start(RpcConfig config, Optional<LiveCredentials> credentials, Clock clock, int protocolVersion) {
        if (credentials.isEmpty()) {
            config.requireLoopback();
        }
        GrpcRpc rpc = new GrpcRpc(config, new Peers(credentials), clock, protocolVersion);
        rpc.sweep();
        credentials.ifPresent(live -> rpc.listening = live.onChange(rpc.server::closeUntrusted));
        LOG.info(
                "The RPC service listens at {} as '{}', protocol version {}, {}",
                rpc.address,
                config.identity(),
                protocolVersion,
                credentials.map(live -> "with TLS as " + live.current()).orElse("for this host only"));
        return rpc;
    }

    private void sweep() {
        channels.dropIdle();
        timers.schedule(Math.max(started.channelIdleMillis() / 2, 10), this::sweep);
    }

    PeerChannels channels() {
        return channels;
    }

    @Override
    public boolean reconfigure(RpcConfig config) {
        callDeadlineMillis = config.callDeadlineMillis();
        channels.connectTimeoutMillis(config.connectTimeoutMillis());
        return started.hasSameStartupSettingsAs(config);
    }

    @Override
    public boolean isSecured() {
        return peers.credentials().isPresent();
    }

    @Override
    public RpcAddress address() {
        return address;
    }

    @Override
    public <G> Served serve(EndpointName name, FencingToken token, Class<G> type, G gateway) {
        if (closed.get()) {
            throw new IllegalStateException("endpoint " + name + " cannot be served: the RPC service is closed");
        }
        Endpoints.Entry entry = endpoints.add(name, token, type, gateway);
        EndpointRef endpoint = new EndpointRef(address, name, token);
        LOG.debug("serves {}", endpoint);
        return new ServedEndpoint(endpoint, () -> endpoints.remove(entry));
    }

    @Override
    public CompletionStage<EndpointRef> resolve(RpcAddress process, EndpointName name) {
        String what = "resolving " + name + " at " + process;
        if (process.equals(address)) {
            return track(what, result -> {
                try {
                    result.complete(new EndpointRef(process, name, endpoints.token(name)));
                } catch (RpcException notServed) {
                    result.completeExceptionally(
                            new RpcException(notServed.kind(), what + ": " + notServed.getMessage()));
                }
            });
        }
        return resolveAtPeer(process, name, what);
    }

    @Override
    public void warmUp() {
        EndpointName name = EndpointName.RESOURCE_MANAGER;
        resolveAtPeer(address, name, "resolving " + name + " at this process")
                .whenComplete((endpoint, failure) -> LOG.debug("called itself at {}", address, failure));
    }

    private CompletableFuture<EndpointRef> resolveAtPeer(RpcAddress process, EndpointName name, String what) {
        CallHeader header = CallHeader.newBuilder()
                .setProtocolVersion(protocolVersion)
                .setCaller(started.identity())
                .build();
        byte[] request =
                ResolveRequest.newBuilder().setEndpoint(name.value()).build().toByteArray();
        return track(
                what,
                result -> forward(
                        remote.call(
                                process,
                                Optional.empty(),
                                GatewayServer.RESOLVE,
                                header.toByteString(),
                                request,
                                bytes -> new EndpointRef(
                                        process, name, Codecs.from(CommonProto.FencingToken.parseFrom(bytes))),
                                callDeadlineMillis,
                                what),
                        result));
    }

    @Override
    public <G> G gateway(Class<G> type, EndpointRef endpoint) {
        return GatewayType.stub(type, endpoint, this::call);
    }

    private CompletionStage<Object> call(EndpointRef target, RpcMethod method, Object[] arguments) {
        String what = method.name() + " of " + target;
        if (target.address().equals(address)) {
            return track(what, result -> callHere(target, method, arguments, what, result));
        }
        return track(what, result -> callPeer(target, method, arguments, what, result));
    }

    private void callPeer(
            EndpointRef target, RpcMethod method, Object[] arguments, String what, CompletableFuture<Object> result) {
        ByteString header;
        byte[] message;
        try {
            message = method.request().write(arguments).toByteArray();
            header = CallHeader.newBuilder()
                    .setProtocolVersion(protocolVersion)
                    .setEndpoint(target.name().value())
                    .setToken(Codecs.to(target.token()))
                    .setCaller(started.identity())
                    .build()
                    .toByteString();
        } catch (RuntimeException failure) {
            result.completeExceptionally(
                    new RpcException(Kind.REFUSED, what + ": the message cannot be written: " + failure));
            return;
        }
        forward(
                remote.call(
                        target.address(),
                        Optional.of(target.name()),
                        method.descriptor(),
                        header,
                        message,
                        method.answer()::read,
                        callDeadlineMillis,
                        what),
                result);
    }

    private void callHere(
            EndpointRef target, RpcMethod method, Object[] arguments, String what, CompletableFuture<Object> result) {
        long deadlineMillis = callDeadlineMillis;
        Timers.Cancellable deadline = timers.schedule(
                deadlineMillis, () -> result.completeExceptionally(RemoteCalls.deadline(what, deadlineMillis)));
        result.whenComplete((answer, failure) -> deadline.cancel());
        endpoints.invoke(target.name(), target.token(), method, arguments).whenComplete((answer, failure) -> {
            // Code that waits for the answer must not run on the main thread of the gateway.
            try {
                executor.execute(() -> finish(what, answer, failure, result));
            } catch (RejectedExecutionException ended) {
                finish(what, answer, failure, result);
            }
        });
    }

    private static <R> void finish(String what, R answer, Throwable failure, CompletableFuture<R> result) {
        if (failure == null) {
            result.complete(answer);
            return;
        }
        Throwable cause = Failures.cause(failure);
        if (cause instanceof RpcException rpcFailure && rpcFailure.kind() != Kind.FAILED) {
            result.completeExceptionally(new RpcException(rpcFailure.kind(), what + ": " + rpcFailure.getMessage()));
        } else {
            result.completeExceptionally(cause);
        }
    }

    private static <R> void forward(CompletableFuture<R> source, CompletableFuture<R> result) {
        source.whenComplete((answer, failure) -> {
            if (failure == null) {
                result.complete(answer);
            } else {
                result.completeExceptionally(failure);
            }
        });
    }

    /** Starts a call whose result fails when this transport is closed. */
    private <R> CompletableFuture<R> track(String what, Consumer<CompletableFuture<R>> start) {
        CompletableFuture<R> result = new CompletableFuture<>();
        pending.add(result);
        result.whenComplete((answer, failure) -> pending.remove(result));
        if (closed.get()) {
            result.completeExceptionally(RemoteCalls.unreachable(what, "the RPC service of this process is closed"));
        } else {
            start.accept(result);
        }
        return result;
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        endpoints.removeAll();
        listening.close();
        timers.close();
        channels.close();
        server.close();
        endThreads();
        for (CompletableFuture<?> call : pending) {
            call.completeExceptionally(RemoteCalls.unreachable(
                    "call", "the RPC service of this process was closed before an answer came"));
        }
        LOG.info("The RPC service no longer listens at {}", address);
    }

    private void endThreads() {
        timers.close();
        executor.shutdown();
        try {
            if (!executor.awaitTermination(2, TimeUnit.SECONDS)) {
                executor.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
        // These threads end last, because the other threads may still pass work to them.
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }
}
