package io.berth.runtime.dataflow.exchange;

import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.RuntimeSettings;
import io.berth.core.security.ClusterSecurity;
import io.berth.core.security.LiveCredentials;
import io.berth.runtime.dataflow.exchange.buffer.BufferLease;
import io.berth.runtime.dataflow.exchange.buffer.BufferPool;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.buffer.NetworkMemoryException;
import io.berth.runtime.dataflow.exchange.input.ExchangeClient;
import io.berth.runtime.dataflow.exchange.input.InputGate;
import io.berth.runtime.dataflow.exchange.input.LocalChannel;
import io.berth.runtime.dataflow.exchange.input.RemoteChannel;
import io.berth.runtime.dataflow.exchange.output.PartitionTable;
import io.berth.runtime.dataflow.exchange.output.ResultPartition;
import io.berth.runtime.dataflow.exchange.output.ServerConnection;
import io.berth.runtime.dataflow.exchange.result.ResultStore;
import io.berth.runtime.dataflow.exchange.wire.ConnectionSecurity;
import io.berth.runtime.dataflow.exchange.wire.ExchangePipeline;
import io.berth.runtime.dataflow.exchange.wire.Wanted;
import io.berth.runtime.dataflow.measure.WaitTimes;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exchange of one worker: its network memory, the partitions of its tasks, a server for the workers that consume
 * them, and one connection to each worker from which it consumes.
 * Thread-safe.
 */
