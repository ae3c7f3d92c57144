package io.berth.core.api.fake;

import io.berth.core.api.time.Clock;

/** A clock that may be behind its timers, as after a clock slowed down. */
public final class SlowClock implements Clock {

    private final ManualTime time;
    private volatile long behindMillis;

    public SlowClock(ManualTime time) {
        this.time = time;
    }

    /** From now on the clock is this much behind. */
    public void behind(long millis) {
        behindMillis = millis;
    }

    @Override
    public long nanos() {
        return time.nanos() - behindMillis * 1_000_000;
    }

    @Override
    public long wallMillis() {
        return time.wallMillis();
    }
}
