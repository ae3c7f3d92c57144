package io.berth.core.api.time;

import java.time.ZoneId;

/** The clock of the machine. */
public final class SystemClock implements Clock {

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public ZoneId zone() {
        return ZoneId.systemDefault();
    }
}
