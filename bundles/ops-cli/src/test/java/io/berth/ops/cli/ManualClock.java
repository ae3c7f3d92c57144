package io.berth.ops.cli;

import io.berth.core.api.time.Clock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Time that passes when somebody waits for it. */
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

    /** A latch at which nobody waits: its time is over at once. */
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
