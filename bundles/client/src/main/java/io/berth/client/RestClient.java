package io.berth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.client.BerthException.Kind;
import io.berth.client.BerthException.Problem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Requests to the REST interface of a control plane, with JSON in and out: what {@link BerthClient} has no method for. One that
 * is rejected or has no answer is a {@link BerthException}. Thread-safe.
 *
 * <p>With several addresses, a request goes to the control plane that answered last, and to the next one when that does not
 * serve: only the process whose Dispatcher leads does. When it may have had an effect, only what can be repeated goes to
 * the next one: what reads, uploads, and POST with an Idempotency-Key. Each address may take its time: 30 s for an answer,
 * 5 min for an upload or a download.
 */
public final class RestClient {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration UPLOAD_TIMEOUT = Duration.ofMinutes(5);
    /** The answer of a standby, which did nothing. */
    private static final int MISDIRECTED = 421;
    /** Header Link of a page, with the path of the next page. */
    private static final Pattern NEXT_PAGE = Pattern.compile("</v1/([^>]+)>; rel=\"next\"");

    private final List<URI> bases;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build();
    private final ObjectMapper mapper;
    private final Supplier<Optional<Path>> tokenFile;
    /** Index of the address that answered last. */
    private volatile int current;

    /** One request to one address. */
    private interface Attempt<T> {
        T at(URI base) throws UnservedException;
    }

    /** There is no answer of a control plane that serves. */
    private static final class UnservedException extends Exception {

        private static final long serialVersionUID = 1L;

        private final boolean busy;
        private final boolean mayHaveActed;

        /**
         * @param busy whether a control plane serves there, which cannot do it now
         * @param mayHaveActed whether the request may have had an effect
         */
        UnservedException(String message, boolean busy, boolean mayHaveActed) {
            super(message);
            this.busy = busy;
            this.mayHaveActed = mayHaveActed;
        }
    }

    /**
     * @param urls an address, or several, separated by commas: the leader and its standbys, in any order
     * @throws IllegalArgumentException when one is no address
     */
    public RestClient(String urls) {
        this(urls, new ObjectMapper());
    }

    /**
     * @param urls as in {@link #RestClient(String)}
     * @param mapper reads the answers
     */
    public RestClient(String urls, ObjectMapper mapper) {
        this(urls, mapper, Optional::empty);
    }

    /**
     * @param urls as in {@link #RestClient(String)}
     * @param mapper reads the answers
     * @param tokenFile the file with the token of the user, if there is one; asked for and read for each request, so that the
     *     token can be replaced
     */
    public RestClient(String urls, ObjectMapper mapper, Supplier<Optional<Path>> tokenFile) {
        this.mapper = mapper;
        this.tokenFile = tokenFile;
        bases = Arrays.stream(urls.split(",", -1)).map(RestClient::base).toList();
    }

    private static URI base(String text) {
        String url = text.strip();
        URI given;
        try {
            given = URI.create(url.endsWith("/") ? url : url + "/");
        } catch (IllegalArgumentException failure) {
            throw noAddress(url);
        }
        if (given.getHost() == null || !given.getScheme().startsWith("http")) {
            throw noAddress(url);
        }
        return given;
    }

    private static IllegalArgumentException noAddress(String url) {
        return new IllegalArgumentException(
                "url is '" + url + "': allowed is an address such as http://127.0.0.1:8181");
    }

