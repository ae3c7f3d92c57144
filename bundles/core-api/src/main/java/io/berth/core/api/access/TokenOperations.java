package io.berth.core.api.access;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The tokens by which users prove who they are. What is stored is the hash of a token, so nobody can read it later.
 * Offered while a Dispatcher leads in this process. A stage fails when the store of the tokens is needed and cannot be reached.
 * Thread-safe; never blocks.
 */
public interface TokenOperations {

    /** The largest number of tokens, valid or expired. */
    int MAX_TOKENS = 1_000;

    long MIN_VALID_MILLIS = 60_000;
    long MAX_VALID_MILLIS = 3_650L * 24 * 3_600_000;

    /** The user whom a token names; empty when there is no such token, or it has expired or was revoked. */
    CompletionStage<Optional<User>> authenticate(String token);

    /**
     * Makes a token. Empty when there are {@link #MAX_TOKENS}.
     *
     * @param user whom it names; several tokens may name the same user
     * @param validMillis {@link #MIN_VALID_MILLIS} to {@link #MAX_VALID_MILLIS}
     * @param by who makes it, for people
     * @throws IllegalArgumentException when it cannot be valid for that time
     */
    CompletionStage<Optional<NewToken>> create(User user, long validMillis, String by);

    /**
     * Makes the first token of a cluster, for the user {@code admin}, valid for {@link #MAX_VALID_MILLIS}. Empty when there
     * already is a valid one of the role {@link UserRole#ADMIN}.
     *
     * @param by who makes it, for people
     */
    CompletionStage<Optional<NewToken>> createFirst(String by);

    /** All tokens that were not revoked, the newest first. */
    CompletionStage<List<TokenDetails>> tokens();

    /**
     * Revokes the token with that id, or if there is none, all tokens of the user with that name. It has an effect on the next
     * request.
     *
     * @param idOrName id of a token, or name of a user
     * @return those that were revoked; empty when there is none
     */
    CompletionStage<List<TokenDetails>> revoke(String idOrName);

    /**
     * What is known of a token.
     *
     * @param id its public part
     * @param name of the user
     * @param createdMillis wall time
     * @param createdBy who made it, for people
     * @param expiresMillis wall time from which it is not valid
     */
    record TokenDetails(
            String id, String name, UserRole role, long createdMillis, String createdBy, long expiresMillis) {}

    /** A token that was just made. It cannot be shown again. */
    record NewToken(TokenDetails details, String token) {

        /** Without the token, which must not get into a log. */
        @Override
        public String toString() {
            return "token " + details.id();
        }
    }
}
