package io.berth.core.dispatcher.description;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.berth.core.api.job.Problem;
import io.berth.core.dispatcher.description.DescriptionNode.Mapping;
import io.berth.core.dispatcher.description.DescriptionNode.Scalar;
import io.berth.core.dispatcher.description.DescriptionNode.ScalarKind;
import io.berth.core.dispatcher.description.DescriptionNode.Sequence;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;

/**
 * Reads the text of a job description, YAML or JSON, into a tree. Safe for untrusted text: it works on parser events
 * and never instantiates a type; it refuses tags, anchors and aliases; and it limits size, depth and number of parts.
 * For one description and one thread.
 */
final class DescriptionReader {

    static final int MAX_CHARACTERS = 1 << 20;
    static final int MAX_DEPTH = 16;
    static final int MAX_PARTS = 100_000;
    static final int MAX_NAME = 256;

    private static final Pattern NUMBER = Pattern.compile("[-+]?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

    private final List<Problem> problems = new ArrayList<>();
    private int parts;

    /** The tree that could be read, and the problems found while reading. */
    record ReadOutcome(Optional<DescriptionNode> root, List<Problem> problems) {
        ReadOutcome {
            problems = List.copyOf(problems);
        }
    }

    /** Ends the reading of the description. */
    private static final class UnreadableException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Problem problem;

        UnreadableException(Problem problem) {
            super(problem.toString());
            this.problem = problem;
        }
    }

    static ReadOutcome read(String text) {
        return new DescriptionReader().readText(text);
    }

    private ReadOutcome readText(String text) {
        if (text.length() > MAX_CHARACTERS) {
            return refused("", text.length() + " characters long", "at most " + MAX_CHARACTERS);
        }
        if (text.isBlank()) {
            return refused("", "empty", "a mapping with at least name and vertices");
        }
        Optional<String> jsonProblem = Optional.empty();
        if (text.stripLeading().startsWith("{")) {
            try (JsonParser parser = new JsonFactory().createParser(text)) {
                parser.nextToken();
                DescriptionNode root = json(parser, "", 0);
                if (parser.nextToken() != null) {
                    return refused("", "more than one document", "one");
                }
                return new ReadOutcome(Optional.of(root), problems);
            } catch (UnreadableException refusal) {
                return refused(refusal.problem);
            } catch (JsonProcessingException failure) {
                // The text may be YAML that only begins like JSON.
                String why = failure.getOriginalMessage().replaceAll(" \\(start marker at \\[.*?]\\)", "");
                jsonProblem = Optional.of(why + at(failure.getLocation()));
            } catch (IOException failure) {
                throw new IllegalStateException("reading from memory failed", failure);
            }
            problems.clear();
            parts = 0;
        }
        try {
            return yaml(text);
        } catch (UnreadableException refusal) {
            return refused(refusal.problem);
        } catch (MarkedYAMLException failure) {
            String where = failure.getProblemMark() == null
                    ? ""
                    : at(
                            failure.getProblemMark().getLine() + 1,
                            failure.getProblemMark().getColumn() + 1);
            return refused("", "not readable: " + jsonProblem.orElse(failure.getProblem() + where), "YAML or JSON");
        } catch (YAMLException failure) {
            return refused("", "not readable: " + jsonProblem.orElse(failure.getMessage()), "YAML or JSON");
        }
    }

    /** Jackson gives no location when the text exceeds Jackson's own limits. */
    private static String at(JsonLocation location) {
        return location == null ? "" : at(location.getLineNr(), location.getColumnNr());
    }

    private static String at(int line, int column) {
        return " at line " + line + ", column " + column;
    }

    private static ReadOutcome refused(String field, String given, String allowed) {
        return refused(new Problem(field, given, allowed));
    }

    private static ReadOutcome refused(Problem problem) {
        return new ReadOutcome(Optional.empty(), List.of(problem));
    }

    private void count(String path, int depth) {
        if (depth > MAX_DEPTH) {
            throw new UnreadableException(new Problem(path, "nested " + depth + " deep", "at most " + MAX_DEPTH));
        }
        if (++parts > MAX_PARTS) {
            throw new UnreadableException(new Problem("", "more than " + MAX_PARTS + " values", "at most that many"));
        }
    }

