package io.berth.core.dispatcher.description;

import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.Problem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks the configuration of the built-in operators. Workers check it again, but only when the job is already
 * running. Thread-safe.
 */
final class BuiltInOperators {

    private static final String SOURCE = "file-source";
    private static final String SINK = "file-sink";
    private static final Pattern FILE_NAME = Pattern.compile("[^./\\\\\\p{Cntrl}][^/\\\\\\p{Cntrl}]{0,199}");
    private static final Pattern NUMBERED = Pattern.compile("(.+)-(0|[1-9][0-9]{0,5})", Pattern.DOTALL);
    private static final Map<String, List<String>> KEYS =
            Map.of(SOURCE, List.of("path", "split.bytes", "line.bytes"), SINK, List.of("path", "file"));

    private BuiltInOperators() {}

    /** The problems of the configuration of a vertex; none when its operator is not built in. */
    static List<Problem> check(String path, JobVertex vertex) {
        List<Problem> problems = new ArrayList<>();
        String operator = vertex.operator();
        if (!KEYS.containsKey(operator)) {
            return problems;
        }
        Map<String, String> given = new TreeMap<>(vertex.configuration());
        String at = path + ".configuration.";
        List<String> known = KEYS.get(operator);
        for (String key : given.keySet()) {
            if (!known.contains(key)) {
                String hint = NearestName.of(key, known)
                        .map(near -> "did you mean '" + near + "'? ")
                        .orElse("");
                problems.add(new Problem(
                        at + key, "not a setting of " + operator, hint + "known are " + String.join(", ", known)));
            }
        }
        if (given.getOrDefault("path", "").isBlank()) {
            problems.add(new Problem(
                    at + "path",
                    "missing",
                    operator.equals(SOURCE)
                            ? "files, directories or patterns to read, as workers see them"
                            : "the directory to write to, as workers see it"));
        }
        if (operator.equals(SOURCE)) {
            number(given, "split.bytes", 1, 1L << 40, at, problems);
            number(given, "line.bytes", 16, 1L << 30, at, problems);
        } else if (!FILE_NAME.matcher(given.getOrDefault("file", "part.txt")).matches()) {
            problems.add(new Problem(
                    at + "file",
                    "'" + given.get("file") + "'",
                    "a file name of 1 to 200 characters, without a directory, that does not start with a dot"));
        }
        return problems;
    }

    /** The file-sinks of a job that would write a file of the same name in the same directory. */
    static List<Problem> checkTogether(List<DescriptionParser.VertexAt> vertices) {
        Map<Target, JobVertex> sinks = new HashMap<>();
        List<Problem> problems = new ArrayList<>();
        for (DescriptionParser.VertexAt at : vertices) {
            if (at.vertex().operator().equals(SINK)) {
                sinks.putIfAbsent(Target.of(at.vertex()), at.vertex());
            }
        }
        for (DescriptionParser.VertexAt at : vertices) {
            if (!at.vertex().operator().equals(SINK)) {
                continue;
            }
            Target target = Target.of(at.vertex());
            JobVertex sameFile = Objects.requireNonNull(sinks.get(target));
            Optional<JobVertex> other = sameFile == at.vertex() ? target.numberedBy(sinks) : Optional.of(sameFile);
            other.ifPresent(vertex -> problems.add(new Problem(
                    at.path() + ".configuration.file",
                    "'" + target.file() + "' in " + target.directory() + ", which vertex '" + vertex.name()
                            + "' also writes to",
                    "a file or path that no other file-sink of the job has")));
        }
        return problems;
    }

    /** Where a file-sink writes: one file at parallelism 1, else one numbered file per subtask. */
    private record Target(String directory, String file) {

        static Target of(JobVertex sink) {
            String path = sink.configuration().getOrDefault("path", "");
            try {
                path = Path.of(path).normalize().toString();
            } catch (InvalidPathException e) {
                // Workers decide whether a path is valid; here paths are only compared.
            }
            return new Target(path, sink.configuration().getOrDefault("file", "part.txt"));
        }

        /** The sink with a subtask that writes this file; {@code part-3.txt} belongs to {@code part.txt}. */
        Optional<JobVertex> numberedBy(Map<Target, JobVertex> sinks) {
            int dot = file.lastIndexOf('.');
            String stem = dot < 0 ? file : file.substring(0, dot);
            Matcher numbered = NUMBERED.matcher(stem);
            if (!numbered.matches()) {
                return Optional.empty();
            }
            String plain = numbered.group(1) + file.substring(stem.length());
            int subtask = Integer.parseInt(numbered.group(2));
            return Optional.ofNullable(sinks.get(new Target(directory, plain)))
                    .filter(sink -> sink.maximum() > 1 && sink.maximum() > subtask);
        }
    }

    private static void number(
            Map<String, String> given, String key, long minimum, long maximum, String at, List<Problem> problems) {
        if (!given.containsKey(key)) {
            return;
        }
        try {
            long number = Long.parseLong(given.get(key).trim());
            if (number >= minimum && number <= maximum) {
                return;
            }
        } catch (NumberFormatException noNumber) {
            // Reported below, like a number that is out of bounds.
        }
        problems.add(
                new Problem(at + key, "'" + given.get(key) + "'", "a whole number from " + minimum + " to " + maximum));
    }
}
