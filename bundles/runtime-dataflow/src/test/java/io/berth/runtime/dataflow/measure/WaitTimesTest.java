package io.berth.runtime.dataflow.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WaitTimesTest {

    private static final int WAITS = 200_000;

    /** Its origin is arbitrary, as that of the system's clock. */
    private final AtomicLong clock = new AtomicLong(-5_000);

    private final WaitTimes times = new WaitTimes(clock::get);

    @Test
    void sumsUpWaitsAndIncludesTheOneThatLasts() {
        clock.addAndGet(10);
        times.idle().begin();
        clock.addAndGet(7);
        assertThat(times.idle().nanosUntil(times.elapsedNanos())).isEqualTo(7);
        times.idle().begin();
        clock.addAndGet(3);
        times.idle().end();
        times.idle().end();
        clock.addAndGet(100);
        assertThat(times.idle().nanosUntil(times.elapsedNanos())).isEqualTo(10);
        assertThat(times.backPressured().nanosUntil(times.elapsedNanos())).isZero();
        times.idle().begin();
        clock.addAndGet(5);
        assertThat(times.idle().nanosUntil(times.elapsedNanos())).isEqualTo(15);
        assertThat(times.elapsedNanos()).isEqualTo(125);
    }

    @Test
    void waitsFromTheStartCount() {
        times.idle().begin();
        clock.addAndGet(4);
        times.idle().end();
        assertThat(times.idle().nanosUntil(times.elapsedNanos())).isEqualTo(4);
    }

    @Test
    void anotherThreadNeverSeesLessThanBeforeNorMoreThanTheTime() throws InterruptedException {
        Thread task = new Thread(() -> {
            for (int wait = 0; wait < WAITS; wait++) {
                times.idle().begin();
                clock.incrementAndGet();
                times.idle().end();
            }
        });
        task.start();
        long before = 0;
        while (task.isAlive()) {
            long elapsed = times.elapsedNanos();
            long now = times.idle().nanosUntil(elapsed);
            // What ended after the clock was read is included.
            assertThat(now).isBetween(before, times.elapsedNanos());
            before = Math.min(now, elapsed);
        }
        task.join();
        assertThat(times.idle().nanosUntil(times.elapsedNanos())).isEqualTo(WAITS);
    }
}
