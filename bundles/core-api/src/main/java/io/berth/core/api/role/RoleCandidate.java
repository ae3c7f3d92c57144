package io.berth.core.api.role;

import io.berth.core.api.rpc.EndpointName;

/** This process as a candidate for one role; registered as a service while it competes. Thread-safe; never blocks. */
public interface RoleCandidate {

    EndpointName role();

    /** Whether this process leads; otherwise it is a standby. */
    boolean leads();
}
