package io.berth.core.dispatcher.state;

import io.berth.core.api.time.Backoff;
import io.berth.core.api.time.Timers;

/** The attempts to find or start the JobMaster of one job. Confined to the main thread of the Dispatcher. */
public final class PlacementAttempts {

    private final Backoff pauses = new Backoff(200, 5_000);
    private boolean running;
    private long number;
    private int failures;
    private int refusals;
    private String reason = "";
    private Timers.Cancellable next = () -> {};
    private boolean waiting;

    /** Begins an attempt, also one that waits for its time. False when one is running. */
    public boolean begin() {
        if (running) {
            return false;
        }
        next.cancel();
        waiting = false;
        running = true;
        number++;
        return true;
    }

    /** Number of the last attempt. */
    public long number() {
        return number;
    }

    /** Whether that attempt is running. A late answer to an abandoned attempt has no effect. */
    public boolean isRunning(long attempt) {
        return running && attempt == number;
    }

    /** Abandons the running attempt, if any. */
    public void abandon() {
        running = false;
    }

    public void succeeded() {
        running = false;
        pauses.reset();
        failures = 0;
        refusals = 0;
        reason = "";
    }

    /** Returns how long to wait before the next attempt, in ms. */
    public long failed() {
        running = false;
        failures++;
        return pauses.next();
    }

    public int failures() {
        return failures;
    }

    /** Returns the number of refusals since the last success. */
    public int countRefusal() {
        return ++refusals;
    }

    public void waitFor(Timers.Cancellable timer) {
        next = timer;
        waiting = true;
    }

    public boolean waiting() {
        return waiting;
    }

    /** Whether an attempt is running or waits for its time. */
    public boolean active() {
        return running || waiting;
    }

    /** Prevents further attempts. */
    public void stop() {
        next.cancel();
        waiting = false;
    }

    /** Records why the JobMaster may be gone. The first reason stays until the JobMaster is found or started. */
    public void setReason(String suspicion) {
        if (reason.isEmpty()) {
            reason = suspicion;
        }
    }

    public String reason() {
        return reason;
    }
}