public final class Exchange implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    private static final String LOOPBACK = "127.0.0.1";

    private final ExchangeSettings settings;
    private final ConnectionSecurity security;
    private final LiveCredentials.Listening listening;
    private final BufferPool pool;
    private final EventLoopGroup group;
    private final Set<Channel> sockets = ConcurrentHashMap.newKeySet();
    private final PartitionTable table;
    private final ResultStore results;
    private final ExchangeClient client;
    private final Channel server;
    private final String address;

    /** The source of a channel of a gate: what is wanted of a partition of the worker at {@code address}. */
    public record Origin(Wanted wanted, String address) {

        /** One part of a partition that its task sends while it runs. */
        public Origin(PartitionId partition, int part, String address) {
            this(new Wanted(partition, part), address);
        }
    }

    /**
     * Starts the exchange of the worker {@code identity}, for this host only.
     *
     * @param threads of its connections
     */
    public Exchange(String identity, ExchangeSettings settings, int threads) {
        this(identity, settings, threads, LOOPBACK, ClusterSecurity.NONE);
    }

    /**
     * Starts the exchange of the worker {@code identity}.
     *
     * @param host at which it listens, and other workers reach it
     * @throws IllegalArgumentException when other hosts could connect, and connections are not secured
     */
    public Exchange(String identity, ExchangeSettings settings, int threads, String host, ClusterSecurity cluster) {
        this.settings = settings;
        this.security = new ConnectionSecurity(cluster);
        InetAddress listen = listen(host);
        this.pool = new BufferPool(settings.networkMemoryBytes());
        this.group = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("berth-runtime-dataflow-exchange", true), NioIoHandler.newFactory());
        this.table = new PartitionTable(group, settings.producerWaitMillis());
        PooledByteBufAllocator allocator = new PooledByteBufAllocator(true, 0, threads, 8192, 6, 0, 64, true);
        this.client = new ExchangeClient(
                group,
                clientPrototype(allocator),
                security,
                identity,
                settings.connectMillis(),
                settings.keepAliveMillis(),
                sockets);
        this.results = new ResultStore(settings.results(), table, pool, settings.buffersPerChannel(), threads);
        this.server = bind(listen, identity, allocator);
        this.address = host + ":" + ((InetSocketAddress) server.localAddress()).getPort();
        this.listening = security.onChange(this::closeUntrusted);
        LOG.info(
                "Exchange of worker {} listens on {}{}; network memory {} buffers of {} KiB",
                identity,
                address,
                security.isOn() ? " with TLS" : "",
                pool.total(),
                NetworkBuffer.CAPACITY / 1024);
    }

    private Bootstrap clientPrototype(PooledByteBufAllocator allocator) {
        return new Bootstrap()
                .channel(NioSocketChannel.class)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, settings.connectMillis())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.ALLOCATOR, allocator)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new AdaptiveRecvByteBufAllocator(4096, 65_536, 262_144));
    }

    private InetAddress listen(String host) {
        InetAddress listen;
        try {
            listen = InetAddress.getByName(host);
        } catch (UnknownHostException unknown) {
            throw new IllegalArgumentException(
                    "host '" + host + "': allowed is the name or an address of an interface of this host", unknown);
        }
        if (!security.isOn() && !listen.isLoopbackAddress()) {
            throw new IllegalArgumentException("host '" + host
                    + "': allowed is a loopback address such as 127.0.0.1, because connections are not secured");
        }
        return listen;
    }

    private void closeUntrusted() {
        sockets.stream().filter(socket -> !security.isTrusted(socket)).forEach(socket -> {
            LOG.warn("Exchange connection with {} closed: its peer is not trusted any more", socket.remoteAddress());
            socket.close();
        });
    }

    private Channel bind(InetAddress listen, String identity, PooledByteBufAllocator allocator) {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 1024)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOCATOR, allocator)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(256 << 10, 512 << 10))
                .childHandler(ExchangePipeline.server(
                        security,
                        settings.connectMillis(),
                        () -> new ServerConnection(table, security, identity, settings.connectMillis()),
                        settings.keepAliveMillis(),
                        sockets));
        try {
            return bootstrap
                    .bind(new InetSocketAddress(listen, 0))
                    .syncUninterruptibly()
                    .channel();
        } catch (RuntimeException e) {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw e;
        }
    }

    /** HOST:PORT where other workers reach this worker's partitions. */
    public String address() {
        return address;
    }

    /** The network memory. */
    public BufferPool pool() {
        return pool;
    }

    /** A new partition with {@code parts} parts. Consumers find it once it is registered. */
    public ResultPartition createPartition(PartitionId id, int parts) {
        ResultPartition partition = new ResultPartition(id, parts, pool, settings.buffersPerChannel());
        try {
            table.register(partition);
        } catch (IllegalStateException e) {
            partition.release("it was not registered");
            throw e;
        }
        return partition;
    }

    /** Forgets the partition, drops unread data and notifies consumers that have not received its end. */
    public void release(ResultPartition partition, String reason) {
        table.unregister(partition.id(), reason);
        partition.release(reason);
    }

    /** Notifies consumers of a partition that was not created and never will be, now or when they request it. */
    public void refuse(PartitionId partition, String reason) {
        table.refuse(partition, reason);
    }

    /**
     * A gate with one channel per origin, in that order; not open yet. It reserves network memory for each channel from a
     * running producer of another worker, and for up to {@link RuntimeSettings#MAX_STORED_CHANNELS} from stored partitions
     * of other workers, which take turns.
     *
     * @throws NetworkMemoryException when there is not enough network memory
     */
    public InputGate createGate(List<Origin> origins) {
        return createGate(origins, WaitTimes.unread());
    }

    /** @param waits of the task that reads */
    public InputGate createGate(List<Origin> origins, WaitTimes waits) {
        InputGate gate = new InputGate(waits.idle());
        int stored = 0;
        try {
            for (int i = 0; i < origins.size(); i++) {
                Origin origin = origins.get(i);
                Wanted wanted = origin.wanted();
                if (origin.address().equals(address)) {
                    gate.add(new LocalChannel(gate, i, table, wanted));
                    continue;
                }
                RemoteChannel channel = new RemoteChannel(gate, i, client, origin.address(), wanted);
                gate.add(channel);
                if (!wanted.stored()) {
                    channel.use(lease(wanted));
                } else if (stored++ < RuntimeSettings.MAX_STORED_CHANNELS) {
                    gate.addBuffers(lease(wanted));
                }
            }
        } catch (NetworkMemoryException e) {
            gate.close();
            throw e;
        }
        return gate;
    }

    private BufferLease lease(Wanted wanted) {
        return pool.lease("a channel from " + wanted.name(), BufferPool.MIN_BUFFERS, settings.buffersPerChannel());
    }

    /** The stored partitions of this worker. */
    public ResultStore results() {
        return results;
    }

    /** Registered partitions. */
    public int partitions() {
        return table.size();
    }

    /** Partitions for which consumers wait. */
    public int awaited() {
        return table.waiting();
    }

    /** Open connections to producing workers. */
    public int connections() {
        return client.connections();
    }

    /** Closes all connections, once. Returns when no thread of the exchange runs, or after five seconds. */
    @Override
    public void close() {
        if (!client.close()) {
            return;
        }
        listening.close();
        server.close().syncUninterruptibly();
        List.copyOf(sockets).forEach(socket -> socket.close().awaitUninterruptibly(1, TimeUnit.SECONDS));
        results.close();
        if (!group.shutdownGracefully(0, 4, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS)) {
            LOG.warn("Exchange at {}: network threads did not end within 5 s", address);
        }
    }
}
