package io.berth.core.api.registration;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.rpc.RpcException.Kind;
import io.berth.core.api.time.MainThread;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** Over a network on which an answer takes longer than the first attempts wait. */
class LeaderSearchTest {

    private static final RpcAddress ADDRESS = new RpcAddress("127.0.0.1", 7077);
    private static final RpcAddress REFUSING = new RpcAddress("127.0.0.1", 7078);
    private static final EndpointRef LEADER =
            new EndpointRef(ADDRESS, EndpointName.RESOURCE_MANAGER, new FencingToken(1, new UUID(0, 1)));

    private final ManualTime time = new ManualTime();
    private final MainThread mainThread = new MainThread("test", Runnable::run, time, failure -> {
        throw new AssertionError(failure);
    });
    private final LeaderSearch search =
            new LeaderSearch(EndpointName.RESOURCE_MANAGER, new SlowRpc(), mainThread, any -> Optional.empty());
    private long latencyMillis;

    private final class SlowRpc implements RpcService {

        @Override
        public RpcAddress address() {
            throw new UnsupportedOperationException();
        }

        @Override
        public <G> Served serve(EndpointName name, FencingToken token, Class<G> type, G gateway) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<EndpointRef> resolve(RpcAddress process, EndpointName name) {
            return process.equals(REFUSING)
                    ? CompletableFuture.failedStage(new RpcException(Kind.UNREACHABLE, "refused"))
                    : after(LEADER);
        }

        @Override
        public <G> G gateway(Class<G> type, EndpointRef endpoint) {
            throw new UnsupportedOperationException();
        }
    }

    private <T> CompletionStage<T> after(T answer) {
        CompletableFuture<T> stage = new CompletableFuture<>();
        time.schedule(latencyMillis, () -> stage.complete(answer));
        return stage;
    }

    private CompletableFuture<EndpointRef> find(RpcAddress... addresses) {
        CompletableFuture<EndpointRef> found = new CompletableFuture<>();
        mainThread.execute(() -> search.find(List.of(addresses)).whenComplete((leader, failure) -> {
            if (failure == null) {
                found.complete(leader);
            } else {
                found.completeExceptionally(failure);
            }
        }));
        return found;
    }

    @Test
    void anAddressThatDoesNotAnswerInTimeMayStillServeTheLeader() {
        latencyMillis = 700;
        CompletableFuture<EndpointRef> first = find(ADDRESS, REFUSING);
        time.advance(500);
        assertThat(first)
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOfSatisfying(
                        RpcException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Kind.DEADLINE));
        CompletableFuture<EndpointRef> second = find(ADDRESS);
        time.advance(700);
        assertThat(second).isCompletedWithValue(LEADER);
    }

    @Test
    void anAddressThatRefusesServesNoLeader() {
        assertThat(find(REFUSING))
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOfSatisfying(
                        RpcException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Kind.NOT_FOUND));
    }

    @Test
    void aComponentRegistersAlthoughEachAnswerTakesSeconds() {
        latencyMillis = 2_500;
        CompletableFuture<String> registered = new CompletableFuture<>();
        RegisteredConnection<String> connection = new RegisteredConnection<>(
                "worker w1", RegistrationSettings.DEFAULTS, mainThread, time, new RegisteredConnection.Owner<>() {
                    @Override
                    public CompletionStage<EndpointRef> find() {
                        return search.find(List.of(ADDRESS));
                    }

                    @Override
                    public String gateway(EndpointRef leader) {
                        return "gateway";
                    }

                    @Override
                    public CompletionStage<RegistrationResponse> register(String gateway) {
                        return after(new RegistrationResponse.Accepted(new InstanceId(1), 60_000, 600_000));
                    }

                    @Override
                    public void registered(String gateway, RegistrationResponse.Accepted answer) {
                        registered.complete(gateway);
                    }

                    @Override
                    public void rejected(EndpointRef leader, String reason) {
                        throw new AssertionError(reason);
                    }

                    @Override
                    public void failed(String cause) {
                        // Another attempt follows.
                    }

                    @Override
                    public void lost(EndpointRef leader, String cause) {
                        throw new AssertionError(cause);
                    }
                });
        mainThread.execute(connection::connect);
        time.advance(120_000);
        assertThat(registered).isCompletedWithValue("gateway");
    }
}
