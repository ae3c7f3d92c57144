package io.berth.runtime.dataflow.exchange;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.timeout.IdleStateHandler;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Puts the handlers of a connection in place, and keeps the connection among those that are open. */
final class ExchangePipeline extends ChannelInitializer<Channel> {

    private final Supplier<FramePeer> peers;
    private final ExchangeSettings settings;
    private final Set<Channel> open;

    ExchangePipeline(Supplier<FramePeer> peers, ExchangeSettings settings, Set<Channel> open) {
        this.peers = peers;
        this.settings = settings;
        this.open = open;
    }

    @Override
    protected void initChannel(Channel channel) {
        open.add(channel);
        channel.closeFuture().addListener(closed -> open.remove(channel));
        channel.pipeline()
                .addLast(new IdleStateHandler(
                        3L * settings.keepAliveMillis(), settings.keepAliveMillis(), 0, TimeUnit.MILLISECONDS))
                .addLast(new FrameHandler(peers.get()));
    }
}
