package io.berth.core.security;

import java.util.Optional;

/**
 * How the processes of a cluster know each other; a service in each of them.
 *
 * @param credentials of this process; empty: connections are not secured, so that only this host may connect
 */
public record ClusterSecurity(Optional<LiveCredentials> credentials) {

    /** Connections are not secured. */
    public static final ClusterSecurity NONE = new ClusterSecurity(Optional.empty());

    public static ClusterSecurity by(LiveCredentials credentials) {
        return new ClusterSecurity(Optional.of(credentials));
    }
}
