package io.berth.core.rpc.gateway;

import io.berth.core.api.rpc.RpcException;
import io.berth.core.rpc.wire.Form;
import io.berth.core.security.Peer;
import io.grpc.MethodDescriptor;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.CompletionStage;

/**
 * One method of a gateway.
 *
 * @param gateway the interface it belongs to
 * @param handle called with the gateway and the array of arguments
 * @param request format of the array of arguments
 * @param answer format of the value of the stage
 * @param access who may call it
 */
public record RpcMethod(
        MethodDescriptor<byte[], byte[]> descriptor,
        Class<?> gateway,
        MethodHandle handle,
        Form request,
        Form answer,
        Access access) {

    /** The name for log lines and error texts. */
    public String name() {
        return descriptor.getBareMethodName();
    }

    /**
     * Checks who calls, before the message is read.
     *
     * @throws RpcException when the peer may not
     */
    public void admit(Peer peer) {
        access.admit(peer, name());
    }

    /**
     * Checks whom a call speaks for.
     *
     * @throws RpcException when the peer may not speak for them
     */
    public void admit(Peer peer, Object[] arguments) {
        access.admit(peer, name(), arguments);
    }

    /** Calls the gateway, which may throw anything. */
    @SuppressWarnings("unchecked")
    CompletionStage<Object> invoke(Object target, Object[] arguments) throws Throwable {
        return (CompletionStage<Object>) handle.invokeExact(target, arguments);
    }
}
