package io.berth.core.security;

import java.util.List;

/** What all connections between processes of a cluster have in common, whichever library makes them. */
public final class TlsSettings {

    public static final String PROTOCOL = "TLSv1.3";

    public static final List<String> CIPHERS =
            List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

    /** As short as can be, in seconds: a resumed session would keep the certificates of its first connection. */
    public static final long SESSION_SECONDS = 1;

    /** As few as can be. */
    public static final long SESSIONS = 1;

    private TlsSettings() {}
}
