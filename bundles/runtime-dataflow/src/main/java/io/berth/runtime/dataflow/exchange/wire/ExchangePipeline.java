package io.berth.runtime.dataflow.exchange.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.timeout.IdleStateHandler;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Installs the handlers of a connection, and registers the connection as open. */
public final class ExchangePipeline extends ChannelInitializer<Channel> {

    private static final Logger LOG = LoggerFactory.getLogger(ExchangePipeline.class);

    /** More connections than this, in both directions together, are rejected. */
    private static final int MAX_CONNECTIONS = 8192;

    private final Consumer<Channel> security;
    private final Supplier<FramePeer> peers;
    private final int keepAliveMillis;
    private final Set<Channel> open;

    private ExchangePipeline(
            Consumer<Channel> security, Supplier<FramePeer> peers, int keepAliveMillis, Set<Channel> open) {
        this.security = security;
        this.peers = peers;
        this.keepAliveMillis = keepAliveMillis;
        this.open = open;
    }

    /**
     * For connections that consumers open.
     *
     * @param handshakeMillis within this time a secured connection must be set up
     */
    public static ExchangePipeline server(
            ConnectionSecurity security,
            int handshakeMillis,
            Supplier<FramePeer> peers,
            int keepAliveMillis,
            Set<Channel> open) {
        return new ExchangePipeline(
                channel -> security.secureServer(channel, handshakeMillis), peers, keepAliveMillis, open);
    }

    /** For a connection to a producer. */
    public static ExchangePipeline client(
            ConnectionSecurity security,
            int handshakeMillis,
            Supplier<FramePeer> peers,
            int keepAliveMillis,
            Set<Channel> open) {
        return new ExchangePipeline(
                channel -> security.secureClient(channel, handshakeMillis), peers, keepAliveMillis, open);
    }

    @Override
    protected void initChannel(Channel channel) {
        if (open.size() >= MAX_CONNECTIONS) {
            LOG.warn("Exchange connection from {} refused: {} are open", channel.remoteAddress(), open.size());
            channel.close();
            return;
        }
        open.add(channel);
        channel.closeFuture().addListener(closed -> open.remove(channel));
        security.accept(channel);
        channel.pipeline()
                .addLast(new IdleStateHandler(3L * keepAliveMillis, keepAliveMillis, 0, TimeUnit.MILLISECONDS))
                .addLast(new FrameHandler(peers.get()));
    }
}
