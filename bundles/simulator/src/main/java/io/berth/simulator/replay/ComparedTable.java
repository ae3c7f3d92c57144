package io.berth.simulator.replay;

import io.berth.simulator.replay.measure.ReplayResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One line for each combination of policies, with the best value of each column marked. */
final class ComparedTable {

    private static final String REJECTED = "rejected";

    private final Scenario scenario;
    private final List<ReplayResult> results;

    ComparedTable(Scenario scenario, List<ReplayResult> results) {
        this.scenario = scenario;
        this.results = List.copyOf(results);
    }

    String text() {
        List<List<String>> columns = new ArrayList<>();
        List<String> names = new ArrayList<>(List.of(""));
        results.forEach(result -> names.add(result.policy()));
        for (ComparedFigure figure : ComparedFigure.of(scenario, results)) {
            List<ReplayResult> best = figure.best(results);
            List<String> column = new ArrayList<>(List.of(figure.heading() + " "));
            results.forEach(result -> column.add(figure.text(result) + (best.contains(result) ? "*" : " ")));
            columns.add(column);
        }
        List<String> rejected = new ArrayList<>(List.of(REJECTED));
        results.forEach(result -> rejected.add(Long.toString(result.rejections().count())));
        columns.add(rejected);

        StringBuilder text = new StringBuilder(ReplayTable.heading(scenario, results));
        int first = width(names);
        for (int row = 0; row < names.size(); row++) {
            text.append(String.format(Locale.ROOT, "%-" + first + "s", names.get(row)));
            for (List<String> column : columns) {
                text.append(String.format(Locale.ROOT, "  %" + width(column) + "s", column.get(row)));
            }
            text.append(System.lineSeparator());
        }
        text.append("* best of its column").append(System.lineSeparator());
        results.forEach(result -> result.rejections()
                .line()
                .ifPresent(line ->
                        text.append(result.policy()).append(": ").append(line).append(System.lineSeparator())));
        return text.toString();
    }

    private static int width(List<String> column) {
        return column.stream().mapToInt(String::length).max().orElse(0);
    }
}
