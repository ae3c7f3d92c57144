package io.berth.simulator.replay;

import io.berth.simulator.replay.cluster.Rejections;
import io.berth.simulator.replay.measure.ReplayResult;
import io.berth.simulator.replay.measure.Series;
import io.berth.simulator.report.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Results as JSON. Times are in seconds, shares from 0 to 1; unknown values are left out. */
final class ReplayJson {

    private final Scenario scenario;
    private final List<ReplayResult> results;

    ReplayJson(Scenario scenario, List<ReplayResult> results) {
        this.scenario = scenario;
        this.results = List.copyOf(results);
    }

    String text() {
        List<String> holes = new ArrayList<>();
        scenario.holes().forEach((of, found) -> holes.add(JsonText.quoted(of) + ": " + object(found)));
        List<String> formats = new ArrayList<>();
        scenario.formats().forEach((of, format) -> formats.add(JsonText.quoted(of) + ": " + JsonText.quoted(format)));
        return "{\"nodes\": " + scenario.input().nodes().size()
                + ", \"jobs\": " + scenario.input().jobs().size()
                + ", \"outages\": " + scenario.input().outages().size()
                + ", \"distribution\": "
                + JsonText.quoted(results.stream()
                        .map(ReplayResult::distribution)
                        .distinct()
                        .collect(Collectors.joining(", ")))
                + ",\n \"formats\": {" + String.join(", ", formats) + "}"
                + ",\n \"holes\": {" + String.join(", ", holes) + "}"
                + ",\n \"policies\": ["
                + String.join(",\n  ", results.stream().map(ReplayJson::of).toList()) + "]}";
    }

    private static String of(ReplayResult result) {
        List<String> fields = new ArrayList<>();
        fields.add("\"policy\": " + JsonText.quoted(result.policy()));
        fields.add("\"matching\": " + JsonText.quoted(result.matching()));
        fields.add("\"distribution\": " + JsonText.quoted(result.distribution()));
        add(fields, "begun", result.begun());
        add(fields, "ended", result.ended());
        add(fields, "waiting", result.waiting());
        add(fields, "tooLarge", result.tooLarge());
        add(fields, "outages", result.outages());
        add(fields, "restarts", result.restarts());
        add(fields, "restartedJobs", result.restartedJobs());
        add(fields, "lostCoreSeconds", result.lostCoreSeconds());
        add(fields, "waitMean", result.waitMean());
        add(fields, "waitP95", result.waitP95());
        add(fields, "waitLongest", result.waitLongest());
        add(fields, "slowdownMean", result.slowdownMean());
        add(fields, "slowdownP95", result.slowdownP95());
        add(fields, "jainUsers", result.jainUsers());
        add(fields, "jainQueues", result.jainQueues());
        fields.add("\"utilization\": " + object(result.utilization()));
        fields.add("\"freeWhileWaiting\": " + object(result.freeWhileWaiting()));
        fields.add("\"stranded\": " + object(result.stranded()));
        add(fields, "waitingShare", result.waitingShare());
        add(fields, "workersUsedMean", result.workersUsedMean());
        add(fields, "workersUsedMost", result.workersUsedMost());
        add(fields, "workersMean", result.workersMean());
        add(fields, "slotsMoved", result.moves().slots());
        add(fields, "jobsMoved", result.moves().jobs());
        add(fields, "standingSeconds", result.moves().standingSeconds());
        add(fields, "shortestBetweenMoves", result.moves().shortestSeconds());
        fields.add("\"last\": {\"utilization\": " + object(result.last().utilization()) + ", \"stranded\": "
                + object(result.last().stranded()) + ", \"workersUsed\": "
                + result.last().workersUsed() + "}");
        add(fields, "windowSeconds", result.windowSeconds());
        add(fields, "lengthSeconds", result.lengthSeconds());
        fields.add("\"rejections\": " + of(result.rejections()));
        add(fields, "slots", result.slots());
        add(fields, "steps", result.steps());
        add(fields, "cpuSeconds", result.cpuSeconds());
        fields.add("\"series\": ["
                + String.join(
                        ",\n    ", result.series().stream().map(ReplayJson::of).toList()) + "]");
        return "{" + String.join(", ", fields) + "}";
    }

    private static String of(Rejections rejections) {
        List<String> fields = new ArrayList<>();
        add(fields, "matching", rejections.matching());
        add(fields, "distribution", rejections.distribution());
        add(fields, "fallback", rejections.fallback());
        add(fields, "undecided", rejections.undecided());
        rejections.first().ifPresent(first -> fields.add("\"first\": " + JsonText.quoted(first)));
        return "{" + String.join(", ", fields) + "}";
    }

    private static String of(Series.Point point) {
        return "{\"fromSeconds\": " + number(point.fromMillis() / 1_000.0)
                + ", \"toSeconds\": " + number(point.toMillis() / 1_000.0)
                + ", \"utilization\": " + number(point.utilization())
                + ", \"waiting\": " + number(point.waiting())
                + ", \"workersUsed\": " + number(point.workersUsed()) + "}";
    }

    private static void add(List<String> fields, String name, double value) {
        fields.add(JsonText.quoted(name) + ": " + number(value));
    }

    private static void add(List<String> fields, String name, OptionalDouble value) {
        value.ifPresent(known -> add(fields, name, known));
    }

    private static String object(Map<String, ? extends Number> values) {
        List<String> fields = new ArrayList<>();
        values.forEach((name, value) -> fields.add(JsonText.quoted(name) + ": " + number(value.doubleValue())));
        return "{" + String.join(", ", fields) + "}";
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%.6f", value);
    }
}
