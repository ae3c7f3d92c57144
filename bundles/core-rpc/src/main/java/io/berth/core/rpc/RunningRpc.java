package io.berth.core.rpc;

import io.berth.core.api.gateway.RpcService;

/** The transport of one process while it runs. */
public interface RunningRpc extends RpcService, AutoCloseable {

    /**
     * Takes over what can change while it runs: the deadline of calls, and for connections made from now on the time to
     * connect. All else stays as it was at the start.
     *
     * @return whether all of {@code config} is in effect now; if not, the rest takes a new start
     */
    boolean reconfigure(RpcConfig config);

    /**
     * Calls itself over the network once, so that the first peer does not wait until classes are loaded. Returns at once.
     */
    void warmUp();

    /**
     * Ends listener, connections and threads within a few seconds. Calls without an answer fail as unreachable. Closing
     * again does nothing.
     */
    @Override
    void close();
}
