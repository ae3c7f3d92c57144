package io.berth.core.rpc.transport;

import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.time.Clock;
import io.berth.core.rpc.gateway.RpcProtocol;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * One channel for each peer, opened at the first call. An idle channel is closed, so that workers that are gone leave
 * nothing behind. A channel that cannot connect is closed at once, so that the next call connects again instead of
 * waiting for a back-off. Thread-safe.
 */
public final class PeerChannels implements AutoCloseable {

    private final Optional<SslContext> secured;
    private final EventLoopGroup loops;
    private final Executor executor;
    private final Clock clock;
    private final int messageMaxBytes;
    private final long idleMillis;
    private final Map<RpcAddress, Peer> peers = new LinkedHashMap<>();
    private volatile long connectTimeoutMillis;
    private boolean closed;

    /**
     * @param messageMaxBytes largest message that is accepted
     * @param idleMillis after how long without calls a channel is closed
     * @param others who the peers are
     */
    public PeerChannels(
            int messageMaxBytes,
            long idleMillis,
            long connectTimeoutMillis,
            Peers others,
            EventLoopGroup loops,
            Executor executor,
            Clock clock) {
        this.secured = others.client();
        this.loops = loops;
        this.executor = executor;
        this.clock = clock;
        this.messageMaxBytes = messageMaxBytes;
        this.idleMillis = idleMillis;
        this.connectTimeoutMillis = connectTimeoutMillis;
    }

    /** Sets the timeout for new connections. */
    public void connectTimeoutMillis(long millis) {
        connectTimeoutMillis = millis;
    }

    /**
     * The channel to a peer, for one call. Return it with {@link #release}.
     *
     * @throws IllegalStateException after {@link #close}
     */
    synchronized Peer acquire(RpcAddress address) {
        if (closed) {
            throw new IllegalStateException("the RPC service of this process is closed");
        }
        Peer peer = peers.computeIfAbsent(address, key -> new Peer(key, open(key)));
        peer.calls++;
        return peer;
    }

    /**
     * A call has ended.
     *
     * @param unreachable whether it did not reach the peer
     * @param denied whether one end does not trust the other, or the peer is another one: the next call connects anew
     */
    void release(Peer peer, boolean unreachable, boolean denied) {
        boolean gone = false;
        synchronized (this) {
            peer.calls--;
            peer.lastUsedMillis = clock.millis();
            if (denied || unreachable && peer.channel.getState(false) != ConnectivityState.READY) {
                gone = peers.remove(peer.address, peer);
            }
        }
        if (gone) {
            // Not shutdownNow, so that other calls on the channel can end.
            peer.channel.shutdown();
        }
    }

    /** Closes the channels that had no call for the idle time. */
    public void dropIdle() {
        List<Peer> idle = new ArrayList<>();
        synchronized (this) {
            long now = clock.millis();
            for (Peer peer : List.copyOf(peers.values())) {
                if (peer.calls == 0 && now - peer.lastUsedMillis >= idleMillis) {
                    peers.remove(peer.address);
                    idle.add(peer);
                }
            }
        }
        idle.forEach(peer -> peer.channel.shutdown());
    }

    public synchronized int size() {
        return peers.size();
    }

    /** Closes all channels; waits at most two seconds in total. */
    @Override
    public void close() {
        List<Peer> last;
        synchronized (this) {
            closed = true;
            last = List.copyOf(peers.values());
            peers.clear();
        }
        last.forEach(peer -> peer.channel.shutdownNow());
        long end = clock.millis() + 2_000;
        try {
            for (Peer peer : last) {
                peer.channel.awaitTermination(Math.max(end - clock.millis(), 0), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private ManagedChannel open(RpcAddress address) {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(address.host(), address.port());
        secured.ifPresentOrElse(builder::sslContext, builder::usePlaintext);
        return builder.eventLoopGroup(loops)
                .channelType(NioSocketChannel.class)
                .executor(executor)
                .offloadExecutor(executor)
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) connectTimeoutMillis)
                .keepAliveTime(30, TimeUnit.SECONDS)
                .keepAliveTimeout(10, TimeUnit.SECONDS)
                .idleTimeout(10, TimeUnit.MINUTES)
                .maxInboundMessageSize(messageMaxBytes)
                .maxInboundMetadataSize(RpcProtocol.MAX_METADATA_BYTES)
                // Processes of one cluster must not use a proxy from the environment.
                .proxyDetector(target -> null)
                .disableServiceConfigLookUp()
                // Only the caller knows whether repeating a call is safe.
                .disableRetry()
                .build();
    }

    /** A peer and its channel. */
    static final class Peer {

        private final RpcAddress address;
        private final ManagedChannel channel;
        private int calls;
        private long lastUsedMillis;

        private Peer(RpcAddress address, ManagedChannel channel) {
            this.address = address;
            this.channel = channel;
        }

        ManagedChannel channel() {
            return channel;
        }
    }
}
