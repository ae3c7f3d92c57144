package io.berth.ops.rest;

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
 */
record RestRequest(
        String method,
        List<String> path,
        Map<String, String> query,
        Optional<String> contentType,
        Optional<Long> contentLength,
        Optional<String> idempotencyKey,
        InputStream body) {}
