package io.berth.core.api.rpc;

import io.berth.core.api.gateway.RpcService;
import java.util.Optional;

/**
 * Knows the addresses of the roles {@link EndpointName#DISPATCHER}, {@link EndpointName#RESOURCE_MANAGER} and {@link
 * EndpointName#JOB_MASTERS}: the configured address, or else that of the role's leader. One per process of the control
 * plane; workers get addresses when they are started.
 *
 * <p>An address may be outdated: the process may have died, or may no longer lead. So resolve the endpoint at the
 * address ({@link RpcService#resolve}), and when that or a call fails, ask the directory again. The token of the
 * endpoint, not the address, identifies the term of the role.
 *
 * <p>Both methods may be called on any thread and never block.
 */
public interface RoleDirectory {

    /**
     * The known address of the role; empty while no leader is known.
     *
     * @throws IllegalArgumentException when the name is not a role
     */
    Optional<RpcAddress> find(EndpointName role);

    /**
     * Runs the action whenever the result of {@link #find} may have changed, or another term began at the same
     * address. The action does not run at once, so call {@link #find} after following.
     *
     * @param changed a short action; it may run on any thread, and on several at the same time
     * @return ends the following; the action may still run once
     * @throws IllegalArgumentException when the name is not a role
     */
    AutoCloseable follow(EndpointName role, Runnable changed);

    /** All roles are at that address, which does not change. */
    static RoleDirectory at(RpcAddress address) {
        return new RoleDirectory() {
            @Override
            public Optional<RpcAddress> find(EndpointName role) {
                return Optional.of(address);
            }

            @Override
            public AutoCloseable follow(EndpointName role, Runnable changed) {
                return () -> {};
            }
        };
    }
}
