package io.berth.runtime.dataflow.exchange.input;

import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import org.jspecify.annotations.Nullable;

/** The consumer's end of one channel. */
public sealed interface InputChannel permits LocalChannel, RemoteChannel {

    /** Its number in the gate. */
    int index();

    /** Asks the producer's worker for the data. */
    void open();

    /** The element that was announced to the gate; null if it was dropped meanwhile. */
    @Nullable
    NetworkBuffer poll();

    /** Gives everything back; nothing arrives afterwards. */
    void close();
}
