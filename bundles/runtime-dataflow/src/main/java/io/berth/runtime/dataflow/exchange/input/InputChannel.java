package io.berth.runtime.dataflow.exchange.input;

import io.berth.runtime.dataflow.exchange.buffer.BufferLease;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The consumer's end of one channel. */
public sealed interface InputChannel permits LocalChannel, RemoteChannel {

    /** Its number in the gate. */
    int index();

    /** Whether it reads a stored partition, which is complete: no task waits until the channel is opened. */
    boolean isStored();

    /** Requests the data from the producer's worker. */
    void open();

    /** The element that was announced to the gate; null if it was dropped meanwhile. */
    @Nullable
    NetworkBuffer poll();

    /** Its end was read: the buffers that another channel may use now. It is closed if there are some. */
    Optional<BufferLease> handOver();

    /** Returns all buffers; nothing arrives afterwards. */
    void close();
}
