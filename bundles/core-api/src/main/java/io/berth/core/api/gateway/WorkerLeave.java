package io.berth.core.api.gateway;

/**
 * Why and when a worker leaves: it receives no slots, and its jobs move to other workers.
 *
 * @param millis time left, 0 when the deadline is over; {@link #NO_DEADLINE} when it leaves as soon as it is empty. It is relative,
 *     because each process has its own clock
 * @param reason for people, for example {@code drained by ann}
 * @param byBackend whether its backend takes it away, so that no operator can keep it
 */
public record WorkerLeave(long millis, String reason, boolean byBackend) {

    /** No deadline: nobody has to move without other slots. */
    public static final long NO_DEADLINE = Long.MAX_VALUE;

    /** Maximum length of the reason, in characters. */
    public static final int MAX_REASON = 200;

    public WorkerLeave {
        // A deadline that is over.
        millis = Math.max(0, millis);
    }

    /** An operator drains it. */
    public WorkerLeave(long millis, String reason) {
        this(millis, reason, false);
    }

    public boolean hasDeadline() {
        return millis != NO_DEADLINE;
    }
}
