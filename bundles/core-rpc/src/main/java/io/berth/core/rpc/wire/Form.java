package io.berth.core.rpc.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;

/** Converts values of one type to messages of one type, and back. Thread-safe. */
public final class Form {

    private final MessageLite empty;
    private final Codec codec;

    Form(MessageLite empty, Codec codec) {
        this.empty = empty;
        this.codec = codec;
    }

    public MessageLite write(Object value) {
        return (MessageLite) codec.write(value);
    }

    /**
     * @throws InvalidProtocolBufferException when the bytes are not a message
     * @throws RuntimeException when a field has a value that is not allowed
     */
    public Object read(byte[] message) throws InvalidProtocolBufferException {
        return codec.read(empty.getParserForType().parseFrom(message));
    }
}
