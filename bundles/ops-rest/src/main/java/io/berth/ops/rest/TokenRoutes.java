package io.berth.ops.rest;

import static io.berth.ops.rest.RestResponse.fields;
import static io.berth.ops.rest.Routes.body;
import static io.berth.ops.rest.Routes.on;
import static io.berth.ops.rest.Routes.requireType;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.core.api.access.TokenOperations;
import io.berth.core.api.access.TokenOperations.NewToken;
import io.berth.core.api.access.TokenOperations.TokenDetails;
import io.berth.core.api.access.User;
import io.berth.core.api.access.UserRole;
import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.DurationText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Translates requests below {@code /v1/tokens}. Stateless; thread-safe. */
final class TokenRoutes {

    private static final int MAX_BYTES = 4096;
    private static final List<String> JSON = List.of("application/json");
    private static final String VALID_ALLOWED = "a duration from 1m to 3650d, such as 90d";

    private final TokenOperations tokens;
    private final Json json;
    private final Waiting waiting;

    TokenRoutes(TokenOperations tokens, Json json, Waiting waiting) {
        this.tokens = tokens;
        this.json = json;
        this.waiting = waiting;
    }

    RestResponse route(RestRequest request) throws IOException {
        if (request.path().size() == 1) {
            return on(
                    request,
                    Map.of(
                            "GET",
                            () -> RestResponse.ok(waiting.await(tokens.tokens())),
                            "POST",
                            () -> create(request)));
        }
        String which = request.path().get(1);
        return on(request, Map.of("DELETE", () -> revoke(which)));
    }

    private RestResponse create(RestRequest request) throws IOException {
        requireType(request, JSON);
        JsonNode body = json.read(body(request, MAX_BYTES, "a token"));
        if (!body.path("name").isTextual()
                || !body.path("role").isTextual()
                || !body.path("validFor").isTextual()
                || body.size() != 3) {
            throw new RefusedException(
                    400,
                    "allowed is {\"name\": NAME, \"role\": ROLE, \"validFor\": DURATION}, for example {\"name\": \"ann\","
                            + " \"role\": \"submitter\", \"validFor\": \"90d\"}");
        }
        List<Problem> problems = new ArrayList<>();
        String name = body.path("name").textValue();
        if (!User.isName(name)) {
            problems.add(new Problem("name", "'" + name + "'", User.NAME_ALLOWED));
        }
        String roleText = body.path("role").textValue();
        Optional<UserRole> role = UserRole.of(roleText);
        if (role.isEmpty()) {
            problems.add(new Problem("role", "'" + roleText + "'", "one of " + UserRole.allowed()));
        }
        String validText = body.path("validFor").textValue();
        long valid =
                DurationText.millis(validText, TokenOperations.MAX_VALID_MILLIS).orElse(0);
        if (valid < TokenOperations.MIN_VALID_MILLIS) {
            problems.add(new Problem("validFor", "'" + validText + "'", VALID_ALLOWED));
        }
        if (!problems.isEmpty()) {
            return RestRouter.refused(problems);
        }
        NewToken made = waiting.await(tokens.create(new User(name, role.get()), valid, request.sender()))
                .orElseThrow(() -> new RefusedException(
                        409,
                        "there are " + TokenOperations.MAX_TOKENS
                                + " tokens, the most that are allowed: revoke those that"
                                + " are not needed or have expired"));
        return RestResponse.of(201, json.with(made.details(), "token", made.token()));
    }

    private RestResponse revoke(String which) {
        List<TokenDetails> revoked = waiting.await(tokens.revoke(which));
        if (revoked.isEmpty()) {
            throw new RefusedException(
                    404, "no token or user '" + which + "': GET /v1/tokens lists the tokens that were not revoked");
        }
        return RestResponse.ok(fields("revoked", revoked));
    }
}
