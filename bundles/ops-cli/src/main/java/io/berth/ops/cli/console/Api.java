package io.berth.ops.cli.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import io.berth.core.api.operations.PlainText;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The REST interface of a control plane. A request that it rejects or cannot answer ends the command. */
public final class Api {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration UPLOAD_TIMEOUT = Duration.ofMinutes(5);

    private final URI base;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build();
    private final ObjectMapper mapper = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .nodeFactory(new PlainTexts())
            .build();

    /** Header Link of a page, with the path of the next page. */
    private static final Pattern NEXT_PAGE = Pattern.compile("</v1/([^>]+)>; rel=\"next\"");

    /** Replaces control characters by blanks, because texts of users and tasks must not control the terminal. */
    private static final class PlainTexts extends JsonNodeFactory {

        private static final long serialVersionUID = 1L;

        @Override
        public TextNode textNode(String text) {
            return super.textNode(text == null ? null : PlainText.of(text));
        }
    }

    public Api(String url) {
        try {
            base = URI.create(url.endsWith("/") ? url : url + "/");
            if (base.getHost() == null || !base.getScheme().startsWith("http")) {
                throw new IllegalArgumentException("no host");
            }
        } catch (IllegalArgumentException failure) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT, "--url is '" + url + "': allowed is an address such as http://127.0.0.1:8181");
        }
    }

    public JsonNode get(String path) {
        return answer(request(path, ANSWER_TIMEOUT).GET().build());
    }

    /** All items of a list, page by page. */
    public JsonNode list(String path) {
        ArrayNode items = mapper.createArrayNode();
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

    /** As {@link #get}; empty when the answer is 404. */
    public Optional<JsonNode> find(String path) {
        HttpResponse<byte[]> response = send(request(path, ANSWER_TIMEOUT).GET().build());
        return response.statusCode() == 404 ? Optional.empty() : Optional.of(read(response));
    }

    /**
     * Writes an answer to a file, which is complete when it has its name.
     *
     * @return its size in bytes
     */
    public long download(String path, Path file) {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            HttpRequest request = request(path, UPLOAD_TIMEOUT)
                    .setHeader("Accept", "application/octet-stream")
                    .GET()
                    .build();
            HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                if (response.statusCode() != 200) {
                    read(response.statusCode(), response.uri(), body.readAllBytes());
                    throw new CommandFailure(ExitCode.FAILED, "HTTP status " + response.statusCode());
                }
                Files.copy(body, part, StandardCopyOption.REPLACE_EXISTING);
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
            return Files.size(file);
        } catch (FileSystemException failure) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT, "file " + file + " cannot be written (" + failure.getMessage() + ")");
        } catch (ConnectException failure) {
            throw unreachable(failure);
        } catch (IOException failure) {
            throw new CommandFailure(
                    ExitCode.NOT_REACHABLE,
                    "the answer of the control plane at " + base + " ended early (" + failure.getMessage() + "): "
                            + part + " is incomplete; try again");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, "interrupted");
        }
    }

    public JsonNode post(String path, String type, String body) {
        return post(path, type, body, Map.of());
    }

    public JsonNode post(String path, String type, String body, Map<String, String> headers) {
        HttpRequest.Builder request =
                request(path, ANSWER_TIMEOUT).header("Content-Type", type).POST(BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return answer(request.build());
    }

    public JsonNode put(String path, Object body) {
        return put(path, "application/json", ANSWER_TIMEOUT, BodyPublishers.ofString(write(body)));
    }

    public JsonNode delete(String path) {
        return answer(request(path, ANSWER_TIMEOUT).DELETE().build());
    }

    public JsonNode upload(String path, Path file) {
        try {
            return put(path, "application/java-archive", UPLOAD_TIMEOUT, BodyPublishers.ofFile(file));
        } catch (FileNotFoundException failure) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "file " + file + " cannot be read");
        }
    }

    private JsonNode put(String path, String type, Duration timeout, BodyPublisher body) {
        return answer(
                request(path, timeout).header("Content-Type", type).PUT(body).build());
    }

    public String write(Object value) {
        try {
            return mapper.writeValueAsString(value);
        } catch (JsonProcessingException failure) {
            throw new IllegalStateException("cannot be written as JSON", failure);
        }
    }

    /** The parameters that have a value, as a query. */
    public static String query(Map<String, String> parameters) {
        String query = parameters.entrySet().stream()
                .filter(parameter -> !parameter.getValue().isEmpty())
                .map(parameter -> parameter.getKey() + "=" + encode(parameter.getValue()))
                .collect(Collectors.joining("&"));
        return query.isEmpty() ? "" : "?" + query;
    }

    public static String encode(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private HttpRequest.Builder request(String path, Duration timeout) {
        return HttpRequest.newBuilder(base.resolve("v1/" + path))
                .timeout(timeout)
                .header("Accept", "application/json");
    }

    private JsonNode answer(HttpRequest request) {
        return read(send(request));
    }

    private HttpResponse<byte[]> send(HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofByteArray());
        } catch (IOException failure) {
            throw unreachable(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, "interrupted");
        }
    }

    private CommandFailure unreachable(IOException failure) {
        String why = failure instanceof ConnectException
                ? "nothing listens there"
                : Optional.ofNullable(failure.getMessage()).orElse(failure.toString());
        return new CommandFailure(
                ExitCode.NOT_REACHABLE,
                "control plane at " + base + " is not reachable (" + why
                        + "): start it with './berth master start', or name another with --url");
    }

    private JsonNode read(HttpResponse<byte[]> response) {
        return read(response.statusCode(), response.uri(), response.body());
    }

    private JsonNode read(int status, URI uri, byte[] bytes) {
        Optional<JsonNode> body = parse(bytes);
        if (status / 100 == 2 && body.isPresent()) {
            return body.get();
        }
        if (body.isEmpty() || !body.get().path("error").isTextual()) {
            throw new CommandFailure(
                    ExitCode.NOT_REACHABLE,
                    "the server at " + base + " is not a Berth control plane, or one that is still starting (HTTP "
                            + status + "): see --url");
        }
        StringBuilder message = new StringBuilder(body.get().get("error").textValue());
        for (JsonNode problem : body.get().path("problems")) {
            String field = problem.path("field").asText();
            message.append("\n  ")
                    .append(field.isEmpty() ? "job description" : field)
                    .append(" is ")
                    .append(problem.path("given").asText())
                    .append(": ")
                    .append(problem.path("allowed").asText());
        }
        if (status == 404 && uri.getPath().contains("/v1/jobs/")) {
            message.append(": 'berth jobs' lists all");
        }
        throw new CommandFailure(exitCode(status), message.toString());
    }

    private Optional<JsonNode> parse(byte[] body) {
        try {
            return Optional.ofNullable(mapper.readTree(body)).filter(node -> !node.isMissingNode());
        } catch (IOException noJson) {
            return Optional.empty();
        }
    }

    private static int exitCode(int status) {
        return switch (status) {
            case 503 -> ExitCode.NOT_REACHABLE;
            case 500 -> ExitCode.FAILED;
            default -> ExitCode.BAD_INPUT;
        };
    }
}
