package io.berth.runtime.dataflow.exchange;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.timeout.IdleStateHandler;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Puts the handlers of a connection in place. */
final class ExchangePipeline extends ChannelInitializer<Channel> {

    private final Supplier<FramePeer> peers;
    private final ExchangeSettings settings;

    ExchangePipeline(Supplier<FramePeer> peers, ExchangeSettings settings) {
        this.peers = peers;
        this.settings = settings;
    }

    @Override
    protected void initChannel(Channel channel) {
        channel.pipeline()
                .addLast(new IdleStateHandler(
                        3L * settings.keepAliveMillis(), settings.keepAliveMillis(), 0, TimeUnit.MILLISECONDS))
                .addLast(new FrameHandler(peers.get()));
    }
}
