package io.berth.runtime.dataflow.exchange.input;

import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import org.jspecify.annotations.Nullable;

/** The consumer's end of one channel. */
public sealed interface InputChannel permits LocalChannel, RemoteChannel {

    /** Its number in the gate. */
    int index();

    /** Requests the data from the producer's worker. */
    void open();

    /** The element that was announced to the gate; null if it was dropped meanwhile. */
    @Nullable
    NetworkBuffer poll();

    /** Returns all buffers; nothing arrives afterwards. */
    void close();
}
