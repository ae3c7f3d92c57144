package io.berth.ops.cli;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Answers like a control plane and records the requests. */
final class StubControlPlane implements AutoCloseable {

    private final HttpServer server;
    private final Map<String, Deque<Answer>> answers = Collections.synchronizedMap(new TreeMap<>());
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());

    private final List<String> keys = Collections.synchronizedList(new ArrayList<>());
    private final List<String> authorizations = Collections.synchronizedList(new ArrayList<>());

    private record Answer(int status, String body, Optional<String> link) {}

    StubControlPlane() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String key = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            requests.add(key + (body.isEmpty() ? "" : " " + body));
            Optional.ofNullable(exchange.getRequestHeaders().getFirst("Idempotency-Key"))
                    .ifPresent(keys::add);
            Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                    .ifPresent(authorizations::add);
            Deque<Answer> queue = answers.getOrDefault(
                    key,
                    new ArrayDeque<>(List.of(new Answer(404, "{\"error\": \"no " + key + "\"}", Optional.empty()))));
            Answer answer = queue.size() > 1 ? queue.poll() : queue.peek();
            byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
            answer.link().ifPresent(link -> exchange.getResponseHeaders().add("Link", link));
            exchange.sendResponseHeaders(answer.status(), bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
    }

    /** Adds an answer to a request. Several answers are sent one after the other; the last one is repeated. */
    StubControlPlane on(String request, int status, String body) {
        answers.computeIfAbsent(request, key -> new ArrayDeque<>()).add(new Answer(status, body, Optional.empty()));
        return this;
    }

    /** Sets the answer to a request for a list: a page with a link to the next one. */
    StubControlPlane onPage(String request, String body, String next) {
        answers.put(
                request, new ArrayDeque<>(List.of(new Answer(200, body, Optional.of("<" + next + ">; rel=\"next\"")))));
        return this;
    }

    /** Returns the idempotency keys of the submissions in the order of arrival. */
    List<String> keys() {
        return List.copyOf(keys);
    }

    /** Returns the headers Authorization of requests that had one. */
    List<String> authorizations() {
        return List.copyOf(authorizations);
    }

    List<String> requests() {
        return List.copyOf(requests);
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
