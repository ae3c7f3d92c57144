package io.berth.core.api.gateway;

import io.berth.core.api.InstanceId;
import io.berth.core.api.policy.MatchingRule;

/** Answer to a registration (FLIP-6). */
public sealed interface RegistrationResponse {

    /**
     * Registered.
     *
     * @param instance identity of this registration; 0 when the receiver keeps none
     * @param heartbeatIntervalMillis how often the receiver will send heartbeats
     * @param heartbeatTimeoutMillis how long a side may hear nothing before it considers the other side lost
     * @param matchingRule of the pool, when a JobMaster registers at the ResourceManager; otherwise without meaning
     */
    record Accepted(
            InstanceId instance, long heartbeatIntervalMillis, long heartbeatTimeoutMillis, MatchingRule matchingRule)
            implements RegistrationResponse {

        /** Answer to a worker. */
        public Accepted(InstanceId instance, long heartbeatIntervalMillis, long heartbeatTimeoutMillis) {
            this(instance, heartbeatIntervalMillis, heartbeatTimeoutMillis, MatchingRule.EXACT);
        }
    }

    /** Rejected permanently: the sender must not try again with the same data. */
    record Rejected(String reason) implements RegistrationResponse {}
}
