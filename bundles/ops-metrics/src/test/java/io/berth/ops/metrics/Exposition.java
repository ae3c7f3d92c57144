package io.berth.ops.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the text format of Prometheus 0.0.4 strictly: each metric has one HELP and one TYPE before its samples. The
 * samples of a metric are adjacent and unique. Names and numbers have the specified format.
 */
final class Exposition {

    /** One metric: {@code samples} by name and labels as they are written. */
    record Metric(String name, String type, String help, Map<String, Double> samples) {}

    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\\n]|\\\\\\\\|\\\\\"|\\\\n)*)\"");
    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{((?:" + LABEL.pattern() + ",?)*)\\})? (\\S+)");

    final Map<String, Metric> metrics = new LinkedHashMap<>();

    static Exposition parse(byte[] text) {
        return new Exposition(new String(text, StandardCharsets.UTF_8));
    }

    private Exposition(String text) {
        assertThat(text).endsWith("\n").doesNotContain("\r");
        String help = "";
        String helped = "";
        Metric current = null;
        for (String line : text.split("\n")) {
            if (line.startsWith("# HELP ")) {
                String[] parts = line.split(" ", 4);
                helped = parts[2];
                help = parts[3];
            } else if (line.startsWith("# TYPE ")) {
                String[] parts = line.split(" ");
                assertThat(parts).as(line).hasSize(4);
                assertThat(parts[2]).as("HELP before TYPE").isEqualTo(helped).matches(NAME);
                assertThat(parts[3]).as(line).isIn("counter", "gauge", "summary");
                assertThat(metrics).as("one TYPE for each").doesNotContainKey(parts[2]);
                current = new Metric(parts[2], parts[3], help, new LinkedHashMap<>());
                metrics.put(parts[2], current);
            } else {
                assertThat(line)
                        .as("no other comment, no empty line")
                        .isNotEmpty()
                        .doesNotStartWith("#");
                sample(current, line);
            }
        }
        metrics.values()
                .forEach(
                        metric -> assertThat(metric.samples()).as(metric.name()).isNotEmpty());
    }

    private static void sample(Metric metric, String line) {
        Matcher matcher = SAMPLE.matcher(line);
        assertThat(matcher.matches()).as("a sample: " + line).isTrue();
        assertThat(metric).as("a TYPE before " + line).isNotNull();
        String name = matcher.group(1);
        String labels = matcher.group(2) == null ? "" : matcher.group(2);
        if (metric.type().equals("summary")) {
            assertThat(name).isIn(metric.name(), metric.name() + "_count", metric.name() + "_sum");
            assertThat(labels.contains("quantile=")).isEqualTo(name.equals(metric.name()));
        } else {
            assertThat(name).as("samples follow the TYPE of their metric").isEqualTo(metric.name());
        }
        double value = Double.parseDouble(matcher.group(5));
        if (!metric.type().equals("gauge")) {
            assertThat(value).as(line).isGreaterThanOrEqualTo(0);
        }
        assertThat(labelNames(labels)).as("label names are unique").doesNotHaveDuplicates();
        String key = labels.isEmpty() ? name : name + "{" + labels.replaceFirst(",$", "") + "}";
        assertThat(metric.samples()).as("samples are unique").doesNotContainKey(key);
        metric.samples().put(key, value);
    }

    static List<String> labelNames(String labels) {
        List<String> names = new ArrayList<>();
        Matcher matcher = LABEL.matcher(labels);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    /** Names of the labels of a metric, without quantile; the same for all its samples. */
    List<String> labelsOf(String metric) {
        List<List<String>> all = metrics.get(metric).samples().keySet().stream()
                .map(key -> labelNames(key).stream()
                        .filter(name -> !name.equals("quantile"))
                        .toList())
                .distinct()
                .toList();
        assertThat(all).as("labels of " + metric).hasSize(1);
        return all.get(0);
    }

    double value(String sample) {
        return metrics.values().stream()
                .filter(metric -> metric.samples().containsKey(sample))
                .map(metric -> metric.samples().get(sample))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no sample " + sample + " in " + metrics));
    }
}
