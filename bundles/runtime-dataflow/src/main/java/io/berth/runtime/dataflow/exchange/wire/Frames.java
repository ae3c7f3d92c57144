package io.berth.runtime.dataflow.exchange.wire;

import io.berth.runtime.dataflow.exchange.buffer.EventKind;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The protocol of the exchange, version 1. A frame is: payload length (4 bytes), type (1), channel (4), payload. The
 * consumer connects; both ends begin with HELLO. A BUFFER's payload begins with head and tail (4 bytes each, see {@link
 * NetworkBuffer}).
 *
 * <ul>
 *   <li>consumer to producer: OPEN (credit 4, part 4, partition UTF-8), CREDIT (4), CLOSE, PING; READ (credit 4, first
 *       part 4, number of parts 4, partition UTF-8) instead of OPEN for a stored partition. A worker that does not know
 *       READ closes the connection
 *   <li>producer to consumer: BUFFER, EVENT (kind 1), ERROR (UTF-8), PING
 * </ul>
 */
public final class Frames {

    public static final int MAGIC = 0x42525448;
    public static final int VERSION = 1;

    /** Length, type and channel. */
    static final int HEADER = 9;

    /** Header, head (4 bytes) and tail (4) of a BUFFER frame. A buffer has room for them before its records. */
    static final int BUFFER_HEADER = NetworkBuffer.BASE;

    /** Maximum payload of a BUFFER frame. */
    static final int MAX_BUFFER_PAYLOAD = 8 + NetworkBuffer.CAPACITY;

    /** Maximum payload of any other frame. */
    static final int MAX_CONTROL_PAYLOAD = 4096;

    private Frames() {}

    public enum Type {
        HELLO,
        OPEN,
        CREDIT,
        CLOSE,
        BUFFER,
        EVENT,
        ERROR,
        PING,
        READ;

        private static final Type[] ALL = values();

        static Type of(int code) throws ProtocolException {
            if (code < 0 || code >= ALL.length) {
                throw new ProtocolException("frame type " + code + " is unknown");
            }
            return ALL[code];
        }
    }

    static void checkLength(Type type, int length) throws ProtocolException {
        int least = type == Type.BUFFER ? 9 : 0;
        int most = type == Type.BUFFER ? MAX_BUFFER_PAYLOAD : MAX_CONTROL_PAYLOAD;
        if (length < least || length > most) {
            throw new ProtocolException(
                    type + " frame with " + length + " bytes of payload; allowed: " + least + " to " + most);
        }
    }

    /** The frame of a filled buffer: its own array, with the header written in front. */
    public static ByteBuf buffer(int channel, NetworkBuffer buffer) {
        byte[] array = buffer.array();
        ByteBuffer.wrap(array)
                .putInt(8 + buffer.length())
                .put((byte) Type.BUFFER.ordinal())
                .putInt(channel)
                .putInt(buffer.head())
                .putInt(buffer.tail());
        return Unpooled.wrappedBuffer(array, 0, BUFFER_HEADER + buffer.length());
    }

    public static ByteBuf event(ByteBufAllocator allocator, int channel, EventKind kind) {
        return control(allocator, Type.EVENT, channel, new byte[] {(byte) kind.code()});
    }

    public static ByteBuf hello(ByteBufAllocator allocator, String identity) {
        byte[] name = text(identity);
        byte[] payload = ByteBuffer.allocate(6 + name.length)
                .putInt(MAGIC)
                .putShort((short) VERSION)
                .put(name)
                .array();
        return control(allocator, Type.HELLO, 0, payload);
    }

    /** The kind of an EVENT, if this version accepts it. */
    public static EventKind eventKind(int code) throws ProtocolException {
        if (code == EventKind.END_OF_PARTITION.code()) {
            return EventKind.END_OF_PARTITION;
        }
        if (code == EventKind.BARRIER.code() || code == EventKind.WATERMARK.code()) {
            throw new ProtocolException("event " + code + " is reserved and not accepted by this version");
        }
        throw new ProtocolException("event " + code + " is unknown");
    }

    /** The identity in a HELLO. */
    public static String helloIdentity(byte[] payload) throws ProtocolException {
        ByteBuffer in = ByteBuffer.wrap(payload);
        if (payload.length < 7 || in.getInt() != MAGIC) {
            throw new ProtocolException("HELLO without the magic number of the exchange");
        }
        int version = in.getShort();
        if (version != VERSION) {
            throw new ProtocolException(
                    "the peer speaks version " + version + " of the exchange, this worker version " + VERSION);
        }
        return new String(payload, 6, payload.length - 6, StandardCharsets.UTF_8);
    }

    /** OPEN, or READ if what is wanted is stored. */
    public static ByteBuf open(ByteBufAllocator allocator, int channel, int credit, Wanted wanted) {
        byte[] name = text(wanted.name());
        ByteBuffer payload = ByteBuffer.allocate((wanted.stored() ? 12 : 8) + name.length)
                .putInt(credit)
                .putInt(wanted.first());
        if (wanted.stored()) {
            payload.putInt(wanted.count());
        }
        return control(
                allocator,
                wanted.stored() ? Type.READ : Type.OPEN,
                channel,
                payload.put(name).array());
    }

    public static ByteBuf credit(ByteBufAllocator allocator, int channel, int credit) {
        return control(
                allocator,
                Type.CREDIT,
                channel,
                ByteBuffer.allocate(4).putInt(credit).array());
    }

    public static ByteBuf error(ByteBufAllocator allocator, int channel, String reason) {
        return control(allocator, Type.ERROR, channel, text(reason));
    }

    public static ByteBuf control(ByteBufAllocator allocator, Type type, int channel, byte[] payload) {
        return allocator
                .buffer(HEADER + payload.length)
                .writeInt(payload.length)
                .writeByte(type.ordinal())
                .writeInt(channel)
                .writeBytes(payload);
    }

    private static byte[] text(String characters) {
        byte[] bytes = characters.getBytes(StandardCharsets.UTF_8);
        return bytes.length <= MAX_CONTROL_PAYLOAD - 16 ? bytes : Arrays.copyOf(bytes, MAX_CONTROL_PAYLOAD - 16);
    }
}
