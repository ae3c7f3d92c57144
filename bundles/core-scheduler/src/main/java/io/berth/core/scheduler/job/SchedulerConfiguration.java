package io.berth.core.scheduler.job;

import io.berth.core.api.heartbeat.HeartbeatSettings;
import io.berth.core.api.registration.RegistrationSettings;

/**
 * Settings of the JobMasters. A change applies to jobs that start after it. All times are in milliseconds.
 *
 * @param heartbeatIntervalMillis between heartbeats to the workers of a job; also how fresh its metrics are
 * @param heartbeatTimeoutMillis after which a silent worker is lost
 * @param resourceWaitTimeoutMillis how long a job waits for its minimum before it fails; -1: without limit
 * @param resourceStabilization when a job starts with fewer slots than desired, once its minimum is there
 * @param rescaleStabilization when a running job whose slots changed is asked whether it rescales
 * @param slotIdleTimeoutMillis after which an idle slot that is no longer required is returned
 * @param cancelTimeoutMillis how long canceled tasks may take to end before their slots are returned with them
 * @param rootCauseWaitMillis how long a failure that is a consequence waits for the report of its cause
 * @param restart whether, when and how often a failed job restarts
 * @param heartbeatFailuresMax after how many failed heartbeats in a row a worker is lost; -1: only after the timeout
 * @param slotReuse what happens to slots that an execution has released
 * @param registration at the ResourceManager
 * @param declareRetryMaxMillis longest pause before a declaration that failed is sent again; the first is 1 ms
 * @param measurementWindowMillis over which rates and shares of tasks are computed
 */
public record SchedulerConfiguration(
        long heartbeatIntervalMillis,
        long heartbeatTimeoutMillis,
        long resourceWaitTimeoutMillis,
        Stabilization resourceStabilization,
        Stabilization rescaleStabilization,
        long slotIdleTimeoutMillis,
        long cancelTimeoutMillis,
        long rootCauseWaitMillis,
        Restart restart,
        int heartbeatFailuresMax,
        SlotReuse slotReuse,
        RegistrationSettings registration,
        long declareRetryMaxMillis,
        long measurementWindowMillis) {

    public static final SchedulerConfiguration DEFAULTS = new SchedulerConfiguration(
            1_000,
            10_000,
            -1,
            new Stabilization(3_000, 30_000),
            new Stabilization(1_000, 30_000),
            10_000,
            30_000,
            300,
            Restart.DEFAULTS,
            2,
            SlotReuse.REUSE,
            RegistrationSettings.DEFAULTS,
            10_000,
            60_000);

    public SchedulerConfiguration {
        requireAtLeast("heartbeat.interval.ms", heartbeatIntervalMillis, 10);
        requireAtLeast("heartbeat.timeout.ms", heartbeatTimeoutMillis, heartbeatIntervalMillis + 1);
        requireAtLeast("resource.wait.timeout.ms", resourceWaitTimeoutMillis, -1);
        resourceStabilization.require("resource.stabilization");
        rescaleStabilization.require("rescale.stabilization");
        requireAtLeast("slot.idle.timeout.ms", slotIdleTimeoutMillis, 0);
        requireAtLeast("cancel.timeout.ms", cancelTimeoutMillis, 1);
        requireAtLeast("root.cause.wait.ms", rootCauseWaitMillis, 0);
        if (heartbeatFailuresMax != -1) {
            requireAtLeast("heartbeat.failures.max", heartbeatFailuresMax, 1);
        }
        requireAtLeast("declaration.retry.max.ms", declareRetryMaxMillis, 1);
        requireAtLeast("measurement.window.ms", measurementWindowMillis, 1_000);
    }

    /** The same with another stabilization, at the start and while it runs. */
    public SchedulerConfiguration withStabilization(Stabilization stabilization) {
        return with(stabilization, stabilization, slotIdleTimeoutMillis);
    }

    /** The same with another {@code slot.idle.timeout.ms}. */
    public SchedulerConfiguration withSlotIdleTimeout(long millis) {
        return with(resourceStabilization, rescaleStabilization, millis);
    }

    private SchedulerConfiguration with(Stabilization resource, Stabilization rescale, long idleTimeoutMillis) {
        return new SchedulerConfiguration(
                heartbeatIntervalMillis,
                heartbeatTimeoutMillis,
                resourceWaitTimeoutMillis,
                resource,
                rescale,
                idleTimeoutMillis,
                cancelTimeoutMillis,
                rootCauseWaitMillis,
                restart,
                heartbeatFailuresMax,
                slotReuse,
                registration,
                declareRetryMaxMillis,
                measurementWindowMillis);
    }

    public HeartbeatSettings heartbeat() {
        return new HeartbeatSettings(heartbeatIntervalMillis, heartbeatTimeoutMillis, heartbeatFailuresMax);
    }

    private static void requireAtLeast(String key, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(key + " is " + value + ": at least " + least + " is allowed");
        }
    }

    /**
     * Slots are stable when none arrived for a while, or when the first change is too long ago.
     *
     * @param timeoutMillis how long the slots must not change
     * @param maxMillis longest wait after the first change
     */
    public record Stabilization(long timeoutMillis, long maxMillis) {

        private void require(String key) {
            requireAtLeast(key + ".timeout.ms", timeoutMillis, 0);
            requireAtLeast(key + ".max.ms", maxMillis, timeoutMillis);
        }
    }

    /** What happens to slots that an execution has released (FLIP-138, "Accepting resources"). */
    public enum SlotReuse {
        /** They stay, for the next execution and for any group that they fit. */
        REUSE,
        /**
         * Slots that do not match the requirements exactly are returned at once, and slots of the right size are
         * required instead.
         */
        RETURN;

        /**
         * Reads {@code reuse} or {@code return}.
         *
         * @throws IllegalArgumentException names the key, the text and what is allowed
         */
        public static SlotReuse parse(String text) {
            return switch (text) {
                case "reuse" -> REUSE;
                case "return" -> RETURN;
                default ->
                    throw new IllegalArgumentException("slot.reuse is '" + text + "': reuse or return is allowed");
            };
        }
    }
}
