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
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requests to the REST interface of a control plane, with JSON in and out: what {@link BerthClient} has no method for. One that is rejected or has no answer is a {@link BerthException}.
 * Thread-safe.
 */
public final class RestClient {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration UPLOAD_TIMEOUT = Duration.ofMinutes(5);
    /** Header Link of a page, with the path of the next page. */
    private static final Pattern NEXT_PAGE = Pattern.compile("</v1/([^>]+)>; rel=\"next\"");

    private final URI base;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build();
    private final ObjectMapper mapper;

    /** @throws IllegalArgumentException when it is no address */
    public RestClient(String url) {
        this(url, new ObjectMapper());
    }

    /** @param mapper reads the answers */
    public RestClient(String url, ObjectMapper mapper) {
        this.mapper = mapper;
        URI given;
        try {
            given = URI.create(url.endsWith("/") ? url : url + "/");
        } catch (IllegalArgumentException failure) {
            throw noAddress(url);
        }
        if (given.getHost() == null || !given.getScheme().startsWith("http")) {
            throw noAddress(url);
        }
        base = given;
    }

    private static IllegalArgumentException noAddress(String url) {
        return new IllegalArgumentException(
                "url is '" + url + "': allowed is an address such as http://127.0.0.1:8181");
    }

    public static String encode(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    public JsonNode get(String path) {
        return read(send(request(path, ANSWER_TIMEOUT).GET().build()));
    }

    /** As {@link #get}; empty when there is no such thing. */
    public Optional<JsonNode> find(String path) {
        HttpResponse<byte[]> response = send(request(path, ANSWER_TIMEOUT).GET().build());
        return response.statusCode() == 404 ? Optional.empty() : Optional.of(read(response));
    }

    /** All items of a list, page by page. */
    public List<JsonNode> list(String path) {
        List<JsonNode> items = new ArrayList<>();
        Optional<String> page = Optional.of(path);
        while (page.isPresent()) {
            HttpResponse<byte[]> response =
                    send(request(page.get(), ANSWER_TIMEOUT).GET().build());
            read(response).forEach(items::add);
            page = response.headers()
                    .firstValue("Link")
                    .map(NEXT_PAGE::matcher)
                    .filter(Matcher::matches)
                    .map(link -> link.group(1));
        }
        return items;
    }

    public JsonNode post(String path, String type, String body) {
        return post(path, type, body, Map.of());
    }

    public JsonNode post(String path, String type, String body, Map<String, String> headers) {
        HttpRequest.Builder request =
                request(path, ANSWER_TIMEOUT).header("Content-Type", type).POST(BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return read(send(request.build()));
    }

    public JsonNode put(String path, String json) {
        return read(send(request(path, ANSWER_TIMEOUT)
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(json))
                .build()));
    }

    public void upload(String path, Path file) {
        try {
            read(send(request(path, UPLOAD_TIMEOUT)
                    .header("Content-Type", "application/java-archive")
                    .PUT(BodyPublishers.ofFile(file))
                    .build()));
        } catch (FileNotFoundException failure) {
            throw new UncheckedIOException("bundle " + file + " cannot be read", failure);
        }
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
        return read(send(request(path, ANSWER_TIMEOUT).DELETE().build()));
    }

    /**
     * Writes an answer to a file, which is complete when it has its name.
     *
     * @return its size in bytes
     * @throws FileSystemException when the file cannot be written
     */
    public long download(String path, Path file) throws FileSystemException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        HttpRequest request = request(path, UPLOAD_TIMEOUT)
                .setHeader("Accept", "application/octet-stream")
                .GET()
                .build();
        try {
            HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                if (response.statusCode() != 200) {
                    read(response.statusCode(), body.readAllBytes());
                    throw new BerthException(Kind.FAILED, "HTTP status " + response.statusCode());
                }
                Files.copy(body, part, StandardCopyOption.REPLACE_EXISTING);
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
            return Files.size(file);
        } catch (FileSystemException failure) {
            throw failure;
        } catch (ConnectException failure) {
            throw unreachable(failure);
        } catch (IOException failure) {
            throw new BerthException(
                    Kind.UNREACHABLE,
                    "the answer of the control plane at " + base + " ended early (" + failure.getMessage() + "): "
                            + part + " is incomplete; try again");
        } catch (InterruptedException interrupted) {
            throw interrupted();
        }
    }

    private HttpRequest.Builder request(String path, Duration timeout) {
        return HttpRequest.newBuilder(base.resolve("v1/" + path))
                .timeout(timeout)
                .header("Accept", "application/json");
    }

    private HttpResponse<byte[]> send(HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofByteArray());
        } catch (IOException failure) {
            throw unreachable(failure);
        } catch (InterruptedException interrupted) {
            throw interrupted();
        }
    }

    private BerthException unreachable(IOException failure) {
        String why = failure instanceof ConnectException
                ? "nothing listens there"
                : Optional.ofNullable(failure.getMessage()).orElse(failure.toString());
        return new BerthException(Kind.UNREACHABLE, "control plane at " + base + " is not reachable (" + why + ")");
    }

    private static BerthException interrupted() {
        Thread.currentThread().interrupt();
        return new BerthException(Kind.INTERRUPTED, "interrupted");
    }

    private JsonNode read(HttpResponse<byte[]> response) {
        return read(response.statusCode(), response.body());
    }

    private JsonNode read(int status, byte[] bytes) {
        Optional<JsonNode> body = parse(bytes);
        if (status / 100 == 2 && body.isPresent()) {
            return body.get();
        }
        if (body.isEmpty() || !body.get().path("error").isTextual()) {
            throw new BerthException(
                    Kind.UNREACHABLE,
                    "the server at " + base + " is not a Berth control plane, or one that is still starting (HTTP "
                            + status + ")");
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
            case 404 -> Kind.NOT_FOUND;
            case 409 -> Kind.CONFLICT;
            case 503 -> Kind.UNREACHABLE;
            case 500 -> Kind.FAILED;
            default -> Kind.REFUSED;
        };
    }
}
