package io.berth.benchmark.report;

import io.berth.simulator.report.Chart;
import io.berth.simulator.report.Chart.Point;
import io.berth.simulator.report.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The same number of changes on clusters of several sizes. The cost of a decision should not depend on the size. */
public final class SizeSeries implements Printable {

    private static final String DECISION = "cpuMicrosPerDecision";
    private static final String PAIR = "strategyCpuNanosPerPair";
    private static final List<String> COLUMNS = List.of(
            "workers", "requests", DECISION, DECISION + "Min", DECISION + "Max", "bytesPerDecision", PAIR, "unplaced");

    private final String policy;
    private final int events;
    /** Ascending. */
    private final List<Integer> sizes = new ArrayList<>();

    private final List<Report> reports = new ArrayList<>();

    public SizeSeries(String policy, int events) {
        this.policy = policy;
        this.events = events;
    }

    /** Adds a size, larger than the previous ones. */
    public void add(int workers, Report report) {
        sizes.add(workers);
        reports.add(report);
    }

    @Override
    public String json() {
        return reports.stream()
                .map(report -> "    " + report.json().replace("\n", "\n    "))
                .collect(Collectors.joining(
                        ",\n",
                        "{\n  \"benchmark\": \"sizes\",\n  \"policy\": " + JsonText.quoted(policy) + ",\n  \"events\": "
                                + events + ",\n  \"sizes\": [\n",
                        "\n  ]\n}"));
    }

    /** A line for each size. */
    @Override
    public String table() {
        StringBuilder table = new StringBuilder(policy + ", " + events + " slots freed and placed in each decision");
        table.append('\n').append(String.join("  ", COLUMNS));
        for (Report report : reports) {
            table.append('\n')
                    .append(COLUMNS.stream()
                            .map(name -> String.format("%" + name.length() + "s", report.written(name)))
                            .collect(Collectors.joining("  ")));
        }
        return table.toString();
    }

    /** Workers on a logarithmic axis, against processor time. */
    public Chart chart() {
        List<Chart.Tick> ticks = new ArrayList<>();
        for (int size : sizes) {
            ticks.add(new Chart.Tick(at(size), size + " workers"));
        }
        Chart chart = new Chart(List.of(policy));
        panel(chart, "CPU per decision of " + events + " changes, us", DECISION, ticks);
        panel(chart, "CPU per change, the strategy alone, ns", PAIR, ticks);
        return chart;
    }

    private void panel(Chart chart, String title, String field, List<Chart.Tick> ticks) {
        List<Point> line = new ArrayList<>();
        for (int index = 0; index < sizes.size(); index++) {
            line.add(new Point(
                    at(sizes.get(index)), Double.parseDouble(reports.get(index).written(field))));
        }
        double most = line.stream().mapToDouble(Point::value).max().orElse(0);
        chart.panel(title, Math.max(1, most), ticks, List.of(line));
    }

    private double at(int size) {
        double least = Math.log(sizes.get(0));
        return (Math.log(size) - least) / (Math.log(sizes.get(sizes.size() - 1)) - least);
    }
}
