package io.berth.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.RpcService.Served;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.rpc.RpcException.Kind;
import io.berth.core.api.time.SystemClock;
import io.berth.core.rpc.gateway.RpcProtocol;
import io.berth.core.security.ClusterSecurity;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The contract between two processes, and cases that occur only there. */
class RemoteCallTest extends CallContract {

    @Override
    RunningRpc sender(RunningRpc receiver) {
        return RpcServices.start(RpcConfig.defaults("sender").withCallDeadlineMillis(20_000), ClusterSecurity.NONE);
    }

    private static DispatcherGateway.BundleChunk bytes(int length) {
        return new DispatcherGateway.BundleChunk(new byte[length]);
    }

    @Test
    void otherProtocolVersionIsFencedAndTheMessageNamesBoth() throws Exception {
        Served served =
                receiver.serve(NAME, Samples.token(1), dispatcher(() -> CompletableFuture.completedFuture(bytes(1))));
        try (GrpcRpc newer = GrpcRpc.start(RpcConfig.defaults("newer"), Optional.empty(), new SystemClock(), 99)) {
            RpcException failure = failure(
                    newer.dispatcher(served.endpoint()).readBundle("ab", 0, 1).toCompletableFuture());
            assertThat(failure.kind()).isEqualTo(Kind.FENCED);
            assertThat(failure.getMessage()).contains("version 99", "version " + RpcProtocol.VERSION);
            assertThat(failure(newer.resolve(receiver.address(), NAME).toCompletableFuture())
                            .kind())
                    .isEqualTo(Kind.FENCED);
        }
        assertThat(reached).hasValue(0);
    }

    @Test
    void messageOverTheLimitIsRefusedBeforeItIsSent() throws Exception {
        Served served =
                receiver.serve(NAME, Samples.token(1), dispatcher(() -> CompletableFuture.completedFuture(bytes(1))));
        RpcException failure = failure(sender.dispatcher(served.endpoint())
                .readBundle("a".repeat(5_000_000), 0, 1)
                .toCompletableFuture());
        assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
        assertThat(failure.getMessage()).contains("4194304").contains("message.max.bytes");
    }

    @Test
    void messageOverTheLimitOfTheReceiverIsRefusedThere() throws Exception {
        try (RunningRpc small =
                RpcServices.start(RpcConfig.defaults("small").withMessageMaxBytes(65_536), ClusterSecurity.NONE)) {
            Served served =
                    small.serve(NAME, Samples.token(1), dispatcher(() -> CompletableFuture.completedFuture(bytes(1))));
            RpcException failure = failure(sender.dispatcher(served.endpoint())
                    .readBundle("a".repeat(200_000), 0, 1)
                    .toCompletableFuture());
            assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
            assertThat(reached).hasValue(0);
            assertThat(read(served.endpoint()).get(20, TimeUnit.SECONDS).content())
                    .hasSize(1);
        }
    }

    @Test
    void answerOverTheLimitFailsAndItsSizeIsReported() throws Exception {
        Served served = receiver.serve(
                NAME, Samples.token(1), dispatcher(() -> CompletableFuture.completedFuture(bytes(5_000_000))));
        RpcException failure = failure(read(served.endpoint()));
        assertThat(failure.kind()).isEqualTo(Kind.FAILED);
        assertThat(failure.getMessage()).contains("4194304").contains("ReadBundle");
    }

    @Test
    void addressWithoutAListenerIsUnreachable() throws Exception {
        int port;
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = taken.getLocalPort();
        }
        EndpointRef nobody = new EndpointRef(new RpcAddress("127.0.0.1", port), NAME, Samples.token(1));
        RpcException failure = failure(read(nobody));
        assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(failure.getMessage()).contains("127.0.0.1:" + port);
    }

    @Test
    void peerThatEndsDuringACallIsUnreachableAndReachedAgainAtOnceWhenItIsBack() throws Exception {
        Served served = receiver.serve(NAME, Samples.token(1), dispatcher(CompletableFuture::new));
        CompletableFuture<?> waiting = read(served.endpoint());
        org.awaitility.Awaitility.await().untilAtomic(reached, org.hamcrest.Matchers.is(1));
        receiver.close();
        assertThat(failure(waiting).kind()).isEqualTo(Kind.UNREACHABLE);
        for (int call = 0; call < 5; call++) {
            assertThat(failure(read(served.endpoint())).kind()).isEqualTo(Kind.UNREACHABLE);
        }
        try (RunningRpc again = RpcServices.start(
                RpcConfig.defaults("again").withPort(served.endpoint().address().port()), ClusterSecurity.NONE)) {
            again.serve(NAME, Samples.token(1), dispatcher(() -> CompletableFuture.completedFuture(bytes(2))));
            assertThat(read(served.endpoint()).get(20, TimeUnit.SECONDS).content())
                    .hasSize(2);
        }
    }

    @Test
    void portThatIsTakenIsNamed() {
        RpcConfig taken =
                RpcConfig.defaults("second").withPort(receiver.address().port());
        assertThatThrownBy(() -> RpcServices.start(taken, ClusterSecurity.NONE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(receiver.address().toString())
                .hasMessageContaining("io.berth.core.rpc");
    }
}
