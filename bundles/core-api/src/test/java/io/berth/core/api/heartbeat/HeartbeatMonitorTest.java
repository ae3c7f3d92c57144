package io.berth.core.api.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.rpc.RpcException.Kind;
import org.junit.jupiter.api.Test;

class HeartbeatMonitorTest {

    private static final HeartbeatSettings SETTINGS = new HeartbeatSettings(1_000, 9_000, 2);

    private final ManualTime time = new ManualTime();
    private final HeartbeatMonitor monitor = new HeartbeatMonitor(time);

    private static RpcException failure(Kind kind) {
        return new RpcException(kind, "refused");
    }

    @Test
    void aHeartbeatThatMayStillBeAnsweredDelaysTheNextOne() {
        long first = monitor.send();
        time.advance(2_999);
        assertThat(monitor.isPending(SETTINGS)).isTrue();
        monitor.answered(first);
        assertThat(monitor.isPending(SETTINGS)).isFalse();
    }

    @Test
    void aHeartbeatWithoutAnOutcomeStopsDelayingAfterAThirdOfTheTimeout() {
        monitor.send();
        time.advance(3_000);
        assertThat(monitor.isPending(SETTINGS)).isFalse();
        long second = monitor.send();
        assertThat(monitor.isPending(SETTINGS)).isTrue();
        monitor.answered(second);
        assertThat(monitor.isPending(SETTINGS)).isFalse();
    }

    @Test
    void anEarlierAnswerOnlyProvesThatThePeerIsAlive() {
        long first = monitor.send();
        long second = monitor.send();
        assertThat(monitor.answered(second)).isTrue();
        time.advance(8_000);
        assertThat(monitor.answered(first)).isFalse();
        time.advance(8_999);
        assertThat(monitor.loss(SETTINGS)).isEmpty();
        time.advance(1);
        assertThat(monitor.loss(SETTINGS)).hasValue("no heartbeat for 9000 ms");
    }

    @Test
    void theFailureOfAnEarlierHeartbeatDoesNotCount() {
        long first = monitor.send();
        long second = monitor.send();
        monitor.answered(second);
        monitor.failed(first, failure(Kind.FENCED), SETTINGS);
        assertThat(monitor.loss(SETTINGS)).isEmpty();
    }

    @Test
    void twoFailuresInARowAreALossAndSimultaneousFailuresCountOnce() {
        monitor.callFailed(failure(Kind.UNREACHABLE), SETTINGS);
        monitor.callFailed(failure(Kind.UNREACHABLE), SETTINGS);
        assertThat(monitor.loss(SETTINGS)).isEmpty();
        time.advance(500);
        monitor.failed(monitor.send(), failure(Kind.REFUSED), SETTINGS);
        assertThat(monitor.loss(SETTINGS)).hasValue("unreachable: 2 calls in a row failed, the last one with: refused");
        monitor.heard();
        assertThat(monitor.loss(SETTINGS)).isEmpty();
    }

    @Test
    void aPeerThatIsGoneIsLostAtOnce() {
        monitor.callFailed(failure(Kind.NOT_FOUND), SETTINGS);
        assertThat(monitor.loss(SETTINGS)).hasValue("gone: refused");
    }

    @Test
    void aCallThatMayHaveReachedThePeerDoesNotCountAsAFailure() {
        for (Kind kind : new Kind[] {Kind.DEADLINE, Kind.REFUSED, Kind.FAILED}) {
            monitor.callFailed(failure(kind), SETTINGS);
            time.advance(1_000);
        }
        monitor.failed(monitor.send(), failure(Kind.DEADLINE), SETTINGS);
        assertThat(monitor.loss(SETTINGS)).isEmpty();
    }
}
