package io.berth.core.rpc.gateway;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.grpc.MethodDescriptor;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One method of a gateway and how its messages are read and written.
 *
 * @param gateway the interface it belongs to
 * @param request reads a request and yields the call to make
 * @param answer writes what the call yields
 * @param answerReader reads it again
 */
public record RpcMethod<G, R>(
        MethodDescriptor<byte[], byte[]> descriptor,
        Class<G> gateway,
        Reader<Invocation<G, R>> request,
        Function<R, MessageLite> answer,
        Reader<R> answerReader) {

    /** The name for log lines and messages. */
    public String name() {
        return descriptor.getBareMethodName();
    }

    /** A call on a gateway, arguments included. */
    @FunctionalInterface
    public interface Invocation<G, R> {
        CompletionStage<R> on(G gateway);
    }

    /** Reads a value from its form on the wire. */
    @FunctionalInterface
    public interface Reader<T> {

        /**
         * @throws InvalidProtocolBufferException when the bytes are no message
         * @throws RuntimeException when a field has a value that is not allowed
         */
        T read(byte[] bytes) throws InvalidProtocolBufferException;
    }
}
