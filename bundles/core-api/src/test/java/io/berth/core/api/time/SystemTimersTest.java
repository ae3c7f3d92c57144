package io.berth.core.api.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SystemTimersTest {

    private static final long PATIENCE_SECONDS = 60;

    @Test
    void runsInTheOrderInWhichActionsAreDueAndLeavesOutWhatIsCancelled() throws Exception {
        try (SystemTimers timers = new SystemTimers("test-timers")) {
            StringBuffer ran = new StringBuffer();
            CountDownLatch last = new CountDownLatch(1);
            timers.schedule(1_500, () -> {
                ran.append("c");
                last.countDown();
            });
            timers.schedule(200, () -> ran.append("b"));
            timers.schedule(100, () -> ran.append("x")).cancel();
            timers.schedule(0, () -> ran.append("a"));

            assertThat(last.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(ran).hasToString("abc");
        }
    }

    @Test
    void endsItsThreadWhenItIsClosed() throws Exception {
        SystemTimers timers = new SystemTimers("test-timers");
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        AtomicInteger late = new AtomicInteger();
        timers.schedule(0, () -> thread.complete(Thread.currentThread()));
        Thread worker = thread.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        timers.schedule(600_000, late::incrementAndGet);

        timers.close();

        worker.join(PATIENCE_SECONDS * 1_000);
        assertThat(worker.isAlive()).isFalse();
        timers.schedule(0, late::incrementAndGet).cancel();
        assertThat(late).hasValue(0);
    }
}
