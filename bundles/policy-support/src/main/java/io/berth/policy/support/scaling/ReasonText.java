package io.berth.policy.support.scaling;

import java.util.Locale;

/** Numbers as they stand in the reasons of scaling policies. Pure functions. */
public final class ReasonText {

    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;

    private ReasonText() {}

    /** A share with two decimal places: {@code 0.93}. */
    public static String share(double share) {
        return String.format(Locale.ROOT, "%.2f", share);
    }

    /** Records per second: {@code 1,650/s}, or {@code 3.2/s}. */
    public static String rate(double perSecond) {
        return String.format(Locale.ROOT, perSecond < 10 ? "%.1f/s" : "%,.0f/s", perSecond);
    }

    /** Tasks with their number: {@code 1 task}, {@code 6 tasks}. */
    public static String tasks(int count) {
        return count == 1 ? "1 task" : count + " tasks";
    }

    /** A length of time, rounded up to what people read: {@code 45 s}, {@code 12 min}, {@code 1 h 40 min}. */
    public static String duration(long millis) {
        if (millis < MINUTE) {
            return ceiling(millis, SECOND) + " s";
        }
        long minutes = ceiling(millis, MINUTE);
        if (minutes < 60) {
            return minutes + " min";
        }
        long rest = minutes % 60;
        return minutes / 60 + " h" + (rest == 0 ? "" : " " + rest + " min");
    }

    private static long ceiling(long millis, long unit) {
        return (millis + unit - 1) / unit;
    }
}
