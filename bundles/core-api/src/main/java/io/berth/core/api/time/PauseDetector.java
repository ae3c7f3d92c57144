package io.berth.core.api.time;

/**
 * Notices that who watches others by regular heartbeats stood still itself, as by SIGSTOP or a long pause of the garbage
 * collector: then silence tells nothing of the others, and they get their time again. Confined to one thread.
 */
public final class PauseDetector {

    private final Clock clock;
    private long lastMillis;

    public PauseDetector(Clock clock) {
        this.clock = clock;
        lastMillis = clock.millis();
    }

    /** Heartbeats begin: the next round is due after one interval. */
    public void begin() {
        lastMillis = clock.millis();
    }

    /**
     * A round of heartbeats begins.
     *
     * @param intervalMillis after which the next round was to begin
     * @param timeoutMillis after which a silent peer is lost
     * @return how long the last round took to be followed by this one, when that is far too long; 0: in time
     */
    public long pausedMillis(long intervalMillis, long timeoutMillis) {
        long now = clock.millis();
        long passed = now - lastMillis;
        lastMillis = now;
        return passed > timeoutMillis / 2 && passed > 2 * intervalMillis ? passed : 0;
    }
}
