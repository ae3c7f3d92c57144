package io.berth.core.dispatcher.state;

import io.berth.core.api.time.Backoff;
import io.berth.core.api.time.Timers;

/** The attempts to find or start the JobMaster of one job. For the main thread. */
public final class PlacementAttempts {

    private final Backoff pauses = new Backoff(200, 5_000);
    private boolean running;
    private long number;
    private int failures;
    private int refusals;
    private String reason = "";
    private Timers.Cancellable next = () -> {};
    private boolean waiting;

    /** False when one is under way. One that waited begins now. */
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

    /** Of the attempt that began last. */
    public long number() {
        return number;
    }

    /** Whether that attempt is under way: what an abandoned one is answered late has no effect. */
    public boolean isRunning(long attempt) {
        return running && attempt == number;
    }

    /** The attempt that is under way, if any, does not count any more. */
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

    /** Returns how long to wait for the next one, in ms. */
    public long failed() {
        running = false;
        failures++;
        return pauses.next();
    }

    public int failures() {
        return failures;
    }

    /** Returns how many there were since the last success. */
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

    /** One is under way, or waits to begin. */
    public boolean active() {
        return running || waiting;
    }

    /** No further one. */
    public void stop() {
        next.cancel();
        waiting = false;
    }

    /** Why the JobMaster is thought to be gone; the first reason stays until it is found or started. */
    public void because(String suspicion) {
        if (reason.isEmpty()) {
            reason = suspicion;
        }
    }

    public String reason() {
        return reason;
    }
}
