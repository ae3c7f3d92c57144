package io.berth.runtime.service;

import io.berth.dataflow.api.Configuration;

/**
 * The deadlines of a service, from the configuration of its vertex; the service has the same configuration.
 *
 * @param healthFailuresMax how many checks in a row may fail before the task does
 */
record ServiceSettings(
        long startMillis, long stopMillis, long healthIntervalMillis, long healthMillis, int healthFailuresMax) {

    private static final long MAX_MILLIS = 3_600_000;
    private static final long MAX_STOP_MILLIS = 120_000;

    /** @throws io.berth.dataflow.api.ConfigurationException when a value is wrong */
    static ServiceSettings of(Configuration configuration) {
        return new ServiceSettings(
                configuration.number("start.timeout.ms", 30_000, 1, MAX_MILLIS),
                configuration.number("stop.timeout.ms", 10_000, 1, MAX_STOP_MILLIS),
                configuration.number("health.interval.ms", 10_000, 1, MAX_MILLIS),
                configuration.number("health.timeout.ms", 10_000, 1, MAX_MILLIS),
                (int) configuration.number("health.failures.max", 3, 1, 1_000));
    }
}
