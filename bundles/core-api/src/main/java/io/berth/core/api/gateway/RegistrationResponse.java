package io.berth.core.api.gateway;

import io.berth.core.api.InstanceId;

/** Answer to a registration (FLIP-6). */
public sealed interface RegistrationResponse {

    /**
     * Registered.
     *
     * @param instance identity of this registration; 0 where the receiver keeps none
     * @param heartbeatIntervalMillis how often the receiver will send heartbeats
     * @param heartbeatTimeoutMillis after how long without one either side gives the other up
     */
    record Accepted(InstanceId instance, long heartbeatIntervalMillis, long heartbeatTimeoutMillis)
            implements RegistrationResponse {}

    /** Refused for good: the sender must not try again with the same data. */
    record Rejected(String reason) implements RegistrationResponse {}
}
