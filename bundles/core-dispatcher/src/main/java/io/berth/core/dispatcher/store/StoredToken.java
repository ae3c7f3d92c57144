package io.berth.core.dispatcher.store;

import io.berth.core.api.access.TokenOperations.TokenDetails;
import io.berth.core.api.access.UserRole;
import io.berth.core.dispatcher.store.RecordReader.UnreadableRecordException;
import java.util.HexFormat;

/**
 * A token as the metadata store keeps it: without its secret. Immutable.
 *
 * @param hash SHA-256 of the secret, in hexadecimal digits. The secret is random and long, so a slow hash adds nothing
 */
public record StoredToken(TokenDetails details, String hash) {

    /** Before the id of each token in the keys of records. */
    static final String PREFIX = "tokens/";

    private static final int FORMAT = 1;
    private static final int HASH_BYTES = 32;

    /** @throws IllegalArgumentException when the hash is none */
    public StoredToken {
        if (HexFormat.of().parseHex(hash).length != HASH_BYTES) {
            throw new IllegalArgumentException("the hash of token " + details.id() + " is not a SHA-256");
        }
    }

    String key() {
        return PREFIX + details.id();
    }

    byte[] bytes() {
        RecordWriter out = new RecordWriter(FORMAT);
        out.text(details.id());
        out.text(details.name());
        out.text(details.role().label());
        out.number(details.createdMillis());
        out.text(details.createdBy());
        out.number(details.expiresMillis());
        out.text(hash);
        return out.bytes();
    }

    static StoredToken read(byte[] bytes) throws UnreadableRecordException {
        return RecordReader.read(bytes, FORMAT, FORMAT, in -> {
            String id = in.text();
            String name = in.text();
            String role = in.text();
            UserRole known = UserRole.of(role)
                    .orElseThrow(() -> new UnreadableRecordException("has the unknown role '" + role + "'"));
            TokenDetails details = new TokenDetails(id, name, known, in.number(), in.text(), in.number());
            return new StoredToken(details, in.text());
        });
    }
}
