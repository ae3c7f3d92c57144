package io.berth.core.policies.detached;

import io.berth.core.api.time.Clock;
import io.berth.core.policies.frame.DecisionFrame;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The time of the frame that is decided, as policies see it; it stands still in a decision. Thread-safe. */
final class FrameTime implements Clock {

    private record Now(long millis, long wallMillis, ZoneId zone) {}

    private volatile Now now = new Now(0, 0, ZoneOffset.UTC);

    void set(DecisionFrame.Moment moment) {
        ZoneId zone = now.zone().getId().equals(moment.zone()) ? now.zone() : ZoneId.of(moment.zone());
        now = new Now(moment.time().millis(), moment.time().wallMillis(), zone);
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
