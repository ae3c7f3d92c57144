package io.berth.core.scheduler.states;

/**
 * How far a job is in moving from workers that leave.
 *
 * @param ready whether it has other slots instead
 * @param withinMillis when it must restart even without them; {@link Long#MAX_VALUE} if there is no deadline
 * @param reason which workers leave and why, for people
 */
public record Move(boolean ready, long withinMillis, String reason) {

    boolean isDue() {
        return ready || withinMillis <= 0;
    }

    boolean hasDeadline() {
        return withinMillis != Long.MAX_VALUE;
    }
}
