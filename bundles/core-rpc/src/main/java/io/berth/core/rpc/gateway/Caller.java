package io.berth.core.rpc.gateway;

import com.google.protobuf.MessageLite;
import io.berth.core.api.rpc.EndpointRef;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Makes the calls of the gateway stubs. */
@FunctionalInterface
public interface Caller {

    /**
     * Never throws and never blocks.
     *
     * @param invocation the call, for an endpoint of this process
     * @param request the same as a message, for one elsewhere
     */
    <G, R> CompletionStage<R> call(
            EndpointRef target,
            RpcMethod<G, R> method,
            RpcMethod.Invocation<G, R> invocation,
            Supplier<MessageLite> request);
}
