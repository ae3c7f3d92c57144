package io.berth.ops.cli.process;

import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.ExitCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The job description of the demo, a word count. */
final class WordCountJob {

    static final String RESULT = "counts.tsv";

    /** The vertex that receives the words one by one over the exchange. */
    static final String COUNT = "count";

    private WordCountJob() {}

    static Map<String, Object> description(List<Path> texts, Path output, Parallelism parallelism, String bundle) {
        Map<String, Object> wide = Map.of("min", parallelism.minimum(), "max", parallelism.maximum());
        return new TreeMap<>(Map.of(
                "name", "word-count",
                "bundles", List.of(bundle),
                "vertices",
                        List.of(
                                vertex(
                                        "read",
                                        "file-source",
                                        wide,
                                        Map.of(
                                                "path",
                                                texts.stream()
                                                        .map(Path::toString)
                                                        .collect(Collectors.joining("\n")))),
                                vertex("split", "word-split", wide, Map.of()),
                                vertex(COUNT, "word-count", wide, Map.of()),
                                vertex("order", "by-count", 1, Map.of()),
                                vertex("write", "file-sink", 1, Map.of("path", output.toString(), "file", RESULT))),
                "edges",
                        List.of(
                                edge("read", "split", "forward"),
                                edge("split", COUNT, "hash"),
                                edge(COUNT, "order", "rebalance"),
                                edge("order", "write", "forward"))));
    }

    private static Map<String, Object> vertex(
            String name, String operator, Object parallelism, Map<String, String> configuration) {
        return new TreeMap<>(
                Map.of("name", name, "operator", operator, "parallelism", parallelism, "configuration", configuration));
    }

    private static Map<String, Object> edge(String from, String to, String partitioning) {
        return new TreeMap<>(Map.of("from", from, "to", to, "partitioning", partitioning));
    }

    /** MIN:MAX. */
    record Parallelism(int minimum, int maximum) {

        static final String ALLOWED = "MIN:MAX with MIN at most MAX, or N, from 1 to 32768";

        Parallelism {
            if (minimum < 1 || maximum < minimum || maximum > 32_768) {
                throw new IllegalArgumentException("allowed is " + ALLOWED);
            }
        }

        static Parallelism parse(String text) {
            try {
                String[] parts = text.split(":", -1);
                if (parts.length > 2) {
                    throw new IllegalArgumentException("allowed is " + ALLOWED);
                }
                return new Parallelism(Integer.parseInt(parts[0]), Integer.parseInt(parts[parts.length - 1]));
            } catch (IllegalArgumentException failure) {
                throw new CommandFailure(ExitCode.BAD_INPUT, "--parallelism is '" + text + "': allowed is " + ALLOWED);
            }
        }
    }
}
