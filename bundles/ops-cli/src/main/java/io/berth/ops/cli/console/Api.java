package io.berth.ops.cli.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import io.berth.client.BerthException;
import io.berth.client.RestClient;
import io.berth.core.api.operations.PlainText;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The REST interface of a control plane, or of a leader and its standbys. A request that it rejects or cannot answer ends the command. */
public final class Api {

    private static final String TOKEN = ": name its file with --token-file or BERTH_TOKEN_FILE";

    private final ObjectMapper mapper = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .nodeFactory(new PlainTexts())
            .build();
    private final RestClient rest;

    /** Replaces control characters by blanks, because texts of users and tasks must not control the terminal. */
    private static final class PlainTexts extends JsonNodeFactory {

        private static final long serialVersionUID = 1L;

        @Override
        public TextNode textNode(String text) {
            return super.textNode(text == null ? null : PlainText.of(text));
        }
    }

    /**
     * @param urls one, or several, separated by commas
     * @param tokenFile the file with the token of the user, if there is one; asked for at each request
     */
    public Api(String urls, Supplier<Optional<Path>> tokenFile) {
        try {
            rest = new RestClient(urls, mapper, tokenFile);
        } catch (IllegalArgumentException failure) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "--" + failure.getMessage());
        }
    }

    public JsonNode get(String path) {
        return call(path, () -> rest.get(path));
    }

    /** All items of a list, page by page. */
    public JsonNode list(String path) {
        return call(path, () -> mapper.createArrayNode().addAll(rest.list(path)));
    }

    /** As {@link #get}; empty when the answer is 404. */
    public Optional<JsonNode> find(String path) {
        return call(path, () -> rest.find(path));
    }

    /**
     * Writes an answer to a file, which is complete when it has its name.
     *
     * @return its size in bytes
     */
    public long download(String path, Path file) {
        return call(path, () -> {
            try {
                return rest.download(path, file);
            } catch (FileSystemException failure) {
                throw new CommandFailure(
                        ExitCode.BAD_INPUT, "file " + file + " cannot be written (" + failure.getMessage() + ")");
            }
        });
    }

    public JsonNode post(String path, String type, String body) {
        return post(path, type, body, Map.of());
    }

    public JsonNode post(String path, String type, String body, Map<String, String> headers) {
        return call(path, () -> rest.post(path, type, body, headers));
    }

    public JsonNode put(String path, Object body) {
        return call(path, () -> rest.put(path, write(body)));
    }

    public JsonNode delete(String path) {
        return call(path, () -> rest.delete(path));
    }

    public void upload(String path, Path file) {
        call(path, () -> {
            try {
                rest.upload(path, file);
                return path;
            } catch (UncheckedIOException failure) {
                throw new CommandFailure(ExitCode.BAD_INPUT, "file " + file + " cannot be read");
            }
        });
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
        return RestClient.encode(part);
    }

    private static <T> T call(String path, Supplier<T> request) {
        try {
            return request.get();
        } catch (BerthException failure) {
            String message = String.valueOf(failure.getMessage());
            throw switch (failure.kind()) {
                case UNREACHABLE -> new CommandFailure(ExitCode.NOT_REACHABLE, message + help(message));
                case FAILED, INTERRUPTED -> new CommandFailure(ExitCode.FAILED, message);
                case NOT_FOUND ->
                    new CommandFailure(
                            ExitCode.BAD_INPUT, message + (path.startsWith("jobs/") ? ": 'berth jobs' lists all" : ""));
                case DENIED ->
                    new CommandFailure(
                            ExitCode.BAD_INPUT, message + (message.contains("token is needed") ? TOKEN : ""));
                case REFUSED, CONFLICT -> new CommandFailure(ExitCode.BAD_INPUT, message);
            };
        }
    }

    /** What the user can do, where the message does not say it. */
    private static String help(String message) {
        if (message.contains("is not reachable")) {
            return ": start it with './berth master start', or name another with --url";
        }
        return message.contains("is not a Berth control plane") ? ": see --url" : "";
    }
}
