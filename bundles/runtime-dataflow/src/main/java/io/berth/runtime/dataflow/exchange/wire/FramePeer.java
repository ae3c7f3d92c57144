package io.berth.runtime.dataflow.exchange.wire;

import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/** One end of a connection, as {@link FrameHandler} drives it. All calls come on the connection's event loop. */
public interface FramePeer {

    void connected(ChannelHandlerContext context);

    /** Where the records of a BUFFER frame go; null when nobody wants them any more. */
    @Nullable
    NetworkBuffer destination(int channel) throws ProtocolException;

    void buffer(int channel, NetworkBuffer buffer);

    void frame(Frames.Type type, int channel, byte[] payload) throws ProtocolException;

    void writable();

    /** Nothing was sent for the time of keep-alive. */
    void quiet();

    /** The connection is closed; called once. */
    void disconnected(String reason);

    /** Who is at the other end, for logs. */
    String peer();
}
