package io.berth.ops.rest;

import io.berth.core.api.access.User;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request, independent of the server.
 *
 * @param path below {@code /v1}, split at slashes, decoded
 * @param query the first value of each parameter
 * @param contentType without parameters, lower case
 * @param contentLength as declared
 * @param idempotencyKey the header Idempotency-Key
 * @param authorization the header Authorization
 * @param user who sends it; empty before that is known, and when authentication is off
 */
record RestRequest(
        String method,
        List<String> path,
        Map<String, String> query,
        Optional<String> contentType,
        Optional<Long> contentLength,
        Optional<String> idempotencyKey,
        Optional<String> authorization,
        Optional<User> user,
        InputStream body) {

    /** The same request, sent by that user. */
    RestRequest by(User sender) {
        return new RestRequest(
                method,
                path,
                query,
                contentType,
                contentLength,
                idempotencyKey,
                authorization,
                Optional.of(sender),
                body);
    }

    /** Who sends it, for people. */
    String sender() {
        return user.map(known -> known.name() + " (REST)").orElse("REST");
    }

    /** Without the header Authorization, which must not get into a log. */
    @Override
    public String toString() {
        return method + " /v1/" + String.join("/", path);
    }
}
