package io.berth.core.api.heartbeat;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Watches a peer that sends heartbeats. If a check runs far too late, this process was paused, and the timeout of the
 * peer restarts. Confined to a main thread.
 */
public final class HeartbeatReceiver {

    private final MainThread mainThread;
    private final Clock clock;
    private final HeartbeatSettings settings;
    private final HeartbeatMonitor monitor;
    private final Consumer<String> lost;
    private Timers.Cancellable check = () -> {};

    /**
     * Starts watching.
     *
     * @param lost called once with the reason when the peer is lost
     */
    public HeartbeatReceiver(MainThread mainThread, Clock clock, HeartbeatSettings settings, Consumer<String> lost) {
        this.mainThread = mainThread;
        this.clock = clock;
        this.settings = settings;
        this.lost = lost;
        monitor = new HeartbeatMonitor(clock);
        checkIn(settings.timeoutMillis());
    }

    /** The peer called, or answered any call. */
    public void heard() {
        monitor.heard();
    }

    /** A call to the peer failed. */
    public void callFailed(Throwable failure) {
        monitor.callFailed(failure, settings);
        reportLoss();
    }

    public void stop() {
        check.cancel();
    }

    private void checkIn(long millis) {
        long due = clock.millis() + millis;
        check = mainThread.schedule(millis, () -> {
            if (settings.isPause(clock.millis() - due)) {
                monitor.heard();
            }
            if (!reportLoss()) {
                checkIn(Math.max(1, settings.timeoutMillis() - monitor.silentMillis()));
            }
        });
    }

    private boolean reportLoss() {
        Optional<String> cause = monitor.loss(settings);
        cause.ifPresent(text -> {
            stop();
            lost.accept(text);
        });
        return cause.isPresent();
    }
}
