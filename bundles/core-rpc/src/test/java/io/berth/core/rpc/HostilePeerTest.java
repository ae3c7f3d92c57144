package io.berth.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.rpc.RpcException.Kind;
import io.berth.core.rpc.gateway.RpcProtocol;
import io.berth.core.security.ClusterSecurity;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A peer that breaks the protocol is rejected and logged, and does not affect others. */
class HostilePeerTest {

    private static final MethodDescriptor<byte[], byte[]> START_JOB = RpcProtocol.descriptor("JobMasters", "StartJob");

    private final PrintStream stderr = System.err;
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private RunningRpc receiver;

    @BeforeEach
    void start() {
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        receiver = RpcServices.start(RpcConfig.defaults("receiver"), ClusterSecurity.NONE);
        receiver.serve(EndpointName.JOB_MASTERS, Samples.token(1), start -> {
            throw new AssertionError("reached");
        });
    }

    @AfterEach
    void end() {
        receiver.close();
        System.setErr(stderr);
    }

    private Socket connect() throws Exception {
        Socket socket = new Socket(
                InetAddress.getByName(receiver.address().host()),
                receiver.address().port());
        socket.setSoTimeout(20_000);
        return socket;
    }

    private void stillServes() throws Exception {
        try (RunningRpc other = RpcServices.start(RpcConfig.defaults("other"), ClusterSecurity.NONE)) {
            assertThat(other.resolve(receiver.address(), EndpointName.JOB_MASTERS)
                            .toCompletableFuture()
                            .get(20, TimeUnit.SECONDS)
                            .token())
                    .isEqualTo(Samples.token(1));
        }
    }

    private void logContains(String... texts) {
        Awaitility.await()
                .atMost(10, TimeUnit.SECONDS)
                .untilAsserted(
                        () -> assertThat(log.toString(StandardCharsets.UTF_8)).contains(texts));
    }

    @Test
    void otherProtocolIsClosedAndItsPeerLogged() throws Exception {
        try (Socket socket = connect()) {
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(ended(socket.getInputStream())).isTrue();
            logContains("127.0.0.1:" + socket.getLocalPort(), "does not speak the protocol", "474554");
        }
        stillServes();
    }

    @Test
    void aConnectionBeyondTheConfiguredNumberIsClosedAndTheLogNamesTheKey() throws Exception {
        receiver.close();
        receiver = RpcServices.start(RpcConfig.defaults("receiver").withMaxConnections(16), ClusterSecurity.NONE);
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 17; i++) {
                sockets.add(connect());
            }
            assertThat(ended(sockets.get(16).getInputStream())).isTrue();
            logContains("there are 16 connections already", "connections.max in io.berth.core.rpc");
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void garbageOfAnySizeIsClosed() throws Exception {
        Random random = new Random(1);
        for (int round = 0; round < 20; round++) {
            byte[] garbage = new byte[1 + random.nextInt(5_000)];
            random.nextBytes(garbage);
            try (Socket socket = connect()) {
                socket.getOutputStream().write(garbage);
                assertThat(ended(socket.getInputStream())).isTrue();
            }
        }
        stillServes();
    }

    @Test
    void garbageAfterTheRightBeginningIsClosed() throws Exception {
        byte[] garbage = new byte[4_000];
        new Random(2).nextBytes(garbage);
        try (Socket socket = connect()) {
            socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(garbage);
            assertThat(ended(socket.getInputStream())).isTrue();
        }
        stillServes();
    }

    @Test
    void silentConnectionIsClosed() throws Exception {
        try (Socket socket = connect()) {
            assertThat(ended(socket.getInputStream())).isTrue();
            logContains("127.0.0.1:" + socket.getLocalPort(), "did not begin the protocol");
        }
    }

    private static boolean ended(InputStream in) {
        try {
            while (in.read() >= 0) {
                // Anything that the server sends before it closes is ignored.
            }
            return true;
        } catch (java.net.SocketTimeoutException open) {
            return false;
        } catch (java.io.IOException reset) {
            return true;
        }
    }

