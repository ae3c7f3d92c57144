package io.berth.ops.rest;

import static io.berth.ops.rest.RestResponse.fields;

import io.berth.core.api.gateway.ClusterQuery;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What all routes share: allowed methods, and bodies. Thread-safe. */
final class Routes {

    /** Largest number of items of a list in one answer. */
    static final int MAX_PAGE = ClusterQuery.MAX_PAGE;

    private Routes() {}

    /** The action of a method. */
    interface Action {
        RestResponse run() throws IOException;
    }

    static RestResponse on(RestRequest request, Map<String, Action> actions) throws IOException {
        // The container leaves out the body of a HEAD.
        Action action = actions.get(request.method().equals("HEAD") ? "GET" : request.method());
        if (action == null) {
            List<String> allow = actions.keySet().stream().sorted().toList();
            if (request.method().equals("OPTIONS")) {
                return new RestResponse(200, fields("allowed", allow), allow);
            }
            return new RestResponse(
                    405,
                    fields(
                            "error",
                            request.method() + " /v1/" + String.join("/", request.path()) + ": allowed are "
                                    + String.join(", ", allow)),
                    allow);
        }
        return action.run();
    }

    static RefusedException unknown(RestRequest request) {
        return new RefusedException(
                404,
                "/v1/" + String.join("/", request.path())
                        + " is not known: see jobs, workers, slots, pools, policies, decisions, bundles, tokens and status below /v1");
    }

    static void requireType(RestRequest request, List<String> allowed) {
        String type = request.contentType()
                .map(given -> given.toLowerCase(Locale.ROOT))
                .orElse("missing");
        if (!allowed.contains(type)) {
            throw new RefusedException(415, "Content-Type is " + type + ": allowed are " + String.join(", ", allowed));
        }
    }

    static byte[] body(RestRequest request, int limit, String what) throws IOException {
        if (request.contentLength().filter(length -> length > limit).isPresent()) {
            throw new RefusedException(413, what + " may have at most " + limit + " bytes");
        }
        byte[] body = request.body().readNBytes(limit + 1);
        if (body.length > limit) {
            throw new RefusedException(413, what + " may have at most " + limit + " bytes");
        }
        return body;
    }

    static String text(byte[] body) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException failure) {
            throw new RefusedException(400, "the body is not text in UTF-8");
        }
    }

    static void checkParameters(RestRequest request, List<String> allowed) {
        for (String parameter : request.query().keySet()) {
            if (!allowed.contains(parameter)) {
                throw new RefusedException(
                        400, "parameter '" + parameter + "' is not known: allowed are " + String.join(", ", allowed));
            }
        }
    }

    static Optional<String> parameter(RestRequest request, String name) {
        return Optional.ofNullable(request.query().get(name)).filter(value -> !value.isBlank());
    }

    /** The requested number of items of a list. */
    static int pageSize(RestRequest request) {
        String limit = parameter(request, "limit").orElse(Integer.toString(MAX_PAGE));
        if (!limit.matches("[1-9][0-9]{0,3}") || Integer.parseInt(limit) > MAX_PAGE) {
            throw new RefusedException(400, "limit is '" + limit + "': 1 to " + MAX_PAGE + " is allowed");
        }
        return Integer.parseInt(limit);
    }

    /** @param next the parameter {@code after} of the next page, if there is one */
    static RestResponse page(RestRequest request, List<?> items, Optional<String> next) {
        return RestResponse.ok(items)
                .linkedTo(next.map(
                        after -> "/v1/" + request.path().get(0) + "?after=" + after + "&limit=" + pageSize(request)));
    }
}
