package io.berth.ops.rest;

import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An answer.
 *
 * @param body written as JSON
 * @param allow methods that are allowed, for a 405 and for OPTIONS
 * @param next path and query of the next page of a list
 */
record RestResponse(int status, Object body, List<String> allow, Optional<String> next) {

    RestResponse(int status, Object body, List<String> allow) {
        this(status, body, allow, Optional.empty());
    }

    RestResponse linkedTo(Optional<String> page) {
        return new RestResponse(status, body, allow, page);
    }

    static RestResponse of(int status, Object body) {
        return new RestResponse(status, body, List.of());
    }

    static RestResponse ok(Object body) {
        return of(200, body);
    }

    static RestResponse error(int status, String message) {
        return of(status, fields("error", message));
    }

    /** What writes an answer that is not JSON. */
    interface Stream {

        /**
         * Writes the answer, which begins with the first byte.
         *
         * @throws IllegalStateException when there is nothing to write; then nothing was written
         */
        void writeTo(OutputStream out) throws IOException;
    }

    /** An answer of unknown length, as bytes. */
    static RestResponse stream(Stream body) {
        return ok(body);
    }

    /** Pairs of name and value, in that order. */
    static Map<String, Object> fields(Object... namesAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }
}
