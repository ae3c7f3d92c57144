package io.berth.ops.rest;

import java.io.IOException;
import javax.servlet.http.HttpServletResponse;

/** Writes answers as JSON. */
final class HttpAnswers {

    private HttpAnswers() {}

    static void write(RestResponse answer, HttpServletResponse response, Json json) throws IOException {
        byte[] body = json.write(answer.body());
        response.setStatus(answer.status());
        answer.next().ifPresent(page -> response.setHeader("Link", "<" + page + ">; rel=\"next\""));
        if (!answer.allow().isEmpty()) {
            response.setHeader("Allow", String.join(", ", answer.allow()));
        }
        if (answer.status() == 401) {
            response.setHeader("WWW-Authenticate", "Bearer realm=\"berth\"");
        }
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setContentType("application/json;charset=utf-8");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
