package io.berth.core.api.time;

/** Durations as text for people, in at most two units. */
public final class TimeText {

    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private TimeText() {}

    /**
     * The duration, rounded up to the smaller unit: {@code 45 s}, {@code 10 min}, {@code 2 h 5 min}, {@code 3 d 4 h}.
     */
    public static String of(long millis) {
        long seconds = (millis + 999) / 1_000;
        if (seconds < MINUTE) {
            return seconds + " s";
        }
        long minutes = (seconds + MINUTE - 1) / MINUTE;
        if (minutes < 60) {
            return minutes + " min";
        }
        if (minutes < DAY / MINUTE) {
            return two(minutes / 60, "h", minutes % 60, "min");
        }
        long hours = (minutes + 59) / 60;
        return two(hours / 24, "d", hours % 24, "h");
    }

    /** The duration, with fractions of a second below a minute: {@code 40 ms}, {@code 1.9 s}, {@code 10 min}. */
    public static String exact(long millis) {
        if (millis < 1_000) {
            return millis + " ms";
        }
        return millis < 1_000 * MINUTE ? millis / 1_000 + "." + millis % 1_000 / 100 + " s" : of(millis);
    }

    private static String two(long large, String largeUnit, long small, String smallUnit) {
        return large + " " + largeUnit + (small == 0 ? "" : " " + small + " " + smallUnit);
    }
}