    @Test
    void callWithoutAHeaderIsRefused() throws Exception {
        Metadata trailers = call(START_JOB, new Metadata(), new byte[0]);
        assertThat(trailers.get(RpcProtocol.KIND)).isEqualTo("REFUSED");
        logContains("StartJob", "no header", "127.0.0.1:");
    }

    @Test
    void malformedHeaderIsRefused() throws Exception {
        Metadata metadata = new Metadata();
        metadata.put(RpcProtocol.HEADER, new byte[] {(byte) 0xff, 1, 2});
        Metadata trailers = call(START_JOB, metadata, new byte[0]);
        assertThat(trailers.get(RpcProtocol.KIND)).isEqualTo("REFUSED");
    }

    @Test
    void malformedMessageIsRefusedBeforeTheGatewaySeesIt() throws Exception {
        for (byte[] message : new byte[][] {{(byte) 0xff, 1, 2}, {}, {10, 2, 10, 0}}) {
            Metadata trailers = call(START_JOB, header(), message);
            assertThat(trailers.get(RpcProtocol.KIND)).isEqualTo("REFUSED");
        }
        logContains("StartJob", "malformed", "'stranger'");
        stillServes();
    }

    @Test
    void methodThatDoesNotExistIsRefused() throws Exception {
        call(RpcProtocol.descriptor("JobMasters", "Explode"), header(), new byte[0]);
        stillServes();
    }

    @Test
    void logOfRefusalsIsBounded() throws Exception {
        for (int call = 0; call < 100; call++) {
            call(START_JOB, new Metadata(), new byte[0]);
        }
        assertThat(log.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains("no header")))
                .hasSizeBetween(1, 40);
    }

    private static Metadata header() {
        Metadata metadata = new Metadata();
        metadata.put(
                RpcProtocol.HEADER,
                io.berth.core.rpc.proto.CommonProto.CallHeader.newBuilder()
                        .setProtocolVersion(RpcProtocol.VERSION)
                        .setEndpoint(EndpointName.JOB_MASTERS.value())
                        .setToken(io.berth.core.rpc.wire.Codecs.to(Samples.token(1)))
                        .setCaller("stranger")
                        .build()
                        .toByteArray());
        return metadata;
    }

    private Metadata call(MethodDescriptor<byte[], byte[]> method, Metadata metadata, byte[] message) throws Exception {
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        receiver.address().host(), receiver.address().port())
                .usePlaintext()
                .build();
        try {
            CompletableFuture<Metadata> ended = new CompletableFuture<>();
            ClientCall<byte[], byte[]> call = channel.newCall(method, CallOptions.DEFAULT);
            call.start(
                    new ClientCall.Listener<>() {
                        @Override
                        public void onClose(Status status, Metadata trailers) {
                            if (status.isOk()) {
                                ended.completeExceptionally(new AssertionError("answered"));
                            }
                            ended.complete(trailers);
                        }
                    },
                    metadata);
            call.request(1);
            call.sendMessage(message);
            call.halfClose();
            return ended.get(20, TimeUnit.SECONDS);
        } finally {
            channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
        }
    }

    @Test
    void peerThatIsNotABerthServerIsUnreachable() throws Exception {
        try (java.net.ServerSocket stranger = new java.net.ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                RunningRpc caller = RpcServices.start(RpcConfig.defaults("caller"), ClusterSecurity.NONE)) {
            Thread answering = new Thread(() -> {
                try (Socket socket = stranger.accept()) {
                    socket.getOutputStream()
                            .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    ended(socket.getInputStream());
                } catch (java.io.IOException ignored) {
                    // The test closes the socket.
                }
            });
            answering.start();
            RpcException failure = CallContract.failure(caller.resolve(
                            new io.berth.core.api.rpc.RpcAddress("127.0.0.1", stranger.getLocalPort()),
                            EndpointName.DISPATCHER)
                    .toCompletableFuture());
            assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE);
            stranger.close();
            answering.join(5_000);
        }
    }
}
