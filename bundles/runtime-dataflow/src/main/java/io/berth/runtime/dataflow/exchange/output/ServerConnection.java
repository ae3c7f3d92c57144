package io.berth.runtime.dataflow.exchange.output;

import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.wire.ConnectionSecurity;
import io.berth.runtime.dataflow.exchange.wire.FramePeer;
import io.berth.runtime.dataflow.exchange.wire.Frames;
import io.berth.runtime.dataflow.exchange.wire.ProtocolException;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The producers' end of the connection of one consuming worker. It sends buffers of its channels in turn, each as far
 * as its credit allows, and only while the socket accepts them.
 */
public final class ServerConnection implements FramePeer {

    private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);

    /** More channels than this on one connection are rejected. */
    static final int MAX_CHANNELS = 16_384;

    /** Number of buffers written before the socket is flushed and the event loop may do other work. */
    private static final int BURST = 32;

    private final PartitionTable table;
    private final ConnectionSecurity security;
    private final String identity;
    private final int greetingMillis;
    private final Map<Integer, OutboundChannel> channels = new HashMap<>();
    private final ArrayDeque<OutboundChannel> ready = new ArrayDeque<>();

    @SuppressWarnings("NullAway.Init")
    private Channel socket;

    private String peer = "an unknown worker";
    private boolean greeted;
    private boolean draining;

    /** @param greetingMillis within this time the consumer must send HELLO */
    public ServerConnection(PartitionTable table, ConnectionSecurity security, String identity, int greetingMillis) {
        this.table = table;
        this.security = security;
        this.identity = identity;
        this.greetingMillis = greetingMillis;
    }

    @Override
    public void connected(ChannelHandlerContext context) {
        socket = context.channel();
        peer = "an unknown worker at " + socket.remoteAddress();
        socket.eventLoop()
                .schedule(
                        () -> {
                            if (!greeted && socket.isOpen()) {
                                LOG.warn(
                                        "Exchange connection with {} closed: no HELLO within {} ms",
                                        peer,
                                        greetingMillis);
                                socket.close();
                            }
                        },
                        greetingMillis,
                        TimeUnit.MILLISECONDS);
    }

    @Override
    public NetworkBuffer destination(int channel) throws ProtocolException {
        throw new ProtocolException("a consumer sent a BUFFER frame");
    }

    @Override
    public void buffer(int channel, NetworkBuffer buffer) {
        buffer.recycle();
    }

    @Override
    public void frame(Frames.Type type, int channel, byte[] payload) throws ProtocolException {
        switch (type) {
            case HELLO -> {
                String id = Frames.helloIdentity(payload);
                security.requireWorker(socket, id);
                peer = "worker " + id + " at " + socket.remoteAddress();
                greeted = true;
                socket.writeAndFlush(Frames.hello(socket.alloc(), identity));
            }
            case OPEN, READ -> open(channel, type, payload);
            case CREDIT -> credit(channel, payload);
            case CLOSE -> close(channel);
            case PING -> LOG.trace("Ping from {}", peer);
            default -> throw new ProtocolException("a consumer sent a frame of type " + type);
        }
    }

    private void open(int id, Frames.Type type, byte[] payload) throws ProtocolException {
        if (!greeted) {
            throw new ProtocolException("a consumer sent a frame of type " + type + " before HELLO");
        }
        boolean stored = type == Frames.Type.READ;
        int fields = stored ? 12 : 8;
        if (payload.length <= fields) {
            throw new ProtocolException(type + " frame of " + payload.length + " bytes");
        }
        if (channels.containsKey(id) || channels.size() >= MAX_CHANNELS) {
            throw new ProtocolException("channel " + id + " cannot be opened: it is open, or the limit of "
                    + MAX_CHANNELS + " channels is reached");
        }
        ByteBuffer in = ByteBuffer.wrap(payload);
        int credit = in.getInt();
        int first = in.getInt();
        int count = stored ? in.getInt() : 1;
        String partition = new String(payload, fields, payload.length - fields, StandardCharsets.UTF_8);
        OutboundChannel channel = new OutboundChannel(this, socket.eventLoop(), id, partition, first, count);
        channel.addCredit(credit);
        channels.put(id, channel);
        if (stored) {
            table.requestStored(partition, channel.request());
        } else {
            table.request(partition, channel.request());
        }
    }

    private void credit(int id, byte[] payload) throws ProtocolException {
        if (payload.length != 4) {
            throw new ProtocolException("CREDIT frame of " + payload.length + " bytes");
        }
        OutboundChannel channel = channels.get(id);
        if (channel != null) {
            channel.addCredit(ByteBuffer.wrap(payload).getInt());
            enqueue(channel);
        }
    }

    private void close(int id) {
        OutboundChannel channel = channels.remove(id);
        if (channel != null) {
            table.forget(channel.partition(), channel.request());
            channel.detach();
        }
    }

    /** The channel may have something to send. */
    void enqueue(OutboundChannel channel) {
        if (channel.setReady(true)) {
            ready.addLast(channel);
        }
        drain();
    }

    private void drain() {
        if (draining) {
            return;
        }
        draining = true;
        try {
            int written = 0;
            while (written < BURST && !ready.isEmpty() && socket.isWritable()) {
                OutboundChannel channel = ready.pollFirst();
                channel.setReady(false);
                if (channels.get(channel.id()) == channel && sendNext(channel)) {
                    written++;
                    channel.setReady(true);
                    ready.addLast(channel);
                }
            }
            if (written > 0) {
                socket.flush();
            }
        } finally {
            draining = false;
        }
        if (!ready.isEmpty() && socket.isWritable()) {
            socket.eventLoop().execute(this::drain);
        }
    }

    private boolean sendNext(OutboundChannel channel) {
        NetworkBuffer buffer = channel.next();
        if (buffer == null) {
            return false;
        }
        if (buffer.isEvent()) {
            channels.remove(channel.id());
            socket.write(Frames.event(socket.alloc(), channel.id(), buffer.event()))
                    .addListener((ChannelFutureListener) sent -> channel.endSent());
        } else {
            socket.write(Frames.buffer(channel.id(), buffer))
                    .addListener((ChannelFutureListener) sent -> buffer.recycle());
        }
        return true;
    }

    /** The producer cannot continue with this channel. */
    void refuse(OutboundChannel channel, String reason) {
        if (channels.remove(channel.id(), channel)) {
            socket.writeAndFlush(Frames.error(socket.alloc(), channel.id(), reason));
        }
    }

    @Override
    public void writable() {
        drain();
    }

    @Override
    public void quiet() {
        socket.writeAndFlush(Frames.control(socket.alloc(), Frames.Type.PING, 0, new byte[0]));
    }

    @Override
    public void disconnected(String reason) {
        if (!channels.isEmpty()) {
            LOG.warn("Exchange connection with {} lost with {} open channels: {}", peer, channels.size(), reason);
        }
        new ArrayList<>(channels.keySet()).forEach(this::close);
    }

    @Override
    public String peer() {
        return peer;
    }
}
