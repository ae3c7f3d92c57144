package io.berth.core.api.operations;

import java.util.List;

/** The roles of the control plane as this process knows them. Thread-safe; never blocks. */
public interface RoleOperations {

    /** All roles, in a fixed order. */
    List<RoleDetails> roles();

    /** What this process does for a role. */
    enum Here {
        /** It leads. */
        LEADS,
        /** It is a standby. */
        WAITS,
        /** It is not a candidate. */
        NONE;

        /** The name for people and scripts. */
        public String label() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /**
     * A role.
     *
     * @param role name of the role
     * @param leader address of the leader, HOST:PORT; empty while no leader is known
     * @param epoch epoch of the leader's term; 0 while no leader is known
     * @param here {@link Here#label}: what the answering process does for the role
     */
    record RoleDetails(String role, String leader, long epoch, String here) {}
}
