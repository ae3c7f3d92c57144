package io.berth.core.rpc;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * Settings of the transport.
 *
 * @param host the address to listen at; another one than loopback only when connections are secured
 * @param advertisedHost where peers reach it; empty: at {@code host}
 * @param port 0: any free port
 * @param identity what peers log as the caller, for example {@code worker/w-1}; 1 to 200 characters
 * @param callDeadlineMillis after how long a call without an answer fails
 * @param connectTimeoutMillis after how long a connection attempt fails
 * @param messageMaxBytes largest message that is sent or received
 * @param channelIdleMillis after how long without calls a connection to a peer is closed
 * @param maxConnections maximum number of open connections of peers; further ones are closed
 * @param callThreads threads that read calls and pass on answers
 */
public record RpcConfig(
        String host,
        String advertisedHost,
        int port,
        String identity,
        long callDeadlineMillis,
        long connectTimeoutMillis,
        int messageMaxBytes,
        long channelIdleMillis,
        int maxConnections,
        int callThreads) {

    public RpcConfig {
        require(address(host).isPresent(), "host", host, "the name or an address of an interface of this host");
        require(
                !address(host).map(InetAddress::isAnyLocalAddress).orElse(false) || !advertisedHost.isBlank(),
                "advertised.host",
                advertisedHost,
                "a name or an address at which peers reach this host, because host is '" + host + "'");
        require(port >= 0 && port <= 65535, "port", port, "0 (any free one) to 65535");
        require(!identity.isBlank() && identity.length() <= 200, "identity", identity, "1 to 200 characters");
        require(callDeadlineMillis >= 1, "call.deadline.ms", callDeadlineMillis, "1 or more");
        require(
                connectTimeoutMillis >= 1 && connectTimeoutMillis <= 600_000,
                "connect.timeout.ms",
                connectTimeoutMillis,
                "1 to 600000");
        require(
                messageMaxBytes >= 65_536 && messageMaxBytes <= 268_435_456,
                "message.max.bytes",
                messageMaxBytes,
                "65536 to 268435456");
        require(channelIdleMillis >= 1, "channel.idle.ms", channelIdleMillis, "1 or more");
        require(
                maxConnections >= 16 && maxConnections <= 1_000_000,
                "connections.max",
                maxConnections,
                "16 to 1000000");
        require(callThreads >= 1 && callThreads <= 256, "call.threads", callThreads, "1 to 256");
    }

    /** The defaults: 127.0.0.1, any free port. */
    public static RpcConfig defaults(String identity) {
        return new RpcConfig("127.0.0.1", "", 0, identity, 10_000, 3_000, 4_194_304, 300_000, 4_096, 3);
    }

    public RpcConfig withHost(String other) {
        return new RpcConfig(
                other,
                advertisedHost,
                port,
                identity,
                callDeadlineMillis,
                connectTimeoutMillis,
                messageMaxBytes,
                channelIdleMillis,
                maxConnections,
                callThreads);
    }

    public RpcConfig withPort(int other) {
        return new RpcConfig(
                host,
                advertisedHost,
                other,
                identity,
                callDeadlineMillis,
                connectTimeoutMillis,
                messageMaxBytes,
                channelIdleMillis,
                maxConnections,
                callThreads);
    }

    public RpcConfig withCallDeadlineMillis(long other) {
        return new RpcConfig(
                host,
                advertisedHost,
                port,
                identity,
                other,
                connectTimeoutMillis,
                messageMaxBytes,
                channelIdleMillis,
                maxConnections,
                callThreads);
    }

    public RpcConfig withMessageMaxBytes(int other) {
        return new RpcConfig(
                host,
                advertisedHost,
                port,
                identity,
                callDeadlineMillis,
                connectTimeoutMillis,
                other,
                channelIdleMillis,
                maxConnections,
                callThreads);
    }

    public RpcConfig withChannelIdleMillis(long other) {
        return new RpcConfig(
                host,
                advertisedHost,
                port,
                identity,
                callDeadlineMillis,
                connectTimeoutMillis,
                messageMaxBytes,
                other,
                maxConnections,
                callThreads);
    }

    public RpcConfig withMaxConnections(int other) {
        return new RpcConfig(
                host,
                advertisedHost,
                port,
                identity,
                callDeadlineMillis,
                connectTimeoutMillis,
                messageMaxBytes,
                channelIdleMillis,
                other,
                callThreads);
    }

    /** Whether all settings that are fixed at the start are equal. */
    boolean hasSameStartupSettingsAs(RpcConfig other) {
        return host.equals(other.host)
                && advertisedHost.equals(other.advertisedHost)
                && port == other.port
                && identity.equals(other.identity)
                && messageMaxBytes == other.messageMaxBytes
                && channelIdleMillis == other.channelIdleMillis
                && maxConnections == other.maxConnections
                && callThreads == other.callThreads;
    }

    /** Where peers reach the listener. */
    String reachedAt() {
        return advertisedHost.isBlank() ? host : advertisedHost;
    }

    /**
     * Checks that only this host can connect.
     *
     * @throws IllegalArgumentException when others can
     */
    void requireLoopback() {
        require(
                address(host).map(InetAddress::isLoopbackAddress).orElse(false),
                "host",
                host,
                "a loopback address such as 127.0.0.1, because connections are not secured (folder of"
                        + " io.berth.core.security)");
    }

    private static Optional<InetAddress> address(String host) {
        try {
            return host.isBlank() ? Optional.empty() : Optional.of(InetAddress.getByName(host));
        } catch (UnknownHostException unknown) {
            return Optional.empty();
        }
    }

    private static void require(boolean holds, String field, Object value, String allowed) {
        if (!holds) {
            throw new IllegalArgumentException(field + " is '" + value + "': allowed is " + allowed);
        }
    }
}
