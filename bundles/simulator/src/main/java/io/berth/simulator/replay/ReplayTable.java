package io.berth.simulator.replay;

import io.berth.simulator.replay.measure.ReplayResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Results as a table for people, with the policies side by side. */
final class ReplayTable {

    private static final double PERCENT = 100;

    private final Scenario scenario;
    private final List<ReplayResult> results;
    private final List<List<String>> rows = new ArrayList<>();

    ReplayTable(Scenario scenario, List<ReplayResult> results) {
        this.scenario = scenario;
        this.results = List.copyOf(results);
    }

    String text() {
        StringBuilder text = new StringBuilder(heading(scenario, results));
        row("", ReplayResult::policy);
        row("jobs that began", result -> whole(result.begun()));
        row("jobs that ended", result -> whole(result.ended()));
        row("jobs waiting forever", result -> whole(result.waiting()));
        row("jobs too large for the cluster", result -> whole(result.tooLarge()));
        if (!scenario.input().outages().isEmpty()) {
            row("outages", result -> whole(result.outages()));
            row("restarts", result -> whole(result.restarts()));
            row("jobs that restarted", result -> whole(result.restartedJobs()));
            row("core hours lost by restarts", result -> decimal(result.lostCoreSeconds() / 3_600));
        }
        row("waiting time, mean, s", result -> decimal(result.waitMean()));
        row("waiting time, p95, s", result -> decimal(result.waitP95()));
        row("waiting time, longest, s", result -> decimal(result.waitLongest()));
        row("bounded slowdown, mean", result -> decimal(result.slowdownMean()));
        row("bounded slowdown, p95", result -> decimal(result.slowdownP95()));
        row("Jain index over users", result -> fine(result.jainUsers()));
        row("Jain index over queues", result -> fine(result.jainQueues()));
        rows("utilization, ", ReplayResult::utilization);
        row("time in which a job waits, %", result -> percent(result.waitingShare()));
        rows("free while a job waits, ", ReplayResult::freeWhileWaiting);
        rows("stranded, ", ReplayResult::stranded);
        row("workers used, mean", result -> decimal(result.workersUsedMean()));
        row("workers used, most", result -> whole(result.workersUsedMost()));
        row("workers there, mean", result -> decimal(result.workersMean()));
        if (scenario.input().moveSeconds().isPresent()) {
            row("slots moved", result -> whole(result.moves().slots()));
            row("jobs that moved slots", result -> whole(result.moves().jobs()));
            row(
                    "hours that moving jobs stood still",
                    result -> decimal(result.moves().standingSeconds() / 3_600));
            row(
                    "shortest time between moves of a job, s",
                    result -> decimal(result.moves().shortestSeconds()));
        }
        if (scenario.input().jobs().stream().anyMatch(job -> job.runMillis().isEmpty())) {
            rows("used at the last arrival, ", result -> result.last().utilization());
            rows("stranded at the last arrival, ", result -> result.last().stranded());
            row(
                    "workers used at the last arrival",
                    result -> whole(result.last().workersUsed()));
        }
        row("from first arrival to last end", result -> length(result.lengthSeconds()));
        row("rejected results of policies", result -> whole(result.rejections().count()));
        row("decisions by fallbacks", result -> whole(result.rejections().fallback()));
        row("slots given out", result -> whole(result.slots()));
        row("steps at which all was checked", result -> whole(result.steps()));
        row("CPU time of the replay, s", result -> decimal(result.cpuSeconds()));
        append(text);
        results.forEach(result -> result.rejections()
                .line()
                .ifPresent(line ->
                        text.append(result.policy()).append(": ").append(line).append(System.lineSeparator())));
        return text.toString();
    }

    /** What was replayed with which policies, and what the trace lacks. */
    static String heading(Scenario scenario, List<ReplayResult> results) {
        ReplayResult any = results.get(0);
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%d nodes, %d jobs, %d outages of nodes; arrivals over %s; matching by %s; distribution by %s%n",
                scenario.input().nodes().size(),
                any.jobs(),
                scenario.input().outages().size(),
                length(any.windowSeconds()),
                names(results, ReplayResult::matching),
                names(results, ReplayResult::distribution)));
        scenario.holes()
                .forEach((of, holes) -> holes.forEach((what, count) -> text.append(String.format(
                        Locale.ROOT, "%s (%s): %d %s%n", of, scenario.formats().get(of), count, what))));
        return text.append(System.lineSeparator()).toString();
    }

    private static String names(List<ReplayResult> results, Function<ReplayResult, String> name) {
        return results.stream().map(name).distinct().collect(Collectors.joining(", "));
    }

    private void row(String name, Function<ReplayResult, String> value) {
        List<String> row = new ArrayList<>();
        row.add(name);
        results.forEach(result -> row.add(value.apply(result)));
        rows.add(row);
    }

    private void rows(String name, Function<ReplayResult, Map<String, Double>> shares) {
        Set<String> resources = new LinkedHashSet<>();
        results.forEach(result -> resources.addAll(shares.apply(result).keySet()));
        for (String resource : resources) {
            row(name + resource + ", %", result -> {
                Map<String, Double> of = shares.apply(result);
                return of.containsKey(resource) ? percent(of.get(resource)) : "-";
            });
        }
    }

    private void append(StringBuilder text) {
        int first = rows.stream().mapToInt(row -> row.get(0).length()).max().orElse(0);
        int others = rows.stream()
                .flatMap(row -> row.subList(1, row.size()).stream())
                .mapToInt(String::length)
                .max()
                .orElse(0);
        for (List<String> row : rows) {
            text.append(String.format(Locale.ROOT, "%-" + first + "s", row.get(0)));
            for (String value : row.subList(1, row.size())) {
                text.append(String.format(Locale.ROOT, "  %" + others + "s", value));
            }
            text.append(System.lineSeparator());
        }
    }

    private static String whole(long value) {
        return Long.toString(value);
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String decimal(OptionalDouble value) {
        return value.isPresent() ? decimal(value.getAsDouble()) : "-";
    }

    private static String fine(OptionalDouble value) {
        return value.isPresent() ? String.format(Locale.ROOT, "%.3f", value.getAsDouble()) : "-";
    }

    private static String percent(double share) {
        return decimal(PERCENT * share);
    }

    private static String length(double seconds) {
        return seconds < 172_800 ? decimal(seconds / 3_600) + " h" : decimal(seconds / 86_400) + " d";
    }
}
