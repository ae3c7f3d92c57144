package io.berth.core.dispatcher.description;

import io.berth.core.api.job.Problem;
import io.berth.core.dispatcher.description.DescriptionNode.Mapping;
import io.berth.core.dispatcher.description.DescriptionNode.Scalar;
import io.berth.core.dispatcher.description.DescriptionNode.ScalarKind;
import io.berth.core.dispatcher.description.DescriptionNode.Sequence;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The fields of one mapping of a description, read by name. A value that is not allowed becomes a problem and reads as
 * absent, so reading continues and all problems are reported at once.
 */
final class Fields {

    static final String NAME_ALLOWED = "1 to 64 letters, digits, '.', '_' and '-', the first a letter or digit";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,6})?) ?(ms|s|min|h|d)");
    private static final Map<String, Long> MILLIS_OF =
            Map.of("ms", 1L, "s", 1_000L, "min", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
    private static final int MAX_PAIRS = 256;
    private static final int MAX_VALUE = 65_536;

    private final String path;
    private final Map<String, DescriptionNode> fields;
    private final List<Problem> problems;

    private Fields(String path, Map<String, DescriptionNode> fields, List<Problem> problems) {
        this.path = path;
        this.fields = fields;
        this.problems = problems;
    }

    /** The fields of {@code node}; a problem and no fields when it is not a mapping. Unknown fields are problems. */
    static Fields of(String path, DescriptionNode node, List<String> known, List<Problem> problems) {
        if (!(node instanceof Mapping mapping)) {
            problems.add(new Problem(path, node.given(), "a mapping with " + String.join(", ", known)));
            return new Fields(path, Map.of(), problems);
        }
        for (String name : mapping.fields().keySet()) {
            if (!known.contains(name)) {
                String hint = NearestName.of(name, known)
                        .map(near -> "did you mean '" + near + "'? ")
                        .orElse("");
                problems.add(new Problem(
                        path.isEmpty() ? name : path + "." + name,
                        "an unknown field",
                        hint + "known are " + String.join(", ", known)));
            }
        }
        return new Fields(path, mapping.fields(), problems);
    }

    String path(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    boolean has(String name) {
        return find(name).isPresent();
    }

    /** The value of a field; empty when the field is absent or its value is null. */
    Optional<DescriptionNode> find(String name) {
        return Optional.ofNullable(fields.get(name))
                .filter(node -> !(node instanceof Scalar scalar && scalar.kind() == ScalarKind.NOTHING));
    }

    void problem(String name, String given, String allowed) {
        problems.add(new Problem(path(name), given, allowed));
    }

    /** A name; a problem when it is absent. */
    Optional<String> requiredName(String name) {
        if (!has(name)) {
            problem(name, "missing", NAME_ALLOWED);
            return Optional.empty();
        }
        return name(name);
    }

    Optional<String> name(String name) {
        return text(name, NAME_ALLOWED).filter(value -> {
            boolean fits = NAME.matcher(value).matches();
            if (!fits) {
                problem(name, new Scalar(value, ScalarKind.TEXT).given(), NAME_ALLOWED);
            }
            return fits;
        });
    }

    Optional<String> text(String name, String allowed) {
        Optional<DescriptionNode> node = find(name);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        if (node.get() instanceof Scalar scalar && scalar.kind() == ScalarKind.TEXT) {
            return Optional.of(scalar.text());
        }
        String quotes =
                node.get() instanceof Scalar ? "; put it in quotes when it looks like a number or a truth value" : "";
        problem(name, node.get().given(), allowed + quotes);
        return Optional.empty();
    }

    Optional<Integer> integer(String name, int minimum, int maximum) {
        return find(name).flatMap(node -> integer(path(name), node, minimum, maximum, problems));
    }

    /** A duration in milliseconds, at least 1: a number with its unit. */
    Optional<Long> duration(String name, long maximum) {
        String allowed = "a number with one of the units ms, s, min, h and d, for example 90s or 1.5h, up to "
                + maximum / 86_400_000 + "d";
        Optional<String> text = text(name, allowed);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Matcher matcher = DURATION.matcher(text.get());
        if (matcher.matches()) {
            BigDecimal millis = new BigDecimal(matcher.group(1))
                    .multiply(BigDecimal.valueOf(MILLIS_OF.getOrDefault(matcher.group(2), 1L)))
                    .setScale(0, RoundingMode.HALF_UP);
            if (millis.signum() > 0 && millis.compareTo(BigDecimal.valueOf(maximum)) <= 0) {
                return Optional.of(millis.longValueExact());
            }
        }
        problem(name, "'" + text.get() + "'", allowed);
        return Optional.empty();
    }

    static Optional<Integer> integer(
            String path, DescriptionNode node, int minimum, int maximum, List<Problem> problems) {
        if (node instanceof Scalar scalar && scalar.kind() == ScalarKind.NUMBER) {
            try {
                int value = Integer.parseInt(scalar.text());
                if (value >= minimum && value <= maximum) {
                    return Optional.of(value);
                }
            } catch (NumberFormatException tooLargeOrFraction) {
                // Reported below, like everything else that is not a number in the range.
            }
        }
        problems.add(new Problem(path, node.given(), "a whole number from " + minimum + " to " + maximum));
        return Optional.empty();
    }

    /** The items of a list; a problem when the value is not a list, or has too few or too many items. */
    List<DescriptionNode> list(String name, int minimum, int maximum) {
        Optional<DescriptionNode> node = find(name);
        String allowed = "a list of " + minimum + " to " + maximum + " items";
        if (node.isEmpty()) {
            if (minimum > 0) {
                problem(name, "missing", allowed);
            }
            return List.of();
        }
        if (!(node.get() instanceof Sequence sequence)) {
            problem(name, node.get().given(), allowed);
            return List.of();
        }
        int size = sequence.items().size();
        if (size < minimum || size > maximum) {
            problem(name, sequence.given(), allowed);
        }
        return size > maximum ? List.of() : sequence.items();
    }

    /** Pairs of text with any names; numbers and truth values are taken as written. */
    SortedMap<String, String> pairs(String name) {
        SortedMap<String, String> pairs = new TreeMap<>();
        Optional<DescriptionNode> node = find(name);
        if (node.isEmpty()) {
            return pairs;
        }
        if (!(node.get() instanceof Mapping mapping)) {
            problem(name, node.get().given(), "a mapping of names to text");
            return pairs;
        }
        if (mapping.fields().size() > MAX_PAIRS) {
            problem(name, mapping.given(), "at most " + MAX_PAIRS);
            return pairs;
        }
        mapping.fields().forEach((key, value) -> {
            if (key.isBlank() || key.length() > 128) {
                problem(name, "a key of " + key.length() + " characters", "keys of 1 to 128 characters");
            } else if (!(value instanceof Scalar scalar) || scalar.kind() == ScalarKind.NOTHING) {
                problems.add(new Problem(path(name) + "." + key, value.given(), "a text, a number or a truth value"));
            } else if (scalar.text().length() > MAX_VALUE) {
                problems.add(new Problem(
                        path(name) + "." + key,
                        scalar.text().length() + " characters long",
                        "at most " + MAX_VALUE + " characters"));
            } else {
                pairs.put(key, scalar.text());
            }
        });
        return pairs;
    }

    /** One of several allowed words. */
    Optional<String> choice(String name, List<String> allowed) {
        Optional<String> text = text(name, "one of " + String.join(", ", allowed));
        if (text.isPresent() && !allowed.contains(text.get())) {
            String hint = NearestName.of(text.get(), allowed)
                    .map(near -> "; did you mean '" + near + "'?")
                    .orElse("");
            problem(name, "'" + text.get() + "'", "one of " + String.join(", ", allowed) + hint);
            return Optional.empty();
        }
        return text;
    }

    List<String> names() {
        return Collections.unmodifiableList(new ArrayList<>(fields.keySet()));
    }
}
