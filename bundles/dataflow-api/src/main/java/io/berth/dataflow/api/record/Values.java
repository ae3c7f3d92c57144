package io.berth.dataflow.api.record;

import io.berth.dataflow.api.RecordInput;
import io.berth.dataflow.api.RecordOutput;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Single values as bytes. A value that may be null begins with 0 for null. Pure functions, found by name and type. */
final class Values {

    private Values() {}

    static void write(boolean value, RecordOutput out) {
        out.writeByte(value ? 1 : 0);
    }

    static boolean readBoolean(RecordInput in) {
        return in.readByte() != 0;
    }

    static void write(char value, RecordOutput out) {
        out.writeVarInt(value);
    }

    static char readChar(RecordInput in) {
        return (char) in.readVarInt();
    }

    static void write(byte value, RecordOutput out) {
        write((long) value, out);
    }

    static byte readByte(RecordInput in) {
        return (byte) readWhole(in, Byte.MIN_VALUE, Byte.MAX_VALUE);
    }

    static void write(short value, RecordOutput out) {
        write((long) value, out);
    }

    static short readShort(RecordInput in) {
        return (short) readWhole(in, Short.MIN_VALUE, Short.MAX_VALUE);
    }

    static void write(int value, RecordOutput out) {
        out.writeVarInt(value << 1 ^ value >> 31);
    }

    static int readInt(RecordInput in) {
        return (int) readWhole(in, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    static void write(long value, RecordOutput out) {
        out.writeVarLong(value << 1 ^ value >> 63);
    }

    static long readLong(RecordInput in) {
        long coded = in.readVarLong();
        return coded >>> 1 ^ -(coded & 1);
    }

    private static long readWhole(RecordInput in, long minimum, long maximum) {
        long value = readLong(in);
        if (value < minimum || value > maximum) {
            throw new IllegalStateException(
                    "the number " + value + " was written and does not fit the component, which holds " + minimum
                            + " to " + maximum + ": make the component a long");
        }
        return value;
    }

    static void write(float value, RecordOutput out) {
        out.writeInt(Float.floatToRawIntBits(value));
    }

    static float readFloat(RecordInput in) {
        return Float.intBitsToFloat(in.readInt());
    }

    static void write(double value, RecordOutput out) {
        out.writeLong(Double.doubleToRawLongBits(value));
    }

    static double readDouble(RecordInput in) {
        return Double.longBitsToDouble(in.readLong());
    }

    static void write(@Nullable String value, RecordOutput out) {
        if (value == null) {
            out.writeByte(0);
            return;
        }
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        out.writeVarInt(bytes.length + 1);
        out.writeBytes(bytes, 0, bytes.length);
    }

    static @Nullable String readString(RecordInput in) {
        int length = in.readVarInt() - 1;
        if (length < 0) {
            return null;
        }
        int start = in.skip(length);
        return new String(in.array(), start, length, StandardCharsets.UTF_8);
    }

    static void write(byte @Nullable [] value, RecordOutput out) {
        if (value == null) {
            out.writeByte(0);
            return;
        }
        out.writeVarInt(value.length + 1);
        out.writeBytes(value, 0, value.length);
    }

    static byte @Nullable [] readBytes(RecordInput in) {
        int length = in.readVarInt() - 1;
        if (length < 0) {
            return null;
        }
        int start = in.skip(length);
        return Arrays.copyOfRange(in.array(), start, start + length);
    }

    static void write(@Nullable BigDecimal value, RecordOutput out) {
        if (value == null) {
            out.writeByte(0);
            return;
        }
        write(value.unscaledValue().toByteArray(), out);
        write(value.scale(), out);
    }

    static @Nullable BigDecimal readDecimal(RecordInput in) {
        byte[] unscaled = readBytes(in);
        return unscaled == null ? null : new BigDecimal(new BigInteger(unscaled), readInt(in));
    }

    static void write(@Nullable Instant value, RecordOutput out) {
        if (value == null) {
            out.writeByte(0);
        } else {
            seconds(value.getEpochSecond(), value.getNano(), out);
        }
    }

    static @Nullable Instant readInstant(RecordInput in) {
        long[] parts = readSeconds(in);
        return parts.length == 0 ? null : Instant.ofEpochSecond(parts[0], parts[1]);
    }

    static void write(@Nullable Duration value, RecordOutput out) {
        if (value == null) {
            out.writeByte(0);
        } else {
            seconds(value.getSeconds(), value.getNano(), out);
        }
    }

    static @Nullable Duration readDuration(RecordInput in) {
        long[] parts = readSeconds(in);
        return parts.length == 0 ? null : Duration.ofSeconds(parts[0], parts[1]);
    }

    private static void seconds(long seconds, int nanos, RecordOutput out) {
        out.writeByte(1);
        write(seconds, out);
        out.writeVarInt(nanos);
    }

    /** Seconds and nanoseconds; empty for null. */
    static long[] readSeconds(RecordInput in) {
        return in.readByte() == 0 ? new long[0] : new long[] {readLong(in), in.readVarInt()};
    }

    static void write(@Nullable UUID value, RecordOutput out) {
        if (value == null) {
            out.writeByte(0);
            return;
        }
        out.writeByte(1);
        out.writeLong(value.getMostSignificantBits());
        out.writeLong(value.getLeastSignificantBits());
    }

    static @Nullable UUID readUuid(RecordInput in) {
        return in.readByte() == 0 ? null : new UUID(in.readLong(), in.readLong());
    }
}
