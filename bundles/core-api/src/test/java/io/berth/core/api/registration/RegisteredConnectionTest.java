package io.berth.core.api.registration;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.rpc.RpcException.Kind;
import io.berth.core.api.time.MainThread;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class RegisteredConnectionTest implements RegisteredConnection.Owner<String> {

    private final ManualTime time = new ManualTime();
    private final MainThread mainThread = new MainThread("test", Runnable::run, time, failure -> {
        throw new AssertionError(failure);
    });
    private final RegisteredConnection<String> connection =
            new RegisteredConnection<>("worker w1", RegistrationSettings.DEFAULTS, mainThread, time, this);
    private final List<String> events = new ArrayList<>();
    private final long start = time.millis();
    private final List<Long> attempts = new ArrayList<>();
    private CompletionStage<EndpointRef> found = CompletableFuture.completedStage(leader(1));
    private CompletionStage<RegistrationResponse> answer = new CompletableFuture<>();

    private static EndpointRef leader(long epoch) {
        return new EndpointRef(
                new RpcAddress("127.0.0.1", 7077),
                EndpointName.RESOURCE_MANAGER,
                new FencingToken(epoch, new UUID(0, epoch)));
    }

    private static CompletionStage<RegistrationResponse> accepted() {
        return CompletableFuture.completedStage(new RegistrationResponse.Accepted(new InstanceId(1), 1_000, 9_000));
    }

    private static <T> CompletionStage<T> failed(Kind kind) {
        return CompletableFuture.failedStage(new RpcException(kind, "a failure"));
    }

    @Override
    public CompletionStage<EndpointRef> find() {
        return found;
    }

    @Override
    public String gateway(EndpointRef leader) {
        return "gateway " + leader.token().epoch();
    }

    @Override
    public CompletionStage<RegistrationResponse> register(String gateway) {
        attempts.add(time.millis() - start);
        return answer;
    }

    @Override
    public void registered(String gateway, RegistrationResponse.Accepted accepted) {
        events.add("registered at " + gateway);
    }

    @Override
    public void rejected(EndpointRef leader, String reason) {
        events.add("rejected: " + reason);
    }

    @Override
    public void failed(String cause) {
        events.add("failed");
    }

    @Override
    public void lost(EndpointRef leader, String cause) {
        events.add("lost " + leader.token().epoch() + ": " + cause);
    }

    private void connect() {
        mainThread.execute(connection::connect);
    }

    private void connect(EndpointRef leader) {
        mainThread.execute(() -> connection.connect(leader));
    }

    @Test
    void s16_eachAttemptWithoutAnAnswerIsFollowedByOneThatWaitsTwiceAsLong() {
        connect();
        time.advance(90_000);
        assertThat(attempts)
                .containsExactly(0L, 100L, 300L, 700L, 1_500L, 3_100L, 6_300L, 12_700L, 25_500L, 51_100L, 81_100L);
    }

    @Test
    void s16_anErrorPausesTenSecondsAndARefusalThirty() {
        answer = failed(Kind.FAILED);
        connect();
        time.advance(9_999);
        assertThat(attempts).containsExactly(0L);
        answer = failed(Kind.REFUSED);
        time.advance(30_000);
        assertThat(attempts).containsExactly(0L, 10_000L);
        time.advance(1);
        assertThat(attempts).containsExactly(0L, 10_000L, 40_000L);
    }

    @Test
    void s16_aLeaderThatIsMissingIsSearchedSoonAndThenLessOften() {
        answer = failed(Kind.UNREACHABLE);
        connect();
        time.advance(9_000);
        assertThat(attempts).containsExactly(0L, 100L, 300L, 700L, 1_500L, 3_100L, 5_100L, 7_100L);
    }

    @Test
    void aLateAnswerHasNoEffect() {
        CompletableFuture<RegistrationResponse> late = new CompletableFuture<>();
        answer = late;
        connect();
        answer = new CompletableFuture<>();
        time.advance(100);
        late.complete(new RegistrationResponse.Rejected("too late"));
        assertThat(events).containsExactly("failed");
    }

    @Test
    void aLeaderThatAnEarlierAttemptFindsHasNoEffect() {
        CompletableFuture<EndpointRef> late = new CompletableFuture<>();
        found = late;
        answer = accepted();
        connect();
        found = CompletableFuture.completedStage(leader(1));
        mainThread.execute(connection::leaderMayHaveChanged);
        late.complete(leader(2));
        mainThread.execute(() -> connection.lost("silent"));
        assertThat(events).containsExactly("registered at gateway 1", "lost 1: silent");
    }

    @Test
    void theLeaderOfTheRegistrationIsNotANewerOne() {
        answer = accepted();
        connect();
        connect(leader(1));
        assertThat(events).containsExactly("registered at gateway 1");
        assertThat(attempts).hasSize(1);
    }

    @Test
    void aLeaderMayCallBeforeItsAnswerArrives() {
        connect();
        assertThat(connection.isConnectedTo(leader(1).token())).isTrue();
        assertThat(connection.isRegisteredAt(leader(1).token())).isFalse();
        time.advance(100);
        assertThat(connection.isConnectedTo(leader(1).token())).isTrue();
        found = failed(Kind.NOT_FOUND);
        time.advance(200);
        assertThat(connection.isConnectedTo(leader(1).token())).isFalse();
    }

    @Test
    void itRegistersAtANewerLeaderAtOnceAndNeverAtAnOlderOne() {
        answer = accepted();
        connect();
        connect(leader(3));
        connect(leader(2));
        found = CompletableFuture.completedStage(leader(2));
        mainThread.execute(() -> connection.lost("let go"));
        time.advance(10_000);
        assertThat(events)
                .startsWith(
                        "registered at gateway 1",
                        "lost 1: a newer leader was found: " + leader(3),
                        "registered at gateway 3",
                        "lost 3: let go",
                        "failed")
                .doesNotContain("registered at gateway 2");
    }

    @Test
    void aRegisteredComponentSearchesUntilItFindsTheLeader() {
        answer = accepted();
        connect();
        found = failed(Kind.UNREACHABLE);
        mainThread.execute(connection::leaderMayHaveChanged);
        time.advance(300);
        found = CompletableFuture.completedStage(leader(2));
        time.advance(400);
        assertThat(events).endsWith("registered at gateway 2");
    }

    @Test
    void itRegistersAgainWhenTheLeaderIsSilentForTheTimeout() {
        answer = accepted();
        connect();
        time.advance(5_000);
        connection.heard();
        time.advance(9_000);
        assertThat(events)
                .containsExactly(
                        "registered at gateway 1", "lost 1: no heartbeat for 9000 ms", "registered at gateway 1");
    }

    @Test
    void theLeaderIsLostBeforeTheTimeoutWhenTwoCallsDoNotReachIt() {
        answer = accepted();
        connect();
        connection.heard();
        mainThread.execute(() -> connection.callFailed(new RpcException(Kind.UNREACHABLE, "refused")));
        time.advance(1_000);
        mainThread.execute(() -> connection.callFailed(new RpcException(Kind.UNREACHABLE, "refused")));
        assertThat(events).hasSize(3).endsWith("registered at gateway 1");
    }

    @Test
    void registrationsThatEndBeforeTheLeaderIsHeardAreRetriedWithGrowingPauses() {
        answer = accepted();
        connect();
        for (long expected : new long[] {100, 300, 700, 1_500}) {
            mainThread.execute(() -> connection.lost("let go"));
            time.advance(start + expected - time.millis());
            assertThat(attempts).endsWith(expected);
        }
    }

    @Test
    void aRejectedComponentDecidesItselfWhetherItTriesAgain() {
        answer = CompletableFuture.completedStage(new RegistrationResponse.Rejected("older"));
        connect();
        time.advance(60_000);
        assertThat(events).containsExactly("rejected: older");
        mainThread.execute(() -> connection.connectIn(500));
        time.advance(500);
        assertThat(attempts).hasSize(2);
    }

    @Test
    void aClosedConnectionDoesNothing() {
        connect();
        connection.close();
        time.advance(60_000);
        assertThat(attempts).hasSize(1);
        assertThat(time.pending()).isZero();
    }
}
