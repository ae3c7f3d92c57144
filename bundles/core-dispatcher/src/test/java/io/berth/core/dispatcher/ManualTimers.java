package io.berth.core.dispatcher;

import io.berth.core.api.time.Timers;
import java.util.ArrayList;
import java.util.List;

/** Timers that fire when the test advances time. */
public final class ManualTimers implements Timers {

    private final List<Timer> timers = new ArrayList<>();
    private long now;

    private record Timer(long due, Runnable action) {}

    @Override
    public synchronized Cancellable schedule(long delayMillis, Runnable action) {
        Timer timer = new Timer(now + delayMillis, action);
        timers.add(timer);
        return () -> {
            synchronized (this) {
                timers.removeIf(other -> other == timer);
            }
        };
    }

    synchronized long now() {
        return now;
    }

    public void pass(long millis) {
        List<Timer> due = new ArrayList<>();
        synchronized (this) {
            now += millis;
            timers.removeIf(timer -> timer.due() <= now && due.add(timer));
        }
        due.forEach(timer -> timer.action().run());
    }
}
