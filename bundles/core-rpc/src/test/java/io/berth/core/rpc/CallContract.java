package io.berth.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.DispatcherGateway.BundleChunk;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.RpcService.Served;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.rpc.RpcException.Kind;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.SystemTimers;
import io.berth.core.security.ClusterSecurity;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract for callers, whether the endpoint is in the same process or in another one. */
abstract class CallContract {

    static final EndpointName NAME = EndpointName.DISPATCHER;

    RunningRpc receiver;
    RunningRpc sender;
    final AtomicInteger reached = new AtomicInteger();

    /** The calling transport for a serving one. */
    abstract RunningRpc sender(RunningRpc receiver);

    @BeforeEach
    void start() {
        receiver =
                RpcServices.start(RpcConfig.defaults("receiver").withCallDeadlineMillis(20_000), ClusterSecurity.NONE);
        sender = sender(receiver);
    }

    @AfterEach
    void end() {
        sender.close();
        receiver.close();
    }

    /** Answers each read with the value of the supplier. */
    @SuppressWarnings("unused")
    private final class Reads {

        private final Supplier<CompletionStage<BundleChunk>> answer;

        Reads(Supplier<CompletionStage<BundleChunk>> answer) {
            this.answer = answer;
        }

        CompletionStage<BundleChunk> readBundle(String sha256, long offset, int length) {
            reached.incrementAndGet();
            return answer.get();
        }
    }

    DispatcherGateway dispatcher(Supplier<CompletionStage<BundleChunk>> answer) {
        return PartialGateway.of(DispatcherGateway.class, new Reads(answer));
    }

    CompletableFuture<BundleChunk> read(EndpointRef endpoint) {
        return sender.dispatcher(endpoint).readBundle("ab", 1, 2).toCompletableFuture();
    }

    static RpcException failure(CompletableFuture<?> call) throws Exception {
        try {
            Object answer = call.get(20, TimeUnit.SECONDS);
            throw new AssertionError("answered " + answer);
        } catch (ExecutionException failed) {
            assertThat(failed.getCause()).isInstanceOf(RpcException.class);
            return (RpcException) failed.getCause();
        }
    }

    private static CompletionStage<BundleChunk> chunk(int bytes) {
        return CompletableFuture.completedFuture(new BundleChunk(new byte[bytes]));
    }

    @Test
    void answerOfTheGatewayComesBack() throws Exception {
        Served served = receiver.serve(NAME, Samples.token(1), dispatcher(() -> chunk(17)));
        assertThat(read(served.endpoint()).get(20, TimeUnit.SECONDS).content()).hasSize(17);
    }

    @Test
    void answerRunsOnAThreadOfTheTransport() throws Exception {
        CompletableFuture<BundleChunk> late = new CompletableFuture<>();
        Served served = receiver.serve(NAME, Samples.token(1), dispatcher(() -> late));
        CompletableFuture<String> thread = read(served.endpoint())
                .thenApply(answer -> Thread.currentThread().getName());
        late.complete(new BundleChunk(new byte[0]));
        assertThat(thread.get(20, TimeUnit.SECONDS)).startsWith("berth-core-rpc-calls");
    }

    @Test
    void resolvingReturnsTheCurrentToken() throws Exception {
        Served first = receiver.serve(NAME, Samples.token(1), dispatcher(() -> chunk(0)));
        assertThat(sender.resolve(receiver.address(), NAME)
                        .toCompletableFuture()
                        .get(20, TimeUnit.SECONDS))
                .isEqualTo(first.endpoint());
        first.close();
        assertThat(failure(sender.resolve(receiver.address(), NAME).toCompletableFuture())
                        .kind())
                .isEqualTo(Kind.NOT_FOUND);
        Served second = receiver.serve(NAME, Samples.token(2), dispatcher(() -> chunk(0)));
        assertThat(sender.resolve(receiver.address(), NAME)
                        .toCompletableFuture()
                        .get(20, TimeUnit.SECONDS))
                .isEqualTo(second.endpoint());
    }

    @Test
    void callForAnotherTokenNeverReachesTheGateway() throws Exception {
        FencingToken current = Samples.token(2);
        receiver.serve(NAME, current, dispatcher(() -> chunk(0)));
        FencingToken sameEpoch = new FencingToken(2, new java.util.UUID(1, 1));
        for (FencingToken other : new FencingToken[] {Samples.token(1), Samples.token(3), sameEpoch}) {
            RpcException failure = failure(read(new EndpointRef(receiver.address(), NAME, other)));
            assertThat(failure.kind()).isEqualTo(Kind.FENCED);
            assertThat(failure.getMessage()).contains(current.toString(), other.toString());
        }
        assertThat(reached).hasValue(0);
    }

    @Test
    void callOfAnEndpointThatIsNotServedIsNotFound() throws Exception {
        Served served = receiver.serve(NAME, Samples.token(1), dispatcher(() -> chunk(0)));
        served.close();
        RpcException failure = failure(read(served.endpoint()));
        assertThat(failure.kind()).isEqualTo(Kind.NOT_FOUND);
        assertThat(failure.getMessage()).contains("ReadBundle").contains("dispatcher");
        assertThat(reached).hasValue(0);
    }

