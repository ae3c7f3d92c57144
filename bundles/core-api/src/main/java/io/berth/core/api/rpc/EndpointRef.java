package io.berth.core.api.rpc;

import io.berth.core.api.FencingToken;

/** An endpoint as a peer knows it: its address, name and token. */
public record EndpointRef(RpcAddress address, EndpointName name, FencingToken token) {

    @Override
    public String toString() {
        return name + "@" + address + "#" + token;
    }
}
