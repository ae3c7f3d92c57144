package io.berth.core.dispatcher.description;

import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.Problem;
import io.berth.core.dispatcher.bundle.OfferedOperator;
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
import java.util.stream.Stream;

/**
 * Checks the configuration of the built-in operators. Workers check it again, but only when the job is already
 * running. Thread-safe.
 */
final class BuiltInOperators {

    private static final Pattern NUMBERED = Pattern.compile("(.+)-(0|[1-9][0-9]{0,5})", Pattern.DOTALL);
    private static final String SOCKET_SOURCE = "socket-source";
    private static final Setting FILES =
            Setting.requiredText("path", "files, directories or patterns to read, as workers see them");
    private static final Setting DIRECTORY =
            Setting.requiredText("path", "the directory to write to, as workers see it");
    private static final Setting SPLIT = Setting.number("split.bytes", 1, 1L << 40);
    private static final Setting LINE = Setting.number("line.bytes", 16, 1L << 30);
    private static final Setting ERRORS = Setting.choice("errors", "fail", "skip");
    private static final Setting FILE = Setting.fileName("file");
    private static final Setting ROLL_BYTES = Setting.number("roll.bytes", 1, 1L << 40);
    private static final Setting ROLL_MILLIS = Setting.number("roll.ms", 100, 86_400_000);
    private static final long YEAR_MILLIS = 31_536_000_000L;

    private static final Map<String, List<Setting>> SOURCES = Map.of(
            "file-source",
            List.of(FILES, SPLIT, LINE),
            "csv-source",
            List.of(
                    FILES,
                    SPLIT,
                    Setting.number("record.bytes", 16, 1L << 30),
                    Setting.flag("header"),
                    Setting.columns("columns"),
                    Setting.types("types"),
                    Setting.delimiter("delimiter"),
                    Setting.flag("multiline"),
                    ERRORS),
            "json-source",
            List.of(FILES, SPLIT, LINE, ERRORS),
            "generator",
            List.of(
                    Setting.number("records", 0, Long.MAX_VALUE),
                    Setting.number("rate", 1, 1_000_000_000),
                    Setting.choice("values", "sequence", "random"),
                    Setting.number("start", Long.MIN_VALUE, Long.MAX_VALUE),
                    Setting.number("seed", Long.MIN_VALUE, Long.MAX_VALUE),
                    Setting.number("minimum", Long.MIN_VALUE, Long.MAX_VALUE),
                    Setting.number("maximum", Long.MIN_VALUE, Long.MAX_VALUE)),
            SOCKET_SOURCE,
            List.of(
                    Setting.requiredText("host", "a host name or address"),
                    Setting.requiredNumber("port", 1, 65_535),
                    LINE,
                    Setting.choice("end", "reconnect", "finish"),
                    Setting.number("connect.timeout.ms", 1, 60_000),
                    Setting.number("idle.timeout.ms", 0, YEAR_MILLIS),
                    Setting.number("retry.min.ms", 1, 3_600_000),
                    Setting.number("retry.max.ms", 1, 3_600_000),
                    Setting.number("retries", 0, Integer.MAX_VALUE)));

    private static final Map<String, List<Setting>> SINKS = Map.of(
            "file-sink",
            List.of(DIRECTORY, FILE, ROLL_BYTES, ROLL_MILLIS),
            "csv-sink",
            List.of(
                    DIRECTORY,
                    FILE,
                    ROLL_BYTES,
                    ROLL_MILLIS,
                    Setting.flag("header"),
                    Setting.columns("columns"),
                    Setting.delimiter("delimiter")),
            "json-sink",
            List.of(DIRECTORY, FILE, ROLL_BYTES, ROLL_MILLIS),
            "print-sink",
            List.of(Setting.text("prefix"), Setting.number("limit", 0, Long.MAX_VALUE)));

    /** Sinks that write files, and the names of these. */
    private static final Map<String, String> FILE_NAMES =
            Map.of("file-sink", "part.txt", "csv-sink", "part.csv", "json-sink", "part.jsonl");

