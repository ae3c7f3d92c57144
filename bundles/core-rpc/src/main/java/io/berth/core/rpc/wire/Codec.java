package io.berth.core.rpc.wire;

/** Writes values of one type in the form that they have in a message, and reads them again. */
interface Codec {

    Object write(Object value);

    /** @throws IllegalArgumentException when no sender of this protocol version sends that */
    Object read(Object written);
}
