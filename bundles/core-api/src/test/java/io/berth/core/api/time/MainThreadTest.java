package io.berth.core.api.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MainThreadTest {

    private static final int ACTIONS = 500_000;
    private static final int SPINS = 5;

    private final Timers timers = (delayMillis, action) -> () -> {};

    /** Both threads run turns: one takes over in the moment in which the other one's turn ends. */
    @Test
    void anActionIsOnTheMainThreadAlsoWhenItsTurnFollowsClosely() throws InterruptedException {
        MainThread mainThread = new MainThread("test", Runnable::run, timers);
        AtomicInteger strayed = new AtomicInteger();
        Runnable action = () -> {
            spin(SPINS);
            if (!mainThread.isCurrent()) {
                strayed.incrementAndGet();
            }
        };
        List<Thread> threads = Stream.generate(() -> new Thread(() -> {
                    for (int count = 0; count < ACTIONS; count++) {
                        mainThread.execute(action);
                        spin(count % 64);
                    }
                }))
                .limit(2)
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(strayed).hasValue(0);
    }

    private static void spin(int times) {
        for (int count = 0; count < times; count++) {
            Thread.onSpinWait();
        }
    }
}
