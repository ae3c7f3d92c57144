package io.berth.runtime.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.time.Timers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CallsTest {

    /** What is scheduled; it is due when the test says so. */
    private final Deque<Runnable> due = new ArrayDeque<>();

    private final Timers timers = (millis, action) -> {
        synchronized (due) {
            due.add(action);
        }
        return () -> {};
    };
    private final List<String> stuck = new ArrayList<>();

    private void nextTimer() {
        Runnable next;
        synchronized (due) {
            next = due.remove();
        }
        next.run();
    }

    @Test
    void aCallThatIgnoresManyInterruptsIsStuckAndSaidOnce() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch returns = new CountDownLatch(1);
        List<Calls> made = new ArrayList<>();
        Thread thread = new Thread(() -> {
            try {
                made.get(0).call("health", 5, () -> {
                    inside.countDown();
                    while (returns.getCount() > 0) {
                        try {
                            returns.await();
                        } catch (InterruptedException ignored) {
                            // As user code does.
                        }
                    }
                    return "";
                });
            } catch (Exception late) {
                // What it returned is late.
            }
        });
        made.add(new Calls("task", thread, timers, stuck::add));
        thread.start();
        assertThat(inside.await(60, TimeUnit.SECONDS)).isTrue();

        for (int interrupts = 0; interrupts < Calls.STUCK_INTERRUPTS; interrupts++) {
            nextTimer();
        }
        assertThat(stuck).isEmpty();
        nextTimer();
        nextTimer();
        assertThat(stuck).containsExactly("health has not returned within 5 ms, and ignores that it is interrupted");

        returns.countDown();
        thread.join();
        nextTimer();
        assertThat(due).as("nothing is scheduled after the end of the call").isEmpty();
    }
}
