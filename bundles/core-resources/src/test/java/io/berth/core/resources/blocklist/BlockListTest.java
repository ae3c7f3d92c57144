package io.berth.core.resources.blocklist;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.fake.SlowClock;
import io.berth.core.api.time.MainThread;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockListTest {

    private static final WorkerId WORKER = new WorkerId("w1");

    private final ManualTime time = new ManualTime();
    private final SlowClock clock = new SlowClock(time);
    private final MainThread mainThread = new MainThread("test", Runnable::run, time, failure -> {
        throw new AssertionError(failure);
    });
    private final List<WorkerId> changed = new ArrayList<>();
    private final BlockList list = new BlockList(mainThread, clock, changed::add);

    private void block(long millis) {
        mainThread.execute(() -> list.block(WORKER, millis));
    }

    @Test
    void aBlockEndsAfterItsTime() {
        block(1_000);
        time.advance(999);
        assertThat(list.blocks(WORKER)).isTrue();
        time.advance(1);
        assertThat(list.blocks(WORKER)).isFalse();
        assertThat(changed).containsExactly(WORKER, WORKER);
    }

    @Test
    void theLaterOfTwoEndsApplies() {
        block(1_000);
        block(500);
        block(2_000);
        assertThat(time.pending()).isEqualTo(1);
        time.advance(1_999);
        assertThat(list.blocks(WORKER)).isTrue();
        time.advance(1);
        assertThat(list.blocks(WORKER)).isFalse();
        assertThat(changed).containsExactly(WORKER, WORKER);
    }

    @Test
    void aBlockEndsEvenIfTheClockSlowedDown() {
        block(1_000);
        clock.behind(300);
        time.advance(1_299);
        assertThat(list.blocks(WORKER)).isTrue();
        time.advance(1);
        assertThat(list.blocks(WORKER)).isFalse();
        assertThat(time.pending()).isZero();
    }

    @Test
    void aLiftedBlockLeavesNoTimer() {
        block(1_000);
        mainThread.execute(() -> list.unblock(WORKER));
        assertThat(list.blocks(WORKER)).isFalse();
        assertThat(time.pending()).isZero();
    }
}