    private BuiltInOperators() {}

    static boolean isSource(String operator) {
        return SOURCES.containsKey(operator);
    }

    static boolean isSink(String operator) {
        return SINKS.containsKey(operator);
    }

    /** Operators that every worker has. */
    static List<OfferedOperator> all() {
        return Stream.concat(SOURCES.keySet().stream(), SINKS.keySet().stream())
                .sorted()
                .map(name -> new OfferedOperator(name, false))
                .toList();
    }

    /** The problems of the configuration of a vertex; none when its operator is not built in. */
    static List<Problem> check(String path, JobVertex vertex) {
        List<Problem> problems = new ArrayList<>();
        String operator = vertex.operator();
        List<Setting> settings = SOURCES.getOrDefault(operator, SINKS.getOrDefault(operator, List.of()));
        if (settings.isEmpty()) {
            return problems;
        }
        Map<String, String> given = new TreeMap<>(vertex.configuration());
        String at = path + ".configuration.";
        List<String> known = settings.stream().map(Setting::key).toList();
        for (String key : given.keySet()) {
            if (!known.contains(key)) {
                String hint = NearestName.of(key, known)
                        .map(near -> "did you mean '" + near + "'? ")
                        .orElse("");
                problems.add(new Problem(
                        at + key, "not a setting of " + operator, hint + "known are " + String.join(", ", known)));
            }
        }
        for (Setting setting : settings) {
            String value = given.get(setting.key());
            if (setting.missing().isPresent() && (value == null || value.isBlank())) {
                problems.add(new Problem(
                        at + setting.key(), "missing", setting.missing().get()));
            } else if (value != null && !setting.fits().test(value)) {
                problems.add(new Problem(at + setting.key(), "'" + value + "'", setting.allowed()));
            }
        }
        if (problems.isEmpty()) {
            new SettingsTogether(at, given, problems).check(operator);
        }
        return problems;
    }

    /** The sinks of a job that would write a file of the same name in the same directory, and sources that cannot share work. */
    static List<Problem> checkTogether(List<DescriptionParser.VertexAt> vertices) {
        Map<Target, JobVertex> sinks = new HashMap<>();
        List<Problem> problems = new ArrayList<>();
        for (DescriptionParser.VertexAt at : vertices) {
            if (at.vertex().operator().equals(SOCKET_SOURCE) && at.vertex().maximum() > 1) {
                problems.add(new Problem(
                        at.path() + ".parallelism",
                        "up to " + at.vertex().maximum(),
                        "1: one task reads all lines of a socket-source"));
            }
            if (FILE_NAMES.containsKey(at.vertex().operator())) {
                sinks.putIfAbsent(Target.of(at.vertex()), at.vertex());
            }
        }
        for (DescriptionParser.VertexAt at : vertices) {
            if (!FILE_NAMES.containsKey(at.vertex().operator())) {
                continue;
            }
            Target target = Target.of(at.vertex());
            JobVertex sameFile = Objects.requireNonNull(sinks.get(target));
            Optional<JobVertex> other = sameFile == at.vertex() ? target.numberedBy(sinks) : Optional.of(sameFile);
            other.ifPresent(vertex -> problems.add(new Problem(
                    at.path() + ".configuration.file",
                    "'" + target.file() + "' in " + target.directory() + ", which vertex '" + vertex.name()
                            + "' also writes to",
                    "a file or path that no other sink of the job has")));
        }
        return problems;
    }

    /** Where a sink writes: one file at parallelism 1, else one numbered file per subtask. */
    private record Target(String directory, String file) {

        static Target of(JobVertex sink) {
            String path = sink.configuration().getOrDefault("path", "");
            try {
                path = Path.of(path).normalize().toString();
            } catch (InvalidPathException e) {
                // Workers decide whether a path is valid; here paths are only compared.
            }
            return new Target(
                    path, sink.configuration().getOrDefault("file", FILE_NAMES.getOrDefault(sink.operator(), "")));
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
}
