package io.berth.runtime.dataflow.exchange.wire;

import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/** One end of a connection; {@link FrameHandler} calls it. Confined to the event loop of the connection. */
public interface FramePeer {

    void connected(ChannelHandlerContext context);

    /** Where the records of a BUFFER frame go; null when nobody reads them any longer. */
    @Nullable
    NetworkBuffer destination(int channel) throws ProtocolException;

    void buffer(int channel, NetworkBuffer buffer);

    void frame(Frames.Type type, int channel, byte[] payload) throws ProtocolException;

    void writable();

    /** Nothing was sent for the keep-alive time. */
    void quiet();

    /** The connection is closed; called once. */
    void disconnected(String reason);

    /** The name of the other end, for logs. */
    String peer();
}
