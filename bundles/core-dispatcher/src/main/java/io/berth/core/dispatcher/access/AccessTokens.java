package io.berth.core.dispatcher.access;

import io.berth.core.api.access.TokenOperations;
import io.berth.core.api.access.User;
import io.berth.core.api.access.UserRole;
import io.berth.core.dispatcher.state.DispatcherParts;
import io.berth.core.dispatcher.store.StoredToken;
import io.berth.core.dispatcher.store.TokenStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens of users during one term. They are read from the store when the first one is needed, and changed on the store
 * thread only. After a change that failed they are read again, because it may have been kept.
 *
 * <p>A token is {@code berth_ID_SECRET}. The prefix lets scanners of source code find tokens that got there.
 */
public final class AccessTokens implements TokenOperations {

    private static final Logger LOG = LoggerFactory.getLogger(AccessTokens.class);
    private static final String PREFIX = "berth_";
    private static final String ID_CHARACTERS = "abcdefghijkmnpqrstuvwxyz23456789";
    private static final int ID_LENGTH = 10;
    private static final int SECRET_BYTES = 32;
    /** Longer ones are none. */
    private static final int MAX_LENGTH = 100;

    private static final String FIRST = "admin";

    private final DispatcherParts parts;
    private final TokenStore store;
    /** Immutable; empty when they must be read. Changed on the store thread. */
    private volatile Optional<SortedMap<String, StoredToken>> known = Optional.empty();

    private volatile boolean closed;

    public AccessTokens(DispatcherParts parts) {
        this.parts = parts;
        store = new TokenStore(parts.environment().store());
    }

    @Override
    public CompletionStage<Optional<User>> authenticate(String token) {
        Optional<SortedMap<String, StoredToken>> now = known;
        return now.isPresent() && !closed
                ? DispatcherParts.done(user(token, now.get()))
                : parts.stored(() -> user(token, current()));
    }

    /** The term has ended, and with it the store thread: another Dispatcher may revoke tokens. */
    public void close() {
        closed = true;
    }

    private Optional<User> user(String token, SortedMap<String, StoredToken> tokens) {
        int secretAt = token.lastIndexOf('_', Math.min(token.length(), PREFIX.length() + ID_LENGTH));
        if (token.length() > MAX_LENGTH || !token.startsWith(PREFIX) || secretAt < PREFIX.length()) {
            return Optional.empty();
        }
        Optional<StoredToken> stored = Optional.ofNullable(tokens.get(token.substring(PREFIX.length(), secretAt)));
        byte[] hash = sha256(token.substring(secretAt + 1));
        return stored.filter(one -> MessageDigest.isEqual(HexFormat.of().parseHex(one.hash()), hash))
                .map(StoredToken::details)
                .filter(this::isValid)
                .map(details -> new User(details.name(), details.role()));
    }

    private boolean isValid(TokenDetails token) {
        return parts.wallMillis() < token.expiresMillis();
    }

    @Override
    public CompletionStage<Optional<NewToken>> create(User user, long validMillis, String by) {
        if (validMillis < MIN_VALID_MILLIS || validMillis > MAX_VALID_MILLIS) {
            throw new IllegalArgumentException("a token cannot be valid for " + validMillis + " ms: allowed is "
                    + MIN_VALID_MILLIS + " to " + MAX_VALID_MILLIS);
        }
        return parts.stored(
                () -> current().size() >= MAX_TOKENS ? Optional.empty() : Optional.of(add(user, validMillis, by)));
    }

    @Override
    public CompletionStage<Optional<NewToken>> createFirst(String by) {
        return parts.stored(() -> current().values().stream()
                        .map(StoredToken::details)
                        .anyMatch(token -> token.role() == UserRole.ADMIN && isValid(token))
                ? Optional.empty()
                : Optional.of(add(new User(FIRST, UserRole.ADMIN), MAX_VALID_MILLIS, by)));
    }

    private NewToken add(User user, long validMillis, String by) throws IOException {
        byte[] random = new byte[SECRET_BYTES];
        parts.environment().random().nextBytes(random);
        String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        SortedMap<String, StoredToken> tokens = new TreeMap<>(current());
        long now = parts.wallMillis();
        TokenDetails details = new TokenDetails(newId(tokens), user.name(), user.role(), now, by, now + validMillis);
        StoredToken token = new StoredToken(details, HexFormat.of().formatHex(sha256(secret)));
        known = Optional.empty();
        store.add(token);
        tokens.put(details.id(), token);
        know(tokens);
        LOG.info("Token {} was made by {} for {}", details.id(), by, user);
        return new NewToken(details, PREFIX + details.id() + "_" + secret);
    }

    private String newId(SortedMap<String, StoredToken> tokens) {
        while (true) {
            StringBuilder id = new StringBuilder();
            for (int i = 0; i < ID_LENGTH; i++) {
                id.append(ID_CHARACTERS.charAt(parts.environment().random().nextInt(ID_CHARACTERS.length())));
            }
            if (!tokens.containsKey(id.toString())) {
                return id.toString();
            }
        }
    }

    @Override
    public CompletionStage<List<TokenDetails>> tokens() {
        return parts.stored(() -> current().values().stream()
                .map(StoredToken::details)
                .sorted(Comparator.comparingLong(TokenDetails::createdMillis)
                        .reversed()
                        .thenComparing(TokenDetails::id))
                .toList());
    }

    @Override
    public CompletionStage<List<TokenDetails>> revoke(String idOrName) {
        return parts.stored(() -> {
            SortedMap<String, StoredToken> tokens = new TreeMap<>(current());
            // A name may look like an id.
            List<StoredToken> meant = Optional.ofNullable(tokens.get(idOrName))
                    .map(List::of)
                    .orElseGet(() -> tokens.values().stream()
                            .filter(token -> token.details().name().equals(idOrName))
                            .toList());
            for (StoredToken token : meant) {
                known = Optional.empty();
                store.remove(token);
                tokens.remove(token.details().id());
                LOG.info(
                        "Token {} of {} was revoked",
                        token.details().id(),
                        token.details().name());
            }
            know(tokens);
            return meant.stream().map(StoredToken::details).toList();
        });
    }

    private SortedMap<String, StoredToken> current() throws IOException {
        if (known.isEmpty()) {
            know(store.read());
        }
        return known.orElseThrow();
    }

    private void know(SortedMap<String, StoredToken> tokens) {
        known = Optional.of(Collections.unmodifiableSortedMap(tokens));
    }

    private static byte[] sha256(String secret) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException failure) {
            throw new IllegalStateException("each JVM has SHA-256", failure);
        }
    }
}
