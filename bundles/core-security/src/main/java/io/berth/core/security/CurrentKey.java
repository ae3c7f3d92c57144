package io.berth.core.security;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows the credentials that are current when a handshake begins. They may change during one, so what is chosen names
 * them, and certificate and key are those of the choice.
 */
final class CurrentKey extends X509ExtendedKeyManager {

    private final Supplier<Credentials> current;
    /** The two that were chosen last; the older one for handshakes that began with it. */
    private volatile Chosen chosen;

    private record Chosen(
            String alias, Credentials credentials, @Nullable Chosen before) {}

    CurrentKey(Supplier<Credentials> current) {
        this.current = current;
        this.chosen = new Chosen("", current.get(), null);
    }

    /** The alias for a handshake; null when the key is of another type than wanted. */
    private synchronized @Nullable String choose(String @Nullable ... types) {
        Credentials now = current.get();
        if (types != null && Arrays.stream(types).noneMatch(type -> isOf(now.key(), type))) {
            return null;
        }
        if (chosen.alias.isEmpty() || chosen.credentials != now) {
            Chosen before = chosen;
            chosen = new Chosen(
                    "berth-" + Integer.toHexString(System.identityHashCode(now)) + "-" + now.validUntil(),
                    now,
                    new Chosen(before.alias, before.credentials, null));
        }
        return chosen.alias;
    }

    /** Handshakes name types such as EC, EC_EC, RSA, RSASSA-PSS and EdDSA. */
    private static boolean isOf(PrivateKey key, String type) {
        return type.startsWith(key.getAlgorithm());
    }

    private @Nullable Credentials named(@Nullable String alias) {
        Chosen now = chosen;
        if (now.alias.equals(alias)) {
            return now.credentials;
        }
        Chosen before = now.before;
        return before != null && before.alias.equals(alias) ? before.credentials : null;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String @Nullable [] types, Principal @Nullable [] issuers, SSLEngine engine) {
        return choose(types);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(String type, Principal @Nullable [] issuers, SSLEngine engine) {
        return choose(type);
    }

    @Override
    public @Nullable String chooseClientAlias(String[] types, Principal @Nullable [] issuers, Socket socket) {
        return choose(types);
    }

    @Override
    public @Nullable String chooseServerAlias(String type, Principal @Nullable [] issuers, Socket socket) {
        return choose(type);
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
        return aliases(type);
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
        return aliases(type);
    }

    private String @Nullable [] aliases(String type) {
        String alias = choose(type);
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        Credentials credentials = named(alias);
        return credentials == null ? null : credentials.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        Credentials credentials = named(alias);
        return credentials == null ? null : credentials.key();
    }
}
