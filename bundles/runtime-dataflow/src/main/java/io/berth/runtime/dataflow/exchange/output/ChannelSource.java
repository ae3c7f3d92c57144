package io.berth.runtime.dataflow.exchange.output;

import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import org.jspecify.annotations.Nullable;

/** The producer's end of one channel: filled buffers in order, read by one consumer. Thread-safe. */
public interface ChannelSource {

    /** Makes {@code consumer} the reader, permanently. False if there already was one. */
    boolean attach(Consumer consumer);

    /** The consumer is gone. */
    void detach();

    /** The next element, or null. Without {@code credit} only an event. */
    @Nullable
    NetworkBuffer poll(boolean credit);

    /** The end has reached the consumer, or its socket. */
    void consumed();

    /** The reader. The thread that fills the buffers calls it, so it must be quick. */
    interface Consumer {
        Consumer NOBODY = new Consumer() {
            @Override
            public void available(int elements) {}

            @Override
            public void failed(String reason) {}
        };

        /** Another {@code elements} elements can be polled. */
        void available(int elements);

        /** No further element follows. */
        void failed(String reason);
    }
}