    /** Names are limited because a path is made for each value. */
    private static String childPath(String path, String name) {
        if (name.length() > MAX_NAME) {
            throw new UnreadableException(new Problem(
                    path, "a field name of " + name.length() + " characters", "names of at most " + MAX_NAME));
        }
        return path.isEmpty() ? name : path + "." + name;
    }

    private void put(Map<String, DescriptionNode> fields, String path, String name, DescriptionNode value) {
        if (fields.putIfAbsent(name, value) != null) {
            problems.add(new Problem(childPath(path, name), "given more than once", "each field once"));
        }
    }

    // JSON

    private DescriptionNode json(JsonParser parser, String path, int depth) throws IOException {
        count(path, depth);
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> {
                Map<String, DescriptionNode> fields = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    put(fields, path, name, json(parser, childPath(path, name), depth + 1));
                }
                yield new Mapping(fields);
            }
            case START_ARRAY -> {
                List<DescriptionNode> items = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(json(parser, path + "[" + items.size() + "]", depth + 1));
                }
                yield new Sequence(items);
            }
            case VALUE_STRING -> new Scalar(parser.getText(), ScalarKind.TEXT);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Scalar(parser.getText(), ScalarKind.NUMBER);
            case VALUE_TRUE, VALUE_FALSE -> new Scalar(parser.getText(), ScalarKind.BOOLEAN);
            default -> new Scalar("", ScalarKind.NOTHING);
        };
    }

    // YAML

    private ReadOutcome yaml(String text) {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(MAX_CHARACTERS);
        Iterator<Event> events = new Yaml(options).parse(new StringReader(text)).iterator();
        Optional<DescriptionNode> root = Optional.empty();
        while (events.hasNext()) {
            Event event = events.next();
            if (event instanceof NodeEvent node) {
                if (root.isPresent()) {
                    return refused("", "more than one document", "one");
                }
                root = Optional.of(node(node, events, "", 0));
            }
        }
        if (root.isEmpty()) {
            return refused("", "empty", "a mapping with at least name and vertices");
        }
        return new ReadOutcome(root, problems);
    }

    private DescriptionNode node(NodeEvent event, Iterator<Event> events, String path, int depth) {
        count(path, depth);
        int line = event.getStartMark().getLine() + 1;
        if (event instanceof AliasEvent) {
            throw new UnreadableException(new Problem(
                    path, "the alias *" + event.getAnchor() + " in line " + line, "no aliases: write it out"));
        }
        if (event.getAnchor() != null) {
            throw new UnreadableException(
                    new Problem(path, "the anchor &" + event.getAnchor() + " in line " + line, "no anchors"));
        }
        String tag = event instanceof ScalarEvent scalar
                ? scalar.getTag()
                : event instanceof CollectionStartEvent start ? start.getTag() : null;
        if (tag != null) {
            throw new UnreadableException(new Problem(path, "the tag " + tag + " in line " + line, "no tags"));
        }
        if (event instanceof ScalarEvent scalar) {
            return new Scalar(scalar.getValue(), scalar.isPlain() ? kind(scalar.getValue()) : ScalarKind.TEXT);
        }
        if (event instanceof SequenceStartEvent) {
            List<DescriptionNode> items = new ArrayList<>();
            while (events.next() instanceof NodeEvent item) {
                items.add(node(item, events, path + "[" + items.size() + "]", depth + 1));
            }
            return new Sequence(items);
        }
        if (event instanceof MappingStartEvent) {
            Map<String, DescriptionNode> fields = new LinkedHashMap<>();
            while (events.next() instanceof NodeEvent key) {
                String name = node(key, events, path, depth + 1) instanceof Scalar scalar
                        ? scalar.text()
                        : refuseKey(path, key);
                put(fields, path, name, node((NodeEvent) events.next(), events, childPath(path, name), depth + 1));
            }
            return new Mapping(fields);
        }
        throw new IllegalStateException("the YAML reader gave " + event);
    }

    private static String refuseKey(String path, Event key) {
        throw new UnreadableException(new Problem(
                path,
                "a field whose name is not text, in line " + (key.getStartMark().getLine() + 1),
                "names that are text"));
    }

    private static ScalarKind kind(String plain) {
        return switch (plain) {
            case "", "~", "null" -> ScalarKind.NOTHING;
            case "true", "false" -> ScalarKind.BOOLEAN;
            default -> NUMBER.matcher(plain).matches() ? ScalarKind.NUMBER : ScalarKind.TEXT;
        };
    }
}
