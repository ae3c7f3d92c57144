package io.berth.core.rpc;

import io.berth.core.api.time.SystemClock;
import io.berth.core.rpc.gateway.RpcProtocol;

/** Starts the transport, with or without an OSGi framework. */
public final class RpcServices {

    private RpcServices() {}

    /**
     * Starts the listener and the threads of a process. Call this once per process, and close the result.
     *
     * @throws IllegalStateException when the address cannot be bound; the message names it and what to do
     */
    public static RunningRpc start(RpcConfig config) {
        return GrpcRpc.start(config, new SystemClock(), RpcProtocol.VERSION);
    }
}
