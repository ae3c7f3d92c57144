package io.berth.worker.settings;

/**
 * How often a registration is tried (Flink's retrying registration): an attempt without an answer is repeated at once with
 * twice the time, one that the receiver failed to handle or refused is repeated after a pause, with the first time again.
 *
 * @param firstMillis how long the first attempt may take
 * @param mostMillis what that grows to
 * @param errorPauseMillis after the receiver failed to handle the attempt
 * @param refusedPauseMillis after the receiver refused the message
 */
public record RegistrationPace(long firstMillis, long mostMillis, long errorPauseMillis, long refusedPauseMillis) {

    public static final RegistrationPace DEFAULT = new RegistrationPace(100, 30_000, 10_000, 30_000);

    public RegistrationPace {
        require("first attempt", firstMillis, 1);
        require("longest attempt", mostMillis, firstMillis);
        require("pause after an error", errorPauseMillis, 1);
        require("pause after a refusal", refusedPauseMillis, 1);
    }

    private static void require(String name, long millis, long least) {
        if (millis < least) {
            throw new IllegalArgumentException(
                    "registration: the " + name + " is " + millis + " ms: at least " + least + " ms is allowed");
        }
    }

    /** The same with no pause above {@code mostPauseMillis}: for what is given up soon when it does not succeed. */
    public RegistrationPace withPausesUpTo(long mostPauseMillis) {
        return new RegistrationPace(
                firstMillis,
                mostMillis,
                Math.max(1, Math.min(errorPauseMillis, mostPauseMillis)),
                Math.max(1, Math.min(refusedPauseMillis, mostPauseMillis)));
    }
}
