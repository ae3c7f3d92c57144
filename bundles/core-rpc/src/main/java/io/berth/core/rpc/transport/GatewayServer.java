package io.berth.core.rpc.transport;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.rpc.RpcException.Kind;
import io.berth.core.rpc.gateway.Endpoints;
import io.berth.core.rpc.gateway.GatewayType;
import io.berth.core.rpc.gateway.RpcMethod;
import io.berth.core.rpc.gateway.RpcProtocol;
import io.berth.core.rpc.proto.CommonProto.CallHeader;
import io.berth.core.rpc.proto.DirectoryProto.ResolveRequest;
import io.berth.core.rpc.wire.Codecs;
import io.berth.core.security.Peer;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The listener of a process, which receives calls of peers to its endpoints. Rejected calls never reach a gateway.
 * Everything that a peer controls is limited: connections, calls per connection, sizes and silence.
 */
public final class GatewayServer implements AutoCloseable {

    public static final MethodDescriptor<byte[], byte[]> RESOLVE = RpcProtocol.descriptor("Directory", "Resolve");

    private static final int MAX_CALLS_PER_CONNECTION = 1_000;
    private static final long HANDSHAKE_MILLIS = 3_000;

    private final Server server;
    private final ConnectionAdmission admission;

    private GatewayServer(Server server, ConnectionAdmission admission) {
        this.server = server;
        this.admission = admission;
    }

    /**
     * @param listen address to listen at; port 0: any free port
     * @param messageMaxBytes largest message that is accepted
     * @param maxConnections maximum number of open connections
     * @param peers who may connect
     * @param loops threads of the connections; the caller must end them
     * @param executor runs everything after reading; the caller must end it
     * @throws IllegalStateException when the address cannot be bound
     */
    public static GatewayServer start(
            InetSocketAddress listen,
            int messageMaxBytes,
            int maxConnections,
            int protocolVersion,
            Endpoints endpoints,
            Peers peers,
            EventLoopGroup loops,
            Executor executor,
            RefusalLog log) {
        ConnectionAdmission admission = new ConnectionAdmission(log, peers, maxConnections, HANDSHAKE_MILLIS);
        NettyServerBuilder builder = NettyServerBuilder.forAddress(listen)
                .channelFactory(admission::listener)
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .executor(executor)
                .maxConcurrentCallsPerConnection(MAX_CALLS_PER_CONNECTION)
                .maxInboundMessageSize(messageMaxBytes)
                .maxInboundMetadataSize(RpcProtocol.MAX_METADATA_BYTES)
                // Longer than the timeout of ConnectionAdmission, which logs the peer.
                .handshakeTimeout(2 * HANDSHAKE_MILLIS, TimeUnit.MILLISECONDS)
                .maxConnectionIdle(15, TimeUnit.MINUTES)
                .keepAliveTime(1, TimeUnit.MINUTES)
                .keepAliveTimeout(20, TimeUnit.SECONDS)
                .permitKeepAliveTime(10, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .addStreamTracerFactory(new OversizeWatch(log));
        peers.server()
                .ifPresent(secured -> builder.sslContext(secured)
                        // So that a new certificate comes into use on both ends.
                        .maxConnectionAge(30, TimeUnit.MINUTES)
                        .maxConnectionAgeGrace(1, TimeUnit.MINUTES));
        services(messageMaxBytes, protocolVersion, endpoints, peers, executor, log)
                .forEach(builder::addService);
        try {
            return new GatewayServer(builder.build().start(), admission);
        } catch (IOException failure) {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            throw new IllegalStateException(
                    "cannot listen at " + listen.getHostString() + ":" + listen.getPort() + ": " + cause.getMessage()
                            + "; end what uses the port, or set another one in io.berth.core.rpc (port)",
                    failure);
        }
    }

    public static List<ServerServiceDefinition> services(
            int messageMaxBytes,
            int protocolVersion,
            Endpoints endpoints,
            Peers peers,
            Executor executor,
            RefusalLog log) {
        Map<String, ServerServiceDefinition.Builder> services = new TreeMap<>();
        AdmittedCalls admitted = new AdmittedCalls(protocolVersion, messageMaxBytes, peers, executor, log);
        GatewayType.methods()
                .forEach(method -> service(services, method.descriptor())
                        .addMethod(
                                method.descriptor(),
                                admitted.handler(method.descriptor(), new GatewayCall(method, endpoints))));
        service(services, RESOLVE).addMethod(RESOLVE, admitted.handler(RESOLVE, new Resolution(endpoints)));
        return services.values().stream()
                .map(ServerServiceDefinition.Builder::build)
                .toList();
    }

    private static ServerServiceDefinition.Builder service(
            Map<String, ServerServiceDefinition.Builder> services, MethodDescriptor<?, ?> method) {
        return services.computeIfAbsent(method.getServiceName(), ServerServiceDefinition::builder);
    }

    public int port() {
        return server.getPort();
    }

    /** Closes the connections whose peers are no longer trusted. */
    public void closeUntrusted() {
        admission.closeUntrusted();
    }

    /** Ends calls and connections; waits at most two seconds. */
    @Override
    public void close() {
        server.shutdownNow();
        try {
            server.awaitTermination(2, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A method of a gateway. */
    private record GatewayCall(RpcMethod method, Endpoints endpoints) implements AdmittedCalls.Receiver {

        @Override
        public void admit(CallHeader header, Optional<Peer> peer) {
            peer.ifPresent(method::admit);
            endpoints.admit(new EndpointName(header.getEndpoint()), Codecs.from(header.getToken()), method.gateway());
        }

        @Override
        public CompletionStage<MessageLite> receive(CallHeader header, Optional<Peer> peer, byte[] message)
                throws InvalidProtocolBufferException {
            Object[] arguments = (Object[]) method.request().read(message);
            peer.ifPresent(caller -> method.admit(caller, arguments));
            return endpoints
                    .invoke(new EndpointName(header.getEndpoint()), Codecs.from(header.getToken()), method, arguments)
                    .thenApply(method.answer()::write);
        }
    }

    /** Returns the token of an endpoint. */
    private record Resolution(Endpoints endpoints) implements AdmittedCalls.Receiver {

        @Override
        public void admit(CallHeader header, Optional<Peer> peer) {}

        @Override
        public CompletionStage<MessageLite> receive(CallHeader header, Optional<Peer> peer, byte[] message)
                throws InvalidProtocolBufferException {
            EndpointName name =
                    new EndpointName(ResolveRequest.parseFrom(message).getEndpoint());
            try {
                return CompletableFuture.completedFuture(Codecs.to(endpoints.token(name)));
            } catch (RpcException notServed) {
                return CompletableFuture.failedFuture(notServed);
            }
        }
    }

    /** Logs messages over the limit, which the transport rejects without any other notice. */
    private static final class OversizeWatch extends ServerStreamTracer.Factory {

        private final RefusalLog log;

        OversizeWatch(RefusalLog log) {
            this.log = log;
        }

        @Override
        public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
            return new ServerStreamTracer() {

                private volatile Object peer = "unknown";

                @Override
                public void serverCallStarted(ServerCallInfo<?, ?> call) {
                    peer = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
                }

                @Override
                public void streamClosed(Status status) {
                    if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED) {
                        log.call(peer, "", method, Kind.REFUSED, status.getDescription());
                    }
                }
            };
        }
    }
}
