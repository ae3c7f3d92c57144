package io.berth.runtime.dataflow.exchange.wire;

import io.berth.core.api.rpc.PeerRole;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.core.security.ClusterSecurity;
import io.berth.core.security.HandshakeFailures;
import io.berth.core.security.LiveCredentials;
import io.berth.core.security.Peer;
import io.berth.core.security.TlsSettings;
import io.netty.channel.Channel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.security.cert.CertificateException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS 1.3 between workers, with certificates of both; without credentials, connections are not secured, and only this host
 * can connect.
 */
public final class ConnectionSecurity {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionSecurity.class);
    private static final long LOG_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Clock clock = new SystemClock();
    private final AtomicLong lastLogged = new AtomicLong(clock.nanos() - LOG_NANOS);
    private final Optional<LiveCredentials> credentials;
    private final Optional<SslContext> server;
    private final Optional<SslContext> client;

    public ConnectionSecurity(ClusterSecurity security) {
        this.credentials = security.credentials();
        this.server = credentials.map(live -> context(SslContextBuilder.forServer(live.keys())
                .clientAuth(ClientAuth.REQUIRE)
                .trustManager(live.trust())));
        this.client = credentials.map(live ->
                context(SslContextBuilder.forClient().keyManager(live.keys()).trustManager(live.trust())));
    }

    private static SslContext context(SslContextBuilder builder) {
        try {
            return builder.sslProvider(SslProvider.JDK)
                    .protocols(TlsSettings.PROTOCOL)
                    .ciphers(TlsSettings.CIPHERS)
                    .sessionTimeout(TlsSettings.SESSION_SECONDS)
                    .sessionCacheSize(TlsSettings.SESSIONS)
                    .build();
        } catch (SSLException failure) {
            throw new IllegalStateException("TLS cannot be set up: " + failure.getMessage(), failure);
        }
    }

    public boolean isOn() {
        return credentials.isPresent();
    }

    /** Has {@code changed} called when the credentials have changed, on another thread, until the result is closed. */
    public LiveCredentials.Listening onChange(Runnable changed) {
        return credentials.map(live -> live.onChange(changed)).orElse(() -> {});
    }

    /** Secures a connection that a consumer opened; it does nothing without credentials. */
    void secureServer(Channel channel, int handshakeMillis) {
        server.ifPresent(context -> add(channel, context, handshakeMillis));
    }

    /** Secures a connection to a producer; it does nothing without credentials. */
    void secureClient(Channel channel, int handshakeMillis) {
        client.ifPresent(context -> add(channel, context, handshakeMillis));
    }

    /** @param greetingMillis within this time HELLO must come, which begins with the connection, so this ends before */
    private void add(Channel channel, SslContext context, int greetingMillis) {
        SslHandler handler = context.newHandler(channel.alloc());
        handler.setHandshakeTimeoutMillis(greetingMillis - greetingMillis / 4);
        handler.handshakeFuture().addListener(done -> {
            if (!done.isSuccess() && mayLog()) {
                LOG.warn(
                        "Exchange connection with {} refused: its TLS handshake failed: {}",
                        channel.remoteAddress(),
                        HandshakeFailures.text(done.cause()));
            }
        });
        channel.pipeline().addLast(handler);
    }

    /** Whoever can reach the port could fill the log. */
    private boolean mayLog() {
        long now = clock.nanos();
        long last = lastLogged.get();
        return now - last >= LOG_NANOS && lastLogged.compareAndSet(last, now);
    }

    /**
     * Checks that the other end is the worker that it says it is.
     *
     * @throws ProtocolException when it is not
     */
    public void requireWorker(Channel channel, String id) throws ProtocolException {
        if (credentials.isEmpty()) {
            return;
        }
        Peer peer;
        try {
            peer = peer(channel, credentials.get());
        } catch (CertificateException untrusted) {
            throw new ProtocolException("the peer is not trusted: " + untrusted.getMessage());
        }
        if (!peer.roles().contains(PeerRole.WORKER) || !peer.name().equals(id)) {
            throw new ProtocolException(
                    "the peer says that it is worker " + id + ", and its certificate is that of " + peer);
        }
    }

    /** Whether the other end may stay connected. One that is still being set up is judged by its handshake and its HELLO. */
    public boolean isTrusted(Channel channel) {
        SslHandler handler = channel.pipeline().get(SslHandler.class);
        if (credentials.isEmpty()
                || handler == null
                || !handler.handshakeFuture().isSuccess()) {
            return true;
        }
        try {
            peer(channel, credentials.get());
            return true;
        } catch (CertificateException untrusted) {
            return false;
        }
    }

    private static Peer peer(Channel channel, LiveCredentials live) throws CertificateException {
        SslHandler handler = channel.pipeline().get(SslHandler.class);
        if (handler == null) {
            throw new CertificateException("the connection is not secured");
        }
        return live.peer(handler.engine().getSession());
    }
}
