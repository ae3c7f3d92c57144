package io.berth.simulator.replay;

import io.berth.simulator.replay.measure.ReplayResult;
import io.berth.simulator.report.BarChart;
import java.util.List;

/**
 * Draws the figures of all combinations of policies, a panel for each figure and in it a bar for each combination. A
 * figure that is 0 for all has no panel.
 */
final class ComparedPlot {

    private ComparedPlot() {}

    static String svg(Scenario scenario, List<ReplayResult> results) {
        BarChart chart = new BarChart(results.stream().map(ReplayResult::policy).toList());
        for (ComparedFigure figure : ComparedFigure.of(scenario, results)) {
            if (results.stream().allMatch(result -> figure.value().apply(result).orElse(0) == 0)) {
                continue;
            }
            List<ReplayResult> best = figure.best(results);
            chart.panel(
                    figure.heading(),
                    figure.axis(),
                    results.stream()
                            .map(result -> new BarChart.Bar(
                                    figure.value().apply(result), figure.text(result), best.contains(result)))
                            .toList());
        }
        return chart.text();
    }
}
