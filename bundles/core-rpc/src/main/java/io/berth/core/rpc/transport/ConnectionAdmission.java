package io.berth.core.rpc.transport;

import io.berth.core.security.HandshakeFailures;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufUtil;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslHandler;
import io.grpc.netty.shaded.io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Checks each new connection before the transport does. It closes connections that are too many, silent, use another
 * protocol or whose peer is not trusted, and logs their peers. The transport itself would close them without a log line.
 */
final class ConnectionAdmission {

    /** The first bytes of each HTTP/2 client. */
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** The first bytes of each TLS client: a record of a handshake, of any version that looks like TLS 1. */
    private static final byte[] TLS = {22, 3};

    private final RefusalLog log;
    private final Peers peers;
    private final int maxConnections;
    private final long handshakeMillis;
    private final byte[] preface;
    private final Set<Channel> connections = ConcurrentHashMap.newKeySet();

    ConnectionAdmission(RefusalLog log, Peers peers, int maxConnections, long handshakeMillis) {
        this.log = log;
        this.peers = peers;
        this.maxConnections = maxConnections;
        this.handshakeMillis = handshakeMillis;
        this.preface = peers.credentials().isPresent() ? TLS : PREFACE;
    }

    /** A listening channel whose connections are checked. */
    NioServerSocketChannel listener() {
        NioServerSocketChannel channel = new NioServerSocketChannel();
        channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object accepted) {
                if (accepted instanceof Channel connection) {
                    connection.pipeline().addFirst(new Check());
                }
                context.fireChannelRead(accepted);
            }
        });
        return channel;
    }

    /** Closes the connections whose peers are no longer trusted. */
    void closeUntrusted() {
        connections.forEach(this::closeUntrusted);
    }

    private void closeUntrusted(Channel connection) {
        SslHandler tls = connection.pipeline().get(SslHandler.class);
        // One that is being set up is looked at when it is.
        if (tls == null || !tls.handshakeFuture().isSuccess()) {
            return;
        }
        peers.credentials().ifPresent(live -> {
            try {
                live.peer(tls.engine().getSession());
            } catch (CertificateException untrusted) {
                log.connection(
                        connection.remoteAddress(), "its peer is not trusted any more: " + untrusted.getMessage());
                connection.close();
            }
        });
    }

    /** Checks one connection. */
    private final class Check extends ChannelInboundHandlerAdapter {

        private int matched;
        private boolean refused;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            Channel connection = context.channel();
            connections.add(connection);
            connection.closeFuture().addListener(closed -> connections.remove(connection));
            if (connections.size() > maxConnections) {
                refuse(
                        context,
                        "there are " + maxConnections
                                + " connections already: raise connections.max in io.berth.core.rpc if all are"
                                + " needed");
                return;
            }
            context.executor().schedule(() -> checkBegun(context), handshakeMillis, TimeUnit.MILLISECONDS);
            context.fireChannelActive();
        }

        private void checkBegun(ChannelHandlerContext context) {
            SslHandler tls = context.channel().pipeline().get(SslHandler.class);
            boolean begun = matched == preface.length
                    && (tls == null || tls.handshakeFuture().isDone());
            if (!begun && !refused && context.channel().isActive()) {
                refuse(context, "it did not begin the protocol within " + handshakeMillis + " ms");
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (refused) {
                ReferenceCountUtil.release(message);
                return;
            }
            if (message instanceof ByteBuf bytes) {
                for (int at = bytes.readerIndex(); at < bytes.writerIndex() && matched < preface.length; at++) {
                    if (bytes.getByte(at) != preface[matched]) {
                        String first =
                                ByteBufUtil.hexDump(bytes, bytes.readerIndex(), Math.min(16, bytes.readableBytes()));
                        bytes.release();
                        refuse(
                                context,
                                "it does not speak " + (preface == TLS ? "TLS" : "the protocol") + ", first bytes "
                                        + first);
                        return;
                    }
                    matched++;
                }
            }
            if (matched == preface.length) {
                watchHandshake(context.channel());
                context.fireChannelRead(message);
                if (!context.isRemoved()) {
                    context.pipeline().remove(this);
                }
            } else {
                context.fireChannelRead(message);
            }
        }

        private void watchHandshake(Channel connection) {
            SslHandler tls = connection.pipeline().get(SslHandler.class);
            if (tls == null) {
                return;
            }
            tls.handshakeFuture().addListener(done -> {
                if (done.isSuccess()) {
                    // Who was revoked meanwhile.
                    closeUntrusted(connection);
                } else {
                    log.connection(
                            connection.remoteAddress(),
                            "its TLS handshake failed: " + HandshakeFailures.text(done.cause()));
                }
            });
        }

        private void refuse(ChannelHandlerContext context, String reason) {
            refused = true;
            log.connection(context.channel().remoteAddress(), reason);
            context.close();
        }
    }
}
