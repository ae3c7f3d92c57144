package io.berth.core.rpc.gateway;

import io.berth.core.api.rpc.EndpointRef;
import java.util.concurrent.CompletionStage;

/** Makes the calls of the gateway stubs. */
@FunctionalInterface
public interface Caller {

    /** Makes a call. Never throws and never blocks. */
    CompletionStage<?> call(EndpointRef target, RpcMethod method, Object[] arguments);
}
