package io.berth.core.rpc.transport;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufUtil;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Checks each new connection before the transport does. It closes connections that are too many, silent or use another
 * protocol, and logs their peers. The transport itself would close them without a log line.
 */
final class ConnectionAdmission extends ChannelInboundHandlerAdapter {

    /** The first bytes of each HTTP/2 client. */
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final RefusalLog log;
    private final int maxConnections;
    private final long handshakeMillis;
    private final AtomicInteger connections = new AtomicInteger();

    private ConnectionAdmission(RefusalLog log, int maxConnections, long handshakeMillis) {
        this.log = log;
        this.maxConnections = maxConnections;
        this.handshakeMillis = handshakeMillis;
    }

    /** A listening channel whose connections are checked. */
    static NioServerSocketChannel listener(RefusalLog log, int maxConnections, long handshakeMillis) {
        NioServerSocketChannel channel = new NioServerSocketChannel();
        channel.pipeline().addLast(new ConnectionAdmission(log, maxConnections, handshakeMillis));
        return channel;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
        if (accepted instanceof Channel connection) {
            connection.pipeline().addFirst(new Check());
        }
        context.fireChannelRead(accepted);
    }

    /** Checks one connection. */
    private final class Check extends ChannelInboundHandlerAdapter {

        private int matched;
        private boolean refused;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            int open = connections.incrementAndGet();
            context.channel().closeFuture().addListener(closed -> connections.decrementAndGet());
            if (open > maxConnections) {
                refuse(
                        context,
                        "there are " + maxConnections
                                + " connections already: raise connections.max in io.berth.core.rpc if all are"
                                + " needed");
                return;
            }
            context.executor()
                    .schedule(
                            () -> {
                                if (matched < PREFACE.length
                                        && context.channel().isActive()) {
                                    refuse(context, "it did not begin the protocol within " + handshakeMillis + " ms");
                                }
                            },
                            handshakeMillis,
                            TimeUnit.MILLISECONDS);
            context.fireChannelActive();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (refused) {
                ReferenceCountUtil.release(message);
                return;
            }
            if (message instanceof ByteBuf bytes) {
                for (int at = bytes.readerIndex(); at < bytes.writerIndex() && matched < PREFACE.length; at++) {
                    if (bytes.getByte(at) != PREFACE[matched]) {
                        String first =
                                ByteBufUtil.hexDump(bytes, bytes.readerIndex(), Math.min(16, bytes.readableBytes()));
                        bytes.release();
                        refuse(context, "it does not speak the protocol, first bytes " + first);
                        return;
                    }
                    matched++;
                }
            }
            context.fireChannelRead(message);
            if (matched == PREFACE.length && !context.isRemoved()) {
                context.pipeline().remove(this);
            }
        }

        private void refuse(ChannelHandlerContext context, String reason) {
            refused = true;
            log.connection(context.channel().remoteAddress(), reason);
            context.close();
        }
    }
}
