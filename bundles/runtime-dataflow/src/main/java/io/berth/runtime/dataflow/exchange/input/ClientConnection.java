package io.berth.runtime.dataflow.exchange.input;

import io.berth.runtime.dataflow.exchange.buffer.EventKind;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.wire.ConnectionSecurity;
import io.berth.runtime.dataflow.exchange.wire.FramePeer;
import io.berth.runtime.dataflow.exchange.wire.Frames;
import io.berth.runtime.dataflow.exchange.wire.ProtocolException;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The consumers' end of the connection to one producing worker. Confined to its event loop. */
final class ClientConnection implements FramePeer {

    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

    private final ExchangeClient client;
    private final ConnectionSecurity security;
    private final String address;
    private final String identity;
    private final EventLoop loop;
    private final int connectMillis;
    private final Map<Integer, RemoteChannel> channels = new HashMap<>();
    private final List<RemoteChannel> waiting = new ArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private Channel socket;

    private String peer;
    private boolean greeted;
    private boolean ended;
    private int lastId;

    ClientConnection(
            ExchangeClient client,
            ConnectionSecurity security,
            String address,
            String identity,
            EventLoop loop,
            int connectMillis) {
        this.security = security;
        this.client = client;
        this.address = address;
        this.identity = identity;
        this.loop = loop;
        this.connectMillis = connectMillis;
        this.peer = "the worker at " + address;
    }

    EventLoop loop() {
        return loop;
    }

    String address() {
        return address;
    }

    void open(RemoteChannel channel) {
        loop.execute(() -> {
            if (ended) {
                client.open(channel);
            } else if (greeted) {
                send(channel);
                socket.flush();
            } else {
                waiting.add(channel);
            }
        });
    }

    private void send(RemoteChannel channel) {
        int id = ++lastId;
        if (channel.opened(this, id)) {
            channels.put(id, channel);
            socket.write(Frames.open(socket.alloc(), id, channel.credit(), channel.wanted()));
        }
    }

    void grant(int id, int credit) {
        loop.execute(() -> {
            if (channels.containsKey(id)) {
                socket.writeAndFlush(Frames.credit(socket.alloc(), id, credit));
            }
        });
    }

    /** The channel is no longer read; {@code tell} the producer if it has not ended. */
    void close(int id, boolean tell) {
        loop.execute(() -> {
            if (channels.remove(id) != null && tell && !ended) {
                socket.writeAndFlush(Frames.control(socket.alloc(), Frames.Type.CLOSE, id, new byte[0]));
            }
        });
    }

    @Override
    public void connected(ChannelHandlerContext context) {
        socket = context.channel();
        socket.writeAndFlush(Frames.hello(socket.alloc(), identity));
        loop.schedule(
                () -> {
                    if (!greeted && !ended) {
                        disconnected("no HELLO within " + connectMillis + " ms");
                        socket.close();
                    }
                },
                connectMillis,
                TimeUnit.MILLISECONDS);
    }

    @Override
    public @Nullable NetworkBuffer destination(int channel) throws ProtocolException {
        RemoteChannel receiver = channels.get(channel);
        return receiver == null ? null : receiver.destination();
    }

    @Override
    public void buffer(int channel, NetworkBuffer buffer) {
        RemoteChannel receiver = channels.get(channel);
        if (receiver == null) {
            buffer.recycle();
        } else {
            receiver.received(buffer);
        }
    }

    @Override
    public void frame(Frames.Type type, int channel, byte[] payload) throws ProtocolException {
        switch (type) {
            case HELLO -> {
                String id = Frames.helloIdentity(payload);
                security.requireWorker(socket, id);
                peer = "worker " + id + " at " + address;
                greeted = true;
                waiting.forEach(this::send);
                waiting.clear();
                socket.flush();
            }
            case EVENT -> {
                if (payload.length != 1) {
                    throw new ProtocolException("EVENT frame of " + payload.length + " bytes");
                }
                EventKind kind = Frames.eventKind(payload[0]);
                // End is the only kind. A second end, or buffers after it, find no channel.
                RemoteChannel receiver = channels.remove(channel);
                if (receiver != null) {
                    receiver.received(NetworkBuffer.event(kind));
                }
            }
            case ERROR -> {
                RemoteChannel receiver = channels.remove(channel);
                if (receiver != null) {
                    receiver.lost(peer, new String(payload, StandardCharsets.UTF_8));
                }
            }
            case PING -> LOG.trace("Ping from {}", peer);
            default -> throw new ProtocolException("a producer sent a frame of type " + type);
        }
    }

    @Override
    public void writable() {}

    @Override
    public void quiet() {
        if (channels.isEmpty() && greeted) {
            LOG.debug("Exchange connection with {} is no longer needed", peer);
            disconnected("no longer needed");
            socket.close();
        } else {
            socket.writeAndFlush(Frames.control(socket.alloc(), Frames.Type.PING, 0, new byte[0]));
        }
    }

    @Override
    public void disconnected(String reason) {
        if (ended) {
            return;
        }
        ended = true;
        client.forget(this);
        List<RemoteChannel> lost = new ArrayList<>(channels.values());
        lost.addAll(waiting);
        channels.clear();
        waiting.clear();
        lost.forEach(channel -> channel.lost(peer, reason));
    }

    @Override
    public String peer() {
        return peer;
    }
}
