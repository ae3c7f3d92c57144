package io.berth.core.api.operations;

import java.util.List;

/** What users see of the roles of the control plane, as the process that is asked knows it. Any thread; never blocks. */
public interface RoleOperations {

    /** All roles, in a fixed order. */
    List<RoleDetails> roles();

    /** What this process does for a role. */
    enum Here {
        /** It leads. */
        LEADS,
        /** It is a candidate and waits for the leader to go. */
        WAITS,
        /** It is no candidate. */
        NONE;

        /** The word for people and scripts. */
        public String label() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /**
     * A role.
     *
     * @param role its name
     * @param leader where it is served, HOST:PORT; empty while nobody is known to lead
     * @param epoch of the leader's term; 0 while nobody is known to lead
     * @param here {@link Here#label}: what the process does that answers
     */
    record RoleDetails(String role, String leader, long epoch, String here) {}
}
