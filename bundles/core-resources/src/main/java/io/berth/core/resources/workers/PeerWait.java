package io.berth.core.resources.workers;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.settings.ResourceSettings;
import java.util.function.Supplier;

/**
 * Gives peers time to come. While this process is paused nobody can be heard, so after a pause the time begins again.
 * Confined to the main thread.
 */
public final class PeerWait {

    private final MainThread mainThread;
    private final Clock clock;
    private final Supplier<ResourceSettings> settings;

    public PeerWait(MainThread mainThread, Clock clock, Supplier<ResourceSettings> settings) {
        this.mainThread = mainThread;
        this.clock = clock;
        this.settings = settings;
    }

    /** Runs the action when the time is over. */
    void over(long millis, Runnable action) {
        long due = clock.millis() + millis;
        mainThread.schedule(millis, () -> {
            if (settings.get().heartbeat().isPause(clock.millis() - due)) {
                over(millis, action);
            } else {
                action.run();
            }
        });
    }
}
