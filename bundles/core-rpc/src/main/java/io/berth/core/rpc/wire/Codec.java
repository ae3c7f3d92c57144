package io.berth.core.rpc.wire;

/** Converts values of one type to their form in a message, and back. */
interface Codec {

    Object write(Object value);

    /** @throws IllegalArgumentException when no sender of this protocol version sends such a value */
    Object read(Object written);
}
