package io.berth.core.policies.guard;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Timers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Time that a test moves by hand. */
final class HandTime implements Clock, Timers {

    private final AtomicLong millis = new AtomicLong();
    private final List<Runnable> armed = new CopyOnWriteArrayList<>();

    @Override
    public long nanos() {
        return millis.get() * 1_000_000;
    }

    @Override
    public long wallMillis() {
        return millis.get();
    }

    @Override
    public Cancellable schedule(long delayMillis, Runnable action) {
        armed.add(action);
        return () -> armed.remove(action);
    }

    /** Moves the time and runs the timer that was armed first. */
    void fireAfter(long passedMillis) {
        millis.addAndGet(passedMillis);
        armed.remove(0).run();
    }

    List<Runnable> armed() {
        return armed;
    }
}
