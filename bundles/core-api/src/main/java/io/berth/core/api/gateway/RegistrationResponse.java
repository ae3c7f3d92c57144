package io.berth.core.api.gateway;

import io.berth.core.api.InstanceId;
import io.berth.core.api.policy.MatchingRule;

/** Answer to a registration (FLIP-6). */
public sealed interface RegistrationResponse {

    /**
     * Registered.
     *
     * @param instance identity of this registration; 0 where the receiver keeps none
     * @param heartbeatIntervalMillis how often the receiver will send heartbeats
     * @param heartbeatTimeoutMillis after how long without one either side gives the other up
     * @param matchingRule of the pool, to a JobMaster that registers at the ResourceManager; of no meaning else
     */
    record Accepted(
            InstanceId instance, long heartbeatIntervalMillis, long heartbeatTimeoutMillis, MatchingRule matchingRule)
            implements RegistrationResponse {

        /** To a worker. */
        public Accepted(InstanceId instance, long heartbeatIntervalMillis, long heartbeatTimeoutMillis) {
            this(instance, heartbeatIntervalMillis, heartbeatTimeoutMillis, MatchingRule.EXACT);
        }
    }

    /** Refused for good: the sender must not try again with the same data. */
    record Rejected(String reason) implements RegistrationResponse {}
}
