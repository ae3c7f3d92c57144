package io.berth.core.policies.registry;

/**
 * Limits by which the host judges policies.
 *
 * @param leftOutMillis how long a strategy may leave out a minimum that fits, with a reason
 * @param failuresInARow failures in a row that quarantine a policy
 * @param recentFailures failures among the recent calls that quarantine a policy, including slow calls
 * @param recentCalls number of recent calls
 * @param slowPercent a call is slow when it takes more than this share of its deadline
 * @param retryMillis time until a quarantined policy is tried again; doubled after each failure; 0: never
 * @param retryMaxMillis upper bound of that time
 */
public record PolicyLimits(
        long leftOutMillis,
        int failuresInARow,
        int recentFailures,
        int recentCalls,
        int slowPercent,
        long retryMillis,
        long retryMaxMillis) {

    public static final PolicyLimits DEFAULTS = new PolicyLimits(60_000, 3, 8, 30, 50, 60_000, 3_600_000);

    public PolicyLimits {
        require("left.out.limit.ms", leftOutMillis, 0, 86_400_000);
        require("quarantine.failures.in.a.row", failuresInARow, 1, 1_000);
        require("quarantine.recent.calls", recentCalls, 1, 1_000);
        require("quarantine.recent.failures", recentFailures, 1, recentCalls);
        require("slow.call.percent", slowPercent, 1, 100);
        require("quarantine.retry.ms", retryMillis, 0, retryMaxMillis);
        require("quarantine.retry.max.ms", retryMaxMillis, 0, 86_400_000);
    }

    private static void require(String key, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(key + " is " + value + ": " + min + " to " + max + " is allowed");
        }
    }

    public PolicyLimits withLeftOutMillis(long changed) {
        return new PolicyLimits(
                changed, failuresInARow, recentFailures, recentCalls, slowPercent, retryMillis, retryMaxMillis);
    }

    /** How long a call may take without being slow. */
    public long slowMillis(long deadlineMillis) {
        return deadlineMillis * slowPercent / 100;
    }
}
