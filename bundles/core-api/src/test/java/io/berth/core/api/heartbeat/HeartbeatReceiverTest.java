package io.berth.core.api.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.time.MainThread;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeartbeatReceiverTest {

    private final ManualTime time = new ManualTime();
    private final MainThread mainThread = new MainThread("test", Runnable::run, time, failure -> {
        throw new AssertionError(failure);
    });
    private final List<String> lost = new ArrayList<>();
    private final HeartbeatReceiver receiver =
            new HeartbeatReceiver(mainThread, time, new HeartbeatSettings(1_000, 9_000, 2), lost::add);

    @Test
    void aPeerIsLostOnceWhenItIsSilentForTheTimeout() {
        time.advance(5_000);
        receiver.heard();
        time.advance(8_999);
        assertThat(lost).isEmpty();
        time.advance(20_000);
        assertThat(lost).containsExactly("no heartbeat for 9000 ms");
        assertThat(time.pending()).isZero();
    }

    @Test
    void aPauseOfThisProcessDoesNotCountAsSilenceOfThePeer() {
        time.advance(5_000);
        time.pause(30_000);
        time.advance(8_999);
        assertThat(lost).isEmpty();
        time.advance(1);
        assertThat(lost).hasSize(1);
    }

    @Test
    void aPeerIsLostAtTheLastOfTheFailedCallsThatAreAllowed() {
        receiver.callFailed(new RpcException(RpcException.Kind.UNREACHABLE, "no connection"));
        time.advance(1_000);
        assertThat(lost).isEmpty();
        receiver.callFailed(new RpcException(RpcException.Kind.UNREACHABLE, "no connection"));
        assertThat(lost).containsExactly("unreachable: 2 calls in a row failed, the last one with: no connection");
        assertThat(time.pending()).isZero();
    }

    @Test
    void aStoppedReceiverReportsNoLoss() {
        receiver.stop();
        time.advance(20_000);
        assertThat(lost).isEmpty();
        assertThat(time.pending()).isZero();
    }
}
