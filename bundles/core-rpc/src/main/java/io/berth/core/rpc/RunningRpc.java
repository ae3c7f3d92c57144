package io.berth.core.rpc;

import io.berth.core.api.gateway.RpcService;

/** The running transport of one process. */
public interface RunningRpc extends RpcService, AutoCloseable {

    /**
     * Applies the settings that can change while the transport runs: the deadline of calls and, for new connections,
     * the connect timeout. All other settings stay unchanged.
     *
     * @return whether all of {@code config} is in effect now; if not, the other settings need a restart
     */
    boolean reconfigure(RpcConfig config);

    /**
     * Calls this process over the network once, so that the first peer does not wait for class loading. Returns at
     * once.
     */
    void warmUp();

    /**
     * Ends the listener, the connections and the threads within a few seconds. Calls without an answer fail as
     * unreachable. Closing again has no effect.
     */
    @Override
    void close();
}
