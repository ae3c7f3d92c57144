package io.berth.ops.cli;

import io.berth.core.api.time.Clock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that advances only when a thread waits at its latch. */
final class ManualClock implements Clock {

    private final AtomicLong nanos = new AtomicLong();

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public long wallMillis() {
        return TimeUnit.NANOSECONDS.toMillis(nanos.get());
    }

    /** A latch that does not block: a wait advances the clock by the whole timeout and returns. */
    CountDownLatch latch() {
        return new CountDownLatch(1) {
            @Override
            public boolean await(long timeout, TimeUnit unit) {
                nanos.addAndGet(unit.toNanos(timeout));
                return getCount() == 0;
            }
        };
    }
}
