package io.berth.core.resources.logs;

/**
 * How much is kept of the logs of workers of this machine that are gone.
 *
 * @param maxBytes of the logs of all workers of this machine together; those of workers that are gone are removed first
 *     when there are more
 * @param maxAgeMillis after which the logs of a worker that is gone are removed
 */
public record LogBounds(long maxBytes, long maxAgeMillis) {

    /** One GiB, one week. */
    public static final LogBounds DEFAULTS = new LogBounds(1L << 30, 168L * 3_600_000);

    private static final long MEBIBYTE = 1 << 20;
    private static final long HOUR_MILLIS = 3_600_000;
    private static final long MAX_MEBIBYTES = 1 << 20;
    private static final long MAX_HOURS = 8_760;

    /** @throws IllegalArgumentException names the key, its value and what is allowed */
    public static LogBounds of(long mebibytes, long hours) {
        require("worker.logs.max.mib", mebibytes, MAX_MEBIBYTES);
        require("worker.logs.max.age.hours", hours, MAX_HOURS);
        return new LogBounds(mebibytes * MEBIBYTE, hours * HOUR_MILLIS);
    }

    private static void require(String key, long value, long most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(key + " is " + value + ": allowed is 1 to " + most);
        }
    }
}
