package io.berth.core.api.rpc;

import io.berth.core.api.gateway.RpcService;
import java.util.Optional;

/**
 * Tells where the roles {@link EndpointName#DISPATCHER}, {@link EndpointName#RESOURCE_MANAGER} and {@link
 * EndpointName#JOB_MASTERS} are served: at the address that is configured, else where the leader of the role is. One per
 * process of the control plane; workers are told addresses when they are started.
 *
 * <p>What it tells may be outdated: the process may have died, or may lead no more. So ask the address for the endpoint
 * ({@link RpcService#resolve}), and when that or a call fails, ask the directory again. The token of the endpoint, not
 * the address, says which term of the role it is.
 *
 * <p>Threads: both methods may be called on any thread and never block.
 */
public interface RoleDirectory {

    /**
     * Where the role is served now, as far as is known; empty while nobody leads.
     *
     * @throws IllegalArgumentException when the name is that of no role
     */
    Optional<RpcAddress> find(EndpointName role);

    /**
     * Runs the action whenever the answer may be another one: when another address is known, none is, or another term
     * began at the same one. Not right away: look once after following.
     *
     * @param changed short; run on any thread, also on several at once
     * @return ends it; the action may still run once
     * @throws IllegalArgumentException when the name is that of no role
     */
    AutoCloseable follow(EndpointName role, Runnable changed);
}