    public static String encode(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    public JsonNode get(String path) {
        return ask(
                true,
                base -> read(
                        base, send(base, request(base, path, ANSWER_TIMEOUT).GET())));
    }

    /** As {@link #get}; empty when there is no such thing. */
    public Optional<JsonNode> find(String path) {
        try {
            return Optional.of(get(path));
        } catch (BerthException failure) {
            if (failure.kind() == Kind.NOT_FOUND) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    /** All items of a list, page by page. */
    public List<JsonNode> list(String path) {
        List<JsonNode> items = new ArrayList<>();
        Optional<String> page = Optional.of(path);
        while (page.isPresent()) {
            String now = page.get();
            page = ask(true, base -> {
                HttpResponse<byte[]> response =
                        send(base, request(base, now, ANSWER_TIMEOUT).GET());
                read(base, response).forEach(items::add);
                return response.headers()
                        .firstValue("Link")
                        .map(NEXT_PAGE::matcher)
                        .filter(Matcher::matches)
                        .map(link -> link.group(1));
            });
        }
        return items;
    }

    public JsonNode post(String path, String type, String body) {
        return post(path, type, body, Map.of());
    }

    public JsonNode post(String path, String type, String body, Map<String, String> headers) {
        return ask(headers.containsKey("Idempotency-Key"), base -> {
            HttpRequest.Builder request = request(base, path, ANSWER_TIMEOUT)
                    .header("Content-Type", type)
                    .POST(BodyPublishers.ofString(body));
            headers.forEach(request::header);
            return read(base, send(base, request));
        });
    }

    public JsonNode put(String path, String json) {
        return ask(
                false,
                base -> read(
                        base,
                        send(
                                base,
                                request(base, path, ANSWER_TIMEOUT)
                                        .header("Content-Type", "application/json")
                                        .PUT(BodyPublishers.ofString(json)))));
    }

    public void upload(String path, Path file) {
        ask(true, base -> {
            try {
                return read(
                        base,
                        send(
                                base,
                                request(base, path, UPLOAD_TIMEOUT)
                                        .header("Content-Type", "application/java-archive")
                                        .PUT(BodyPublishers.ofFile(file))));
            } catch (FileNotFoundException failure) {
                throw new UncheckedIOException("bundle " + file + " cannot be read", failure);
            }
        });
    }

    /**
     * The name of a bundle in the store.
     *
     * @throws UncheckedIOException when it cannot be read
     */
    public static String sha256(Path file) {
        try (InputStream content = Files.newInputStream(file)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] buffer = new byte[65_536];
            for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
                digest.update(buffer, 0, read);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException failure) {
            throw new UncheckedIOException("bundle " + file + " cannot be read", failure);
        } catch (NoSuchAlgorithmException failure) {
            throw new IllegalStateException("each JVM has SHA-256", failure);
        }
    }

    public JsonNode delete(String path) {
        return ask(
                false,
                base -> read(
                        base, send(base, request(base, path, ANSWER_TIMEOUT).DELETE())));
    }

    /**
     * Writes an answer to a file, which is complete when it has its name.
     *
     * @return its size in bytes
     * @throws FileSystemException when the file cannot be written
     */
    public long download(String path, Path file) throws FileSystemException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            ask(true, base -> copy(base, path, part));
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
            return Files.size(file);
        } catch (UnwritableException failure) {
            throw failure.cause;
        } catch (FileSystemException failure) {
            throw failure;
        } catch (IOException failure) {
            throw new BerthException(Kind.FAILED, "file " + file + ": " + failure.getMessage());
        }
    }

    /** The file cannot be written, so another address would not help. */
    private static final class UnwritableException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient FileSystemException cause;

