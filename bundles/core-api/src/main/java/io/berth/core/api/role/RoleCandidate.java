package io.berth.core.api.role;

import io.berth.core.api.rpc.EndpointName;

/** This process as a candidate for one role: a service, for as long as it competes. Any thread; never blocks. */
public interface RoleCandidate {

    EndpointName role();

    /** Whether this process leads; else it waits for the leader to go. */
    boolean leads();
}
