package io.berth.core.api.registration;

/**
 * How registrations are retried. Times in milliseconds.
 *
 * @param timeoutInitialMillis how long the first attempt waits for an answer; each further one waits twice as long
 * @param timeoutMaxMillis maximum time that an attempt waits
 * @param errorPauseMillis pause after the receiver failed to handle an attempt
 * @param refusedPauseMillis pause after the receiver rejected an attempt
 */
public record RegistrationSettings(
        long timeoutInitialMillis, long timeoutMaxMillis, long errorPauseMillis, long refusedPauseMillis) {

    public static final RegistrationSettings DEFAULTS = new RegistrationSettings(100, 30_000, 10_000, 30_000);

    public RegistrationSettings {
        require("registration.timeout.initial.ms", timeoutInitialMillis, 1);
        require("registration.timeout.max.ms", timeoutMaxMillis, timeoutInitialMillis);
        require("registration.error.pause.ms", errorPauseMillis, 1);
        require("registration.refused.pause.ms", refusedPauseMillis, 1);
    }

    private static void require(String key, long value, long min) {
        if (value < min) {
            throw new IllegalArgumentException(key + " is " + value + ": at least " + min + " is allowed");
        }
    }

    /** The same settings with pauses of at most {@code maxMillis}, for attempts that must succeed soon. */
    public RegistrationSettings withPausesUpTo(long maxMillis) {
        return new RegistrationSettings(
                timeoutInitialMillis,
                timeoutMaxMillis,
                Math.max(1, Math.min(errorPauseMillis, maxMillis)),
                Math.max(1, Math.min(refusedPauseMillis, maxMillis)));
    }
}