        UnwritableException(FileSystemException cause) {
            super(cause);
            this.cause = cause;
        }
    }

    private Path copy(URI base, String path, Path part) throws UnservedException {
        HttpRequest request = request(base, path, UPLOAD_TIMEOUT)
                .setHeader("Accept", "application/octet-stream")
                .GET()
                .build();
        try {
            HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                if (response.statusCode() != 200) {
                    read(base, response.statusCode(), body.readAllBytes());
                    throw new BerthException(Kind.FAILED, "HTTP status " + response.statusCode());
                }
                Files.copy(body, part, StandardCopyOption.REPLACE_EXISTING);
            }
            return part;
        } catch (FileSystemException failure) {
            throw new UnwritableException(failure);
        } catch (ConnectException | HttpConnectTimeoutException failure) {
            throw unreachable(base, failure);
        } catch (IOException failure) {
            throw new UnservedException(
                    "the answer of the control plane at " + base + " ended early (" + failure.getMessage() + "): "
                            + part + " is incomplete; try again",
                    false,
                    true);
        } catch (InterruptedException interrupted) {
            throw interrupted();
        }
    }

    /**
     * Sends a request to one address after the other, until one serves it.
     *
     * @param repeatable whether it may be sent again when it may have had an effect
     */
    private <T> T ask(boolean repeatable, Attempt<T> attempt) {
        int first = current;
        List<UnservedException> failures = new ArrayList<>();
        for (int next = 0; next < bases.size(); next++) {
            int index = (first + next) % bases.size();
            try {
                T answer = attempt.at(bases.get(index));
                current = index;
                return answer;
            } catch (BerthException refusal) {
                if (refusal.kind() != Kind.INTERRUPTED) {
                    current = index;
                }
                throw refusal;
            } catch (UnservedException failure) {
                failures.add(failure);
                if (failure.mayHaveActed && !repeatable) {
                    break;
                }
            }
        }
        throw new BerthException(
                Kind.UNREACHABLE,
                failures.stream()
                        .filter(failure -> failure.busy)
                        .findFirst()
                        .map(Throwable::getMessage)
                        .orElseGet(() ->
                                failures.stream().map(Throwable::getMessage).collect(Collectors.joining("; "))));
    }

    private HttpRequest.Builder request(URI base, String path, Duration timeout) {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve("v1/" + path))
                .timeout(timeout)
                .header("Accept", "application/json");
        tokenFile.get().ifPresent(file -> request.header("Authorization", "Bearer " + token(base, file)));
        return request;
    }

    private static String token(URI base, Path file) {
        boolean here = base.getHost().equals("localhost")
                || base.getHost().startsWith("127.")
                || base.getHost().equals("[::1]");
        if (!here && !base.getScheme().equals("https")) {
            throw new BerthException(
                    Kind.REFUSED,
                    "url is '" + base + "': a token is sent to other hosts only over https, since others"
                            + " could read it on its way");
        }
        return TokenFile.read(file);
    }

    private HttpResponse<byte[]> send(URI base, HttpRequest.Builder request) throws UnservedException {
        try {
            return client.send(request.build(), BodyHandlers.ofByteArray());
        } catch (IOException failure) {
            throw unreachable(base, failure);
        } catch (InterruptedException interrupted) {
            throw interrupted();
        }
    }

    private static UnservedException unreachable(URI base, IOException failure) {
        boolean unsent = failure instanceof ConnectException || failure instanceof HttpConnectTimeoutException;
        String why = failure instanceof ConnectException
                ? "nothing listens there"
                : Optional.ofNullable(failure.getMessage()).orElse(failure.toString());
        return new UnservedException("control plane at " + base + " is not reachable (" + why + ")", false, !unsent);
    }

    private static BerthException interrupted() {
        Thread.currentThread().interrupt();
        return new BerthException(Kind.INTERRUPTED, "interrupted");
    }

    private JsonNode read(URI base, HttpResponse<byte[]> response) throws UnservedException {
        return read(base, response.statusCode(), response.body());
    }

    private JsonNode read(URI base, int status, byte[] bytes) throws UnservedException {
        Optional<JsonNode> body = parse(bytes);
        if (status / 100 == 2 && body.isPresent()) {
            return body.get();
        }
        if (body.isEmpty() || !body.get().path("error").isTextual()) {
            throw new UnservedException(
                    "the server at " + base + " is not a Berth control plane, or one that is still starting (HTTP "
                            + status + ")",
                    false,
                    // Without Berth, 404 is what the HTTP server says. Anything else may come from a proxy before it.
                    status != 404);
        }
        if (status == 503) {
            throw new UnservedException(body.get().path("error").asText(), true, true);
        }
        if (status == MISDIRECTED) {
            throw new UnservedException(
                    "control plane at " + base + ": " + body.get().path("error").asText(), false, false);
        }
        List<Problem> problems = new ArrayList<>();
        StringBuilder message = new StringBuilder(body.get().path("error").asText());
        for (JsonNode problem : body.get().path("problems")) {
            Problem read = new Problem(
                    problem.path("field").asText(),
                    problem.path("given").asText(),
                    problem.path("allowed").asText());
            problems.add(read);
            message.append("\n  ")
                    .append(read.field().isEmpty() ? "job description" : read.field())
                    .append(" is ")
                    .append(read.given())
                    .append(": ")
                    .append(read.allowed());
        }
        throw new BerthException(kind(status), message.toString(), problems);
    }

    private Optional<JsonNode> parse(byte[] body) {
        try {
            return Optional.ofNullable(mapper.readTree(body)).filter(node -> !node.isMissingNode());
        } catch (IOException noJson) {
            return Optional.empty();
        }
    }

    private static Kind kind(int status) {
        return switch (status) {
            case 401, 403 -> Kind.DENIED;
            case 404 -> Kind.NOT_FOUND;
            case 409 -> Kind.CONFLICT;
            case 500 -> Kind.FAILED;
            default -> Kind.REFUSED;
        };
    }
}
