package io.berth.core.scheduler.job;

/**
 * Whether, when and how often a job restarts after a failure (FLIP-160, section FailureHandler). Planned restarts do not
 * depend on it. All times are in milliseconds.
 *
 * @param maxAttempts how many restarts without progress with {@link Strategy#EXPONENTIAL} and {@link Strategy#FIXED}; the next
 *     failure fails the job; -1: without limit
 * @param rate limit of {@link Strategy#RATE}
 * @param maxWorkerKills in how many executions in a row without progress the same task may lose its worker; the next
 *     time fails the job; -1: without limit
 */
public record Restart(Strategy strategy, Delay delay, int maxAttempts, Rate rate, int maxWorkerKills) {

    public static final Restart DEFAULTS =
            new Restart(Strategy.EXPONENTIAL, new Delay(200, 10_000, 2, 0.1, 60_000), 10, new Rate(3, 60_000), 10);

    public Restart {
        requireAtLeast("restart.attempts.max", maxAttempts, -1);
        requireAtLeast("task.worker.kills.max", maxWorkerKills, -1);
    }

    private static void requireAtLeast(String key, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(key + " is " + value + ": at least " + least + " is allowed");
        }
    }

    /** How the delay grows, and what ends the restarts. */
    public enum Strategy {
        /** The delay grows; the number of restarts without progress is limited. */
        EXPONENTIAL,
        /** The delay stays the same; the number of restarts without progress is limited. */
        FIXED,
        /** The delay stays the same; the number of failures in a time is limited. */
        RATE,
        /** Each failure fails the job. */
        NONE;

        /**
         * Reads a word such as {@code exponential}.
         *
         * @throws IllegalArgumentException names the key, the text and what is allowed
         */
        public static Strategy parse(String text) {
            return switch (text) {
                case "exponential" -> EXPONENTIAL;
                case "fixed" -> FIXED;
                case "rate" -> RATE;
                case "none" -> NONE;
                default ->
                    throw new IllegalArgumentException(
                            "restart.strategy is '" + text + "': exponential, fixed, rate or none is allowed");
            };
        }
    }

    /**
     * The time from a failure to the restart.
     *
     * @param initialMillis before the first restart, and before each with {@link Strategy#FIXED} and {@link Strategy#RATE}
     * @param maxMillis upper bound
     * @param multiplier from one restart to the next, at least 1
     * @param jitter by this share a growing delay is longer or shorter at random, so that jobs that failed together do not
     *     restart together; below 1
     * @param resetMillis an execution that lasted this long is progress: delay and counts are reset
     */
    public record Delay(long initialMillis, long maxMillis, double multiplier, double jitter, long resetMillis) {

        public Delay {
            requireAtLeast("restart.delay.initial.ms", initialMillis, 0);
            requireAtLeast("restart.delay.max.ms", maxMillis, initialMillis);
            requireAtLeast("restart.delay.reset.ms", resetMillis, 0);
            if (!(multiplier >= 1)) {
                throw new IllegalArgumentException(
                        "restart.delay.multiplier is " + multiplier + ": at least 1 is allowed");
            }
            if (!(jitter >= 0 && jitter < 1)) {
                throw new IllegalArgumentException(
                        "restart.delay.jitter is " + jitter + ": at least 0 and below 1 is allowed");
            }
        }
    }

    /** @param maxFailures in the time; one more fails the job */
    public record Rate(int maxFailures, long intervalMillis) {

        public Rate {
            requireAtLeast("restart.rate.failures.max", maxFailures, 0);
            requireAtLeast("restart.rate.interval.ms", intervalMillis, 1);
        }
    }
}
