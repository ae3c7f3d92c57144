package io.berth.simulator.replay;

import io.berth.simulator.replay.measure.ReplayResult;
import io.berth.simulator.replay.measure.Series;
import io.berth.simulator.report.Chart;
import io.berth.simulator.report.Chart.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Draws utilization, queue length and workers used over time, a line for each policy. */
final class ReplayPlot {

    private static final double DAY = 86_400_000.0;
    private static final double HOUR = 3_600_000.0;

    private final List<ReplayResult> results;
    private final List<Chart.Tick> ticks;
    private final long begin;
    private final long end;

    ReplayPlot(List<ReplayResult> results) {
        this.results = List.copyOf(results);
        begin = results.stream().mapToLong(ReplayPlot::from).min().orElse(0);
        end = results.stream().mapToLong(ReplayPlot::to).max().orElse(1);
        boolean days = end - begin > 2 * DAY;
        ticks = Chart.even((end - begin) / (days ? DAY : HOUR), days ? "d" : "h");
    }

    Chart chart() {
        Chart chart = new Chart(results.stream().map(ReplayResult::policy).toList());
        chart.panel("utilization of cpu, %", 100, ticks, lines(point -> 100 * point.utilization()));
        panel(chart, "jobs that wait", Series.Point::waiting);
        panel(chart, "workers used", Series.Point::workersUsed);
        return chart;
    }

    private void panel(Chart chart, String title, ToDoubleFunction<Series.Point> value) {
        double most = results.stream()
                .flatMap(result -> result.series().stream())
                .mapToDouble(value)
                .max()
                .orElse(0);
        chart.panel(title, Math.max(1, most), ticks, lines(value));
    }

    private List<List<Point>> lines(ToDoubleFunction<Series.Point> value) {
        List<List<Point>> lines = new ArrayList<>();
        for (ReplayResult result : results) {
            List<Point> line = new ArrayList<>();
            for (Series.Point point : result.series()) {
                line.add(new Point(at(point.fromMillis()), value.applyAsDouble(point)));
                line.add(new Point(at(point.toMillis()), value.applyAsDouble(point)));
            }
            lines.add(line);
        }
        return lines;
    }

    private static long from(ReplayResult result) {
        return result.series().isEmpty() ? 0 : result.series().get(0).fromMillis();
    }

    private static long to(ReplayResult result) {
        return result.series().isEmpty()
                ? 1
                : result.series().get(result.series().size() - 1).toMillis();
    }

    private double at(long millis) {
        return (double) (millis - begin) / (end - begin);
    }
}
