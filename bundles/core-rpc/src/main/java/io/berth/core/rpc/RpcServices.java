package io.berth.core.rpc;

import io.berth.core.api.time.SystemClock;
import io.berth.core.rpc.gateway.RpcProtocol;
import io.berth.core.security.ClusterSecurity;

/** Starts the transport, with or without an OSGi framework. */
public final class RpcServices {

    private RpcServices() {}

    /**
     * Starts the listener and the threads of a process. Call this once per process, and close the result.
     *
     * @param security how peers are known
     * @throws IllegalArgumentException when other hosts could connect, and connections are not secured
     * @throws IllegalStateException when the address cannot be bound; the message names it and what to do
     */
    public static RunningRpc start(RpcConfig config, ClusterSecurity security) {
        return GrpcRpc.start(config, security.credentials(), new SystemClock(), RpcProtocol.VERSION);
    }
}
