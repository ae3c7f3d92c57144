package io.berth.worker.peer;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import java.util.Optional;

/** Notices that a peer sends no more heartbeats. Belongs to the main thread of its owner. */
public final class HeartbeatMonitor {

    private final MainThread mainThread;
    private final Clock clock;
    private final Runnable onTimeout;
    private long watch;
    private long timeoutMillis;
    private long lastMillis;
    private Optional<Timers.Cancellable> timer = Optional.empty();

    public HeartbeatMonitor(MainThread mainThread, Clock clock, Runnable onTimeout) {
        this.mainThread = mainThread;
        this.clock = clock;
        this.onTimeout = onTimeout;
    }

    /** Watches from now on; a watch before ends. */
    public void start(long timeout) {
        timeoutMillis = timeout;
        lastMillis = clock.millis();
        stop();
        long current = watch;
        timer = Optional.of(mainThread.schedule(timeout, () -> check(current)));
    }

    /** The peer has been heard. */
    public void heartbeat() {
        lastMillis = clock.millis();
    }

    public void stop() {
        watch++;
        timer.ifPresent(Timers.Cancellable::cancel);
        timer = Optional.empty();
    }

    private void check(long current) {
        if (current != watch) {
            return;
        }
        long rest = lastMillis + timeoutMillis - clock.millis();
        if (rest > 0) {
            timer = Optional.of(mainThread.schedule(rest, () -> check(current)));
        } else {
            watch++;
            onTimeout.run();
        }
    }
}
