package io.berth.core.rpc.transport;

import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.rpc.RpcException.Kind;
import io.berth.core.security.LiveCredentials;
import io.berth.core.security.Peer;
import io.berth.core.security.TlsSettings;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.security.cert.CertificateException;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Who the other processes are. With credentials, connections are TLS 1.3 with certificates of both ends; without, nobody is
 * asked, and only processes of this host can connect.
 */
public final class Peers {

    private final Optional<LiveCredentials> credentials;

    public Peers(Optional<LiveCredentials> credentials) {
        this.credentials = credentials;
    }

    public Optional<LiveCredentials> credentials() {
        return credentials;
    }

    /** For the listener; empty without credentials. */
    Optional<SslContext> server() {
        return credentials.map(live -> context(SslContextBuilder.forServer(live.keys())
                .clientAuth(ClientAuth.REQUIRE)
                .trustManager(live.trust())));
    }

    /** For connections to peers; empty without credentials. */
    Optional<SslContext> client() {
        return credentials.map(live ->
                context(SslContextBuilder.forClient().keyManager(live.keys()).trustManager(live.trust())));
    }

    private static SslContext context(SslContextBuilder builder) {
        try {
            return GrpcSslContexts.configure(builder, SslProvider.JDK)
                    .protocols(TlsSettings.PROTOCOL)
                    .ciphers(TlsSettings.CIPHERS)
                    .sessionTimeout(TlsSettings.SESSION_SECONDS)
                    .sessionCacheSize(TlsSettings.SESSIONS)
                    .build();
        } catch (SSLException failure) {
            throw new IllegalStateException("TLS cannot be set up: " + failure.getMessage(), failure);
        }
    }

    /**
     * The process at the other end of a connection; empty without credentials.
     *
     * @throws RpcException when it does not belong to the cluster, or no longer does
     */
    Optional<Peer> of(Attributes connection) {
        if (credentials.isEmpty()) {
            return Optional.empty();
        }
        @Nullable SSLSession session = connection.get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
        if (session == null) {
            throw new RpcException(Kind.DENIED, "the connection is not secured");
        }
        try {
            return Optional.of(credentials.get().peer(session));
        } catch (CertificateException untrusted) {
            throw new RpcException(Kind.DENIED, "the peer is not trusted: " + untrusted.getMessage());
        }
    }

    /**
     * Checks that the process at the other end is one that serves an endpoint.
     *
     * @throws RpcException when it is not
     */
    void requireServerOf(EndpointName endpoint, Attributes connection) {
        of(connection).ifPresent(peer -> {
            boolean serves = peer.roles().contains(endpoint.servedBy())
                    && endpoint.workerId().map(peer.name()::equals).orElse(true);
            if (!serves) {
                throw new RpcException(
                        Kind.DENIED, "endpoint " + endpoint + " is not served by " + peer + ", which has its address");
            }
        });
    }
}
