package io.berth.core.rpc;

import io.berth.core.api.time.SystemClock;
import io.berth.core.rpc.gateway.RpcProtocol;

/** Starts the transport in a process of any kind; it needs no OSGi framework. */
public final class RpcServices {

    private RpcServices() {}

    /**
     * Starts the listener and the threads of a process. Call once per process, and close what is returned.
     *
     * @throws IllegalStateException when the address cannot be bound; names it and what to do
     */
    public static RunningRpc start(RpcConfig config) {
        return GrpcRpc.start(config, new SystemClock(), RpcProtocol.VERSION);
    }
}
