package io.berth.core.rpc.gateway;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The protocol between both ends, except the messages. */
public final class RpcProtocol {

    /** Changes whenever an older receiver would misread a message. */
    public static final int VERSION = 2;

    /** Maximum length of the text of a failure that is sent to a caller. */
    static final int MAX_TEXT = 1_000;

    public static final int MAX_METADATA_BYTES = 16_384;

    /** A {@code CallHeader}, with each call. */
    public static final Metadata.Key<byte[]> HEADER =
            Metadata.Key.of("berth-call-bin", Metadata.BINARY_BYTE_MARSHALLER);

    /** Name of an {@code RpcException.Kind}, with each rejection and failure that the receiver itself reports. */
    public static final Metadata.Key<String> KIND = Metadata.Key.of("berth-kind", Metadata.ASCII_STRING_MARSHALLER);

    private RpcProtocol() {}

    /** A method whose messages are bytes for gRPC; this bundle reads and checks them on both ends. */
    public static MethodDescriptor<byte[], byte[]> descriptor(String service, String method) {
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(MethodDescriptor.generateFullMethodName("berth.rpc.v1." + service, method))
                .setRequestMarshaller(Bytes.MARSHALLER)
                .setResponseMarshaller(Bytes.MARSHALLER)
                .build();
    }

    private enum Bytes implements MethodDescriptor.Marshaller<byte[]> {
        MARSHALLER;

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