    @Test
    void endpointOfAnotherTypeIsNotFound() throws Exception {
        Served served = receiver.serve(NAME, Samples.token(1), dispatcher(() -> chunk(0)));
        RpcException failure =
                failure(sender.jobMaster(served.endpoint()).cancel("x").toCompletableFuture());
        assertThat(failure.kind()).isEqualTo(Kind.NOT_FOUND);
    }

    @Test
    void failureOfTheGatewayIsSentAsTextOnly() throws Exception {
        Served served = receiver.serve(
                NAME,
                Samples.token(1),
                dispatcher(() -> CompletableFuture.failedFuture(new IllegalStateException(
                        "bundle ab is not there: upload it → first", new Exception("secret")))));
        RpcException failure = failure(read(served.endpoint()));
        assertThat(failure.kind()).isEqualTo(Kind.FAILED);
        assertThat(failure)
                .hasMessage("bundle ab is not there: upload it → first")
                .hasNoCause();
    }

    @Test
    void gatewayThatThrowsOrReturnsNullFailsOnlyTheCall() throws Exception {
        AtomicInteger round = new AtomicInteger();
        Served served = receiver.serve(NAME, Samples.token(1), dispatcher(() -> switch (round.getAndIncrement()) {
            case 0 -> throw new UnsupportedOperationException("thrown");
            case 1 -> null;
            case 2 -> CompletableFuture.completedFuture(null);
            default -> chunk(1);
        }));
        for (int call = 0; call < 3; call++) {
            assertThat(failure(read(served.endpoint())).kind()).isEqualTo(Kind.FAILED);
        }
        assertThat(read(served.endpoint()).get(20, TimeUnit.SECONDS).content()).hasSize(1);
    }

    @Test
    void veryLongTextOfAFailureIsCut() throws Exception {
        Served served = receiver.serve(
                NAME,
                Samples.token(1),
                dispatcher(() -> CompletableFuture.failedFuture(new IllegalStateException("→".repeat(100_000)))));
        RpcException failure = failure(read(served.endpoint()));
        assertThat(failure.kind()).isEqualTo(Kind.FAILED);
        assertThat(failure.getMessage()).isEqualTo("→".repeat(1_000));
    }

    @Test
    void gatewayWhoseMainThreadHasEndedIsNotFound() throws Exception {
        try (SystemTimers timers = new SystemTimers("berth-test-timers")) {
            MainThread mainThread = new MainThread("dispatcher", Runnable::run, timers, failure -> {
                throw new AssertionError(failure);
            });
            mainThread.close();
            Served served = receiver.serve(
                    NAME, Samples.token(1), dispatcher(() -> mainThread.call(() -> new BundleChunk(new byte[0]))));
            assertThat(failure(read(served.endpoint())).kind()).isEqualTo(Kind.NOT_FOUND);
        }
    }

    @Test
    void callWithoutAnAnswerFailsAtItsDeadline() throws Exception {
        Served served = receiver.serve(
                NAME,
                Samples.token(1),
                dispatcher(() -> reached.get() == 1
                        ? CompletableFuture.completedFuture(new BundleChunk(new byte[0]))
                        : new CompletableFuture<>()));
        read(served.endpoint()).get(30, TimeUnit.SECONDS);
        sender.reconfigure(RpcConfig.defaults("sender").withCallDeadlineMillis(700));
        RpcException failure = failure(read(served.endpoint()));
        assertThat(failure.kind()).isEqualTo(Kind.DEADLINE);
        assertThat(failure.getMessage()).contains("700 ms");
        assertThat(reached).hasValue(2);
    }

    @Test
    void callsThatWaitFailWhenTheCallerCloses() throws Exception {
        Served served = receiver.serve(NAME, Samples.token(1), dispatcher(CompletableFuture::new));
        sender.reconfigure(RpcConfig.defaults("sender").withCallDeadlineMillis(60_000));
        CompletableFuture<?> call = read(served.endpoint());
        org.awaitility.Awaitility.await().untilAtomic(reached, org.hamcrest.Matchers.is(1));
        sender.close();
        assertThat(failure(call).kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(failure(read(served.endpoint())).kind()).isEqualTo(Kind.UNREACHABLE);
    }

    @Test
    void manyCallsAtOnceAreAllAnswered() throws Exception {
        Served served = receiver.serve(NAME, Samples.token(1), dispatcher(() -> chunk(3)));
        sender.reconfigure(RpcConfig.defaults("sender").withCallDeadlineMillis(20_000));
        CompletableFuture<?>[] calls = new CompletableFuture<?>[3_000];
        for (int call = 0; call < calls.length; call++) {
            calls[call] = read(served.endpoint());
        }
        CompletableFuture.allOf(calls).get(30, TimeUnit.SECONDS);
        assertThat(reached).hasValue(calls.length);
    }

    @Test
    void nameIsServedOnceAtATime() {
        Served served = receiver.serve(NAME, Samples.token(1), dispatcher(() -> chunk(0)));
        assertThatThrownBy(() -> receiver.serve(NAME, Samples.token(2), dispatcher(() -> chunk(0))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("dispatcher")
                .hasMessageContaining("close");
        served.close();
        served.close();
        receiver.serve(NAME, Samples.token(2), dispatcher(() -> chunk(0)));
        served.close();
        assertThat(receiver.resolve(receiver.address(), NAME)
                        .toCompletableFuture()
                        .join()
                        .token())
                .isEqualTo(Samples.token(2));
    }
}
