package io.berth.core.policies.registry;

/**
 * By what the host judges policies.
 *
 * @param leftOutMillis how long a strategy may leave out a minimum for which there is room, with a reason
 */
public record PolicyLimits(long leftOutMillis) {

    static final PolicyLimits DEFAULTS = new PolicyLimits(60_000);

    public PolicyLimits {
        require("left.out.limit.ms", leftOutMillis, 0, 86_400_000);
    }

    private static void require(String key, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(key + " is " + value + ": " + min + " to " + max + " is allowed");
        }
    }
}
