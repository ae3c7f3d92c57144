package io.berth.ops.rest;

import static io.berth.ops.rest.RestResponse.fields;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What all routes share: methods that are allowed, and bodies. Any thread. */
final class Routes {

    private Routes() {}

    /** What a method does. */
    interface Action {
        RestResponse run() throws IOException;
    }

    static RestResponse on(RestRequest request, Map<String, Action> actions) throws IOException {
        // The container leaves the body of a HEAD out.
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
                        + " is not known: see jobs, workers, slots, policies, decisions, bundles and status below /v1");
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
}
