package io.berth.core.security;

import java.security.cert.CertificateException;

/** Why TLS handshakes fail, for people. */
public final class HandshakeFailures {

    private HandshakeFailures() {}

    /** What was wrong with the certificate, or the innermost reason, which the library wraps several times. */
    public static String text(Throwable failure) {
        Throwable cause = failure;
        while (!(cause instanceof CertificateException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
