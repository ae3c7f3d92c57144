package io.berth.simulator.world;

import java.util.random.RandomGenerator;

/** Timeouts of one world, in milliseconds: of realistic size, and drawn for each world. */
public record Tuning(
        long heartbeatInterval,
        long heartbeatTimeout,
        long workerIdleTimeout,
        long registrationTimeout,
        long startupPeriod,
        long slotTimeout,
        long slotIdleTimeout,
        long resourceStabilization,
        long rescaleStabilization,
        long cancelTimeout,
        long resourceManagerTimeout,
        long callDeadline,
        boolean slotsGoBack) {

    static Tuning drawn(RandomGenerator random) {
        long interval = 2_000 + random.nextLong(3) * 1_500;
        return new Tuning(
                interval,
                interval * (3 + random.nextLong(3)),
                15_000 + random.nextLong(4) * 10_000,
                20_000 + random.nextLong(3) * 10_000,
                random.nextBoolean() ? 5_000 : 15_000,
                10_000,
                5_000 + random.nextLong(3) * 5_000,
                random.nextBoolean() ? 500 : 3_000,
                1_000,
                20_000,
                240_000,
                random.nextBoolean() ? 5_000 : 10_000,
                random.nextInt(3) == 0);
    }

    /**
     * The largest timeout that recovery may have to wait for. It does not include the one after which a worker without
     * a ResourceManager ends itself.
     */
    public long largest() {
        long largest = Math.max(heartbeatTimeout, workerIdleTimeout);
        largest = Math.max(largest, CoreSettings.resources(this).recoveryMillis());
        largest = Math.max(largest, Math.max(registrationTimeout, startupPeriod));
        largest = Math.max(largest, Math.max(slotTimeout, slotIdleTimeout));
        largest = Math.max(largest, Math.max(resourceStabilization, rescaleStabilization));
        return Math.max(largest, Math.max(cancelTimeout, callDeadline));
    }
}
