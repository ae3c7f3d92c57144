package io.berth.core.policies.detached;

import io.berth.core.api.time.Clock;
import io.berth.core.policies.cache.DecisionTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The time of the frame that is decided, as policies see it; it stands still in a decision. Thread-safe. */
final class FrameTime implements Clock {

    private record Now(long millis, long wallMillis, ZoneId zone) {}

    private volatile Now now = new Now(0, 0, ZoneOffset.UTC);

    /** @param zone its id */
    void set(DecisionTime time, String zone) {
        ZoneId found = now.zone().getId().equals(zone) ? now.zone() : ZoneId.of(zone);
        now = new Now(time.millis(), time.wallMillis(), found);
    }

    @Override
    public long nanos() {
        return now.millis() * 1_000_000;
    }

    @Override
    public long millis() {
        return now.millis();
    }

    @Override
    public long wallMillis() {
        return now.wallMillis();
    }

    @Override
    public ZoneId zone() {
        return now.zone();
    }
}
