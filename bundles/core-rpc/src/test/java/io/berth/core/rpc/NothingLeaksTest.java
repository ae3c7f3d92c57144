package io.berth.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.time.SystemClock;
import io.berth.core.rpc.gateway.Endpoints;
import io.berth.core.rpc.gateway.RpcProtocol;
import io.berth.core.rpc.transport.GatewayServer;
import io.berth.core.rpc.transport.Peers;
import io.berth.core.rpc.transport.RefusalLog;
import io.berth.core.security.ClusterSecurity;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A process closes resources that it no longer needs. */
class NothingLeaksTest {

    private static final int WORKERS = 200;

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("berth-core-rpc") || name.startsWith("grpc-") || name.contains("nio"))
                .sorted()
                .toList();
    }

    @Test
    void closingEndsAllThreads() throws Exception {
        Awaitility.await().atMost(10, TimeUnit.SECONDS).until(() -> threads().isEmpty());
        for (int round = 0; round < 3; round++) {
            RunningRpc one = RpcServices.start(RpcConfig.defaults("one"), ClusterSecurity.NONE);
            RunningRpc two = RpcServices.start(RpcConfig.defaults("two"), ClusterSecurity.NONE);
            one.serve(EndpointName.JOB_MASTERS, Samples.token(1), start -> new CompletableFuture<>());
            two.resolve(one.address(), EndpointName.JOB_MASTERS)
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);
            assertThat(threads()).isNotEmpty().hasSizeLessThanOrEqualTo(2 * 6 + 3);
            one.close();
            two.close();
            two.close();
        }
        Awaitility.await()
                .atMost(10, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void idleChannelsToWorkersAreClosed() throws Exception {
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        Endpoints endpoints = new Endpoints();
        RpcConfig config = RpcConfig.defaults("workers");
        NettyServerBuilder builder = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .channelType(NioServerSocketChannel.class)
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops);
        for (int worker = 1; worker < WORKERS; worker++) {
            builder.addListenAddress(new InetSocketAddress("127.0.0.1", 0));
        }
        GatewayServer.services(
                        config.messageMaxBytes(),
                        RpcProtocol.VERSION,
                        endpoints,
                        new Peers(Optional.empty()),
                        Runnable::run,
                        new RefusalLog(new SystemClock()))
                .forEach(builder::addService);
        Server workers = builder.build().start();
        try (GrpcRpc rpc = GrpcRpc.start(
                RpcConfig.defaults("caller").withChannelIdleMillis(1_500).withCallDeadlineMillis(60_000),
                Optional.empty(),
                new SystemClock(),
                RpcProtocol.VERSION)) {
            endpoints.add(
                    EndpointName.JOB_MASTERS,
                    Samples.token(1),
                    io.berth.core.api.gateway.JobMastersGateway.class,
                    null);
            List<CompletableFuture<?>> calls = new ArrayList<>();
            for (var listening : workers.getListenSockets()) {
                RpcAddress address = new RpcAddress("127.0.0.1", ((InetSocketAddress) listening).getPort());
                calls.add(rpc.resolve(address, EndpointName.JOB_MASTERS).toCompletableFuture());
            }
            CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).get(90, TimeUnit.SECONDS);
            assertThat(calls).hasSize(WORKERS);
            assertThat(rpc.channels().size()).isPositive();
            Awaitility.await()
                    .atMost(15, TimeUnit.SECONDS)
                    .untilAsserted(() -> assertThat(rpc.channels().size()).isZero());
        } finally {
            workers.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(5, TimeUnit.SECONDS);
        }
    }

    @Test
    void channelThatCannotConnectIsClosedAtOnce() throws Exception {
        try (GrpcRpc rpc =
                GrpcRpc.start(RpcConfig.defaults("caller"), Optional.empty(), new SystemClock(), RpcProtocol.VERSION)) {
            RunningRpc gone = RpcServices.start(RpcConfig.defaults("gone"), ClusterSecurity.NONE);
            gone.close();
            CallContract.failure(
                    rpc.resolve(gone.address(), EndpointName.DISPATCHER).toCompletableFuture());
            assertThat(rpc.channels().size()).isZero();
        }
    }
}
