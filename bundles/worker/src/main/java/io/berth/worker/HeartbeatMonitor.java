package io.berth.worker;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;

/** Notices that a peer sends no more heartbeats. Belongs to the main thread of its owner. */
final class HeartbeatMonitor {

    private final MainThread mainThread;
    private final Clock clock;
    private final Runnable onTimeout;
    private long watch;
    private long timeoutMillis;
    private long lastMillis;

    HeartbeatMonitor(MainThread mainThread, Clock clock, Runnable onTimeout) {
        this.mainThread = mainThread;
        this.clock = clock;
        this.onTimeout = onTimeout;
    }

    /** Watches from now on; a watch before ends. */
    void start(long timeout) {
        timeoutMillis = timeout;
        lastMillis = clock.millis();
        long current = ++watch;
        mainThread.schedule(timeout, () -> check(current));
    }

    /** The peer has been heard. */
    void beat() {
        lastMillis = clock.millis();
    }

    void stop() {
        watch++;
    }

    private void check(long current) {
        if (current != watch) {
            return;
        }
        long rest = lastMillis + timeoutMillis - clock.millis();
        if (rest > 0) {
            mainThread.schedule(rest, () -> check(current));
        } else {
            watch++;
            onTimeout.run();
        }
    }
}
