package io.berth.core.api.time;

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
}
