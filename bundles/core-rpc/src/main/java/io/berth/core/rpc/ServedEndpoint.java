package io.berth.core.rpc;

import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.rpc.EndpointRef;

record ServedEndpoint(EndpointRef endpoint, Runnable end) implements RpcService.Served {

    @Override
    public void close() {
        end.run();
    }
}
