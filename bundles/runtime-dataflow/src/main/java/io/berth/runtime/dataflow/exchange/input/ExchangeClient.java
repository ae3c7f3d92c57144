package io.berth.runtime.dataflow.exchange.input;

import io.berth.runtime.dataflow.exchange.wire.ConnectionSecurity;
import io.berth.runtime.dataflow.exchange.wire.ExchangePipeline;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The connections to producing workers, one for each, opened when first needed. Thread-safe. */
public final class ExchangeClient {

    private final Object lock = new Object();
    private final Map<String, ClientConnection> connections = new HashMap<>();
    private final EventLoopGroup group;
    private final Bootstrap prototype;
    private final ConnectionSecurity security;
    private final String identity;
    private final int connectMillis;
    private final int keepAliveMillis;
    private final Set<Channel> sockets;
    private boolean closed;

    public ExchangeClient(
            EventLoopGroup group,
            Bootstrap prototype,
            ConnectionSecurity security,
            String identity,
            int connectMillis,
            int keepAliveMillis,
            Set<Channel> sockets) {
        this.group = group;
        this.prototype = prototype;
        this.security = security;
        this.identity = identity;
        this.connectMillis = connectMillis;
        this.keepAliveMillis = keepAliveMillis;
        this.sockets = sockets;
    }

    void open(RemoteChannel channel) {
        ClientConnection connection;
        boolean fresh;
        synchronized (lock) {
            if (closed) {
                channel.lost("the worker at " + channel.address(), "the exchange of this worker is closed");
                return;
            }
            ClientConnection known = connections.get(channel.address());
            fresh = known == null;
            connection = known == null
                    ? new ClientConnection(this, security, channel.address(), identity, group.next(), connectMillis)
                    : known;
            connections.put(channel.address(), connection);
        }
        connection.open(channel);
        if (fresh) {
            connect(connection);
        }
    }

    private void connect(ClientConnection connection) {
        InetSocketAddress target;
        try {
            target = parse(connection.address());
        } catch (IllegalArgumentException e) {
            connection.loop().execute(() -> connection.disconnected(String.valueOf(e.getMessage())));
            return;
        }
        ChannelFuture connecting = prototype
                .clone(connection.loop())
                .handler(ExchangePipeline.client(security, connectMillis, () -> connection, keepAliveMillis, sockets))
                .connect(target);
        connecting.addListener((ChannelFutureListener) done -> {
            if (!done.isSuccess()) {
                connection.disconnected("cannot connect: " + done.cause());
            }
        });
    }

    public static InetSocketAddress parse(String address) {
        int colon = address.lastIndexOf(':');
        try {
            return new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("data address '" + address + "' is not HOST:PORT");
        }
    }

    void forget(ClientConnection connection) {
        synchronized (lock) {
            connections.remove(connection.address(), connection);
        }
    }

    public int connections() {
        synchronized (lock) {
            return connections.size();
        }
    }

    /** Opens nothing from now on. False if it was already closed. */
    public boolean close() {
        synchronized (lock) {
            boolean first = !closed;
            closed = true;
            return first;
        }
    }
}
