package io.berth.ops.rest;

import io.berth.core.api.access.TokenOperations;
import io.berth.core.api.access.User;
import io.berth.core.api.access.UserRole;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Who sends a request, and whether they may. Thread-safe. */
final class Access {

    private static final String SCHEME = "bearer ";
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    private final TokenOperations tokens;
    private final boolean on;
    private final Waiting waiting;

    /** @param on whether users must authenticate */
    Access(TokenOperations tokens, boolean on, Waiting waiting) {
        this.tokens = tokens;
        this.on = on;
        this.waiting = waiting;
    }

    /**
     * The request with its user, when authentication is on.
     *
     * @throws RefusedException when it has no valid token, or its user may not do that; when authentication is off, for tokens
     */
    RestRequest checked(RestRequest request) {
        if (!on && isOfTokens(request.path())) {
            // One that somebody makes now would let them in later.
            throw new RefusedException(
                    409, "there are no tokens without authentication = token in etc/io.berth.ops.rest.cfg");
        }
        if (!on) {
            return request;
        }
        User user = user(request.authorization());
        UserRole needed = needed(request.method(), request.path());
        if (!user.role().includes(needed)) {
            throw new RefusedException(
                    403,
                    request + " needs the role " + needed.label() + ", and " + user.name() + " has the role "
                            + user.role().label());
        }
        return request.by(user);
    }

    private User user(Optional<String> authorization) {
        String given =
                authorization.orElseThrow(() -> new RefusedException(401, "a token is needed, and none was sent"));
        if (!given.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            throw new RefusedException(401, "a token is needed: the header Authorization must be 'Bearer TOKEN'");
        }
        return waiting.await(
                        tokens.authenticate(given.substring(SCHEME.length()).strip()))
                .orElseThrow(
                        () -> new RefusedException(401, "the token is not valid: it is unknown, expired or revoked"));
    }

    private static boolean isOfTokens(List<String> path) {
        return !path.isEmpty() && path.get(0).equals("tokens");
    }

    /** The role that a request needs at least. What a later route does not state here is for admins. */
    static UserRole needed(String method, List<String> path) {
        String first = path.isEmpty() ? "" : path.get(0);
        if (isOfTokens(path)) {
            return UserRole.ADMIN;
        }
        if (READING.contains(method)) {
            return UserRole.VIEWER;
        }
        return switch (first) {
            case "jobs", "bundles" -> UserRole.SUBMITTER;
            case "workers", "policies" -> UserRole.OPERATOR;
            default -> UserRole.ADMIN;
        };
    }

    /** @throws RefusedException when the sender may not change a job of that submitter */
    static void requireMayChange(RestRequest request, String job, String submitter) {
        request.user().filter(user -> !user.mayChangeJobOf(submitter)).ifPresent(user -> {
            throw new RefusedException(
                    403,
                    "job " + job + " is of " + (submitter.isEmpty() ? "an unknown submitter" : submitter) + ", and "
                            + user.name() + " may only change own jobs: others need the role "
                            + UserRole.OPERATOR.label());
        });
    }
}
