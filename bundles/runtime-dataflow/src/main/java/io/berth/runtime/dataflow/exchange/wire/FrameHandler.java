package io.berth.runtime.dataflow.exchange.wire;

import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cuts the bytes of a connection into frames and checks them. Records are copied once, from the buffer of the socket
 * to that of the channel. Malformed input closes the connection, with a log line that names the peer.
 */
final class FrameHandler extends ChannelInboundHandlerAdapter {

    private static final Logger LOG = LoggerFactory.getLogger(FrameHandler.class);

    private final FramePeer peer;
    private final byte[] header = new byte[Frames.BUFFER_HEADER];
    private int headerFilled;
    private int headerSize = Frames.HEADER;
    private Frames.Type type = Frames.Type.HELLO;
    private int channel;
    private byte[] body = new byte[0];
    private int bodyAt;
    private int bodyLeft;
    private boolean inBody;
    private @Nullable NetworkBuffer receiving;
    private boolean greeted;
    private boolean broken;
    private String reason = "connection closed by the peer";

    FrameHandler(FramePeer peer) {
        this.peer = peer;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        peer.connected(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        try {
            while (!broken && in.isReadable()) {
                if (inBody) {
                    readBody(in);
                } else {
                    readHeader(in);
                }
            }
        } catch (ProtocolException e) {
            broken = true;
            reason = String.valueOf(e.getMessage());
            LOG.warn("Exchange connection with {} closed: {}", peer.peer(), e.getMessage());
            context.close();
        } finally {
            in.release();
        }
    }

    private void readHeader(ByteBuf in) throws ProtocolException {
        int step = Math.min(headerSize - headerFilled, in.readableBytes());
        in.readBytes(header, headerFilled, step);
        headerFilled += step;
        if (headerFilled < headerSize) {
            return;
        }
        ByteBuffer fields = ByteBuffer.wrap(header);
        int length = fields.getInt();
        if (headerSize == Frames.HEADER) {
            type = Frames.Type.of(fields.get());
            channel = fields.getInt();
            Frames.checkLength(type, length);
            if (!greeted && type != Frames.Type.HELLO) {
                throw new ProtocolException("the first frame is " + type + ", not HELLO");
            }
            if (type == Frames.Type.BUFFER) {
                headerSize = Frames.BUFFER_HEADER;
                return;
            }
            startBody(new byte[length], 0, length);
        } else {
            fields.position(Frames.HEADER);
            startBuffer(length - 8, fields.getInt(), fields.getInt());
        }
        if (bodyLeft == 0) {
            endFrame();
        }
    }

    private void startBuffer(int length, int head, int tail) throws ProtocolException {
        if (head < 0 || head > tail || tail > length) {
            throw new ProtocolException("BUFFER frame of " + length + " bytes with head " + head + " and tail " + tail);
        }
        receiving = peer.destination(channel);
        if (receiving == null) {
            startBody(new byte[0], 0, length);
        } else {
            receiving.set(length, head, tail);
            startBody(receiving.array(), NetworkBuffer.BASE, length);
        }
    }

    private void startBody(byte[] target, int at, int length) {
        body = target;
        bodyAt = at;
        bodyLeft = length;
        inBody = true;
    }

    private void readBody(ByteBuf in) throws ProtocolException {
        int step = Math.min(bodyLeft, in.readableBytes());
        if (type == Frames.Type.BUFFER && receiving == null) {
            in.skipBytes(step);
        } else {
            in.readBytes(body, bodyAt, step);
        }
        bodyAt += step;
        bodyLeft -= step;
        if (bodyLeft == 0) {
            endFrame();
        }
    }

    private void endFrame() throws ProtocolException {
        inBody = false;
        headerFilled = 0;
        headerSize = Frames.HEADER;
        if (type == Frames.Type.BUFFER) {
            NetworkBuffer complete = receiving;
            receiving = null;
            if (complete != null) {
                peer.buffer(channel, complete);
            }
            return;
        }
        byte[] payload = body;
        body = new byte[0];
        if (type == Frames.Type.HELLO && greeted) {
            throw new ProtocolException("a second HELLO");
        }
        peer.frame(type, channel, payload);
        greeted = true;
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            peer.writable();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (!(event instanceof IdleStateEvent idle)) {
            return;
        }
        if (idle.state() == IdleState.READER_IDLE) {
            reason = "the peer is silent: no ping arrived for three times the keep-alive time";
            LOG.warn("Exchange connection with {} closed: {}", peer.peer(), reason);
            context.close();
        } else {
            peer.quiet();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        reason = cause.toString();
        LOG.debug("Exchange connection with {} broke", peer.peer(), cause);
        context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        broken = true;
        if (receiving != null) {
            receiving.recycle();
            receiving = null;
        }
        peer.disconnected(reason);
    }
}
