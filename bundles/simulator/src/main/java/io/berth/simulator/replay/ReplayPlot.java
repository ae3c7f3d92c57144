package io.berth.simulator.replay;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Draws utilisation, queue length and workers used over time as SVG, a line for each policy. */
final class ReplayPlot {

    private static final int WIDTH = 900;
    private static final int LEFT = 70;
    private static final int RIGHT = 20;
    private static final int TOP = 50;
    private static final int HEIGHT = 170;
    private static final int GAP = 50;
    private static final int TICKS = 4;
    private static final double DAY = 86_400_000.0;
    private static final double HOUR = 3_600_000.0;
    private static final List<String> COLOURS = List.of("#0b6fa4", "#d1495b", "#3c8d40", "#8a5fbf");

    private record Panel(String title, ToDoubleFunction<Series.Point> value, double most) {}

    private final List<ReplayResult> results;
    private final StringBuilder svg = new StringBuilder();

    ReplayPlot(List<ReplayResult> results) {
        this.results = List.copyOf(results);
    }

    String text() {
        List<Panel> panels = List.of(
                new Panel("utilisation of cpu, %", point -> 100 * point.utilisation(), 100),
                panel("jobs that wait", Series.Point::waiting),
                panel("workers used", Series.Point::workersUsed));
        int height = TOP + panels.size() * (HEIGHT + GAP);
        line("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                + "font-family=\"sans-serif\" font-size=\"12\">", WIDTH, height, WIDTH, height);
        line("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, height);
        for (int policy = 0; policy < results.size(); policy++) {
            line("<text x=\"%d\" y=\"18\" fill=\"%s\">%s</text>",
                    LEFT + policy * 120, colour(policy), results.get(policy).policy());
        }
        for (int panel = 0; panel < panels.size(); panel++) {
            draw(panels.get(panel), TOP + panel * (HEIGHT + GAP));
        }
        line("</svg>");
        return svg.toString();
    }

    private Panel panel(String title, ToDoubleFunction<Series.Point> value) {
        double most = results.stream()
                .flatMap(result -> result.series().stream())
                .mapToDouble(value)
                .max()
                .orElse(0);
        return new Panel(title, value, Math.max(1, most));
    }

    private void draw(Panel panel, int top) {
        line("<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>", LEFT, top - 8, panel.title());
        long begin = results.stream().mapToLong(result -> from(result)).min().orElse(0);
        long end = results.stream().mapToLong(result -> to(result)).max().orElse(1);
        double unit = end - begin > 2 * DAY ? DAY : HOUR;
        for (int tick = 0; tick <= TICKS; tick++) {
            double y = top + HEIGHT - (double) HEIGHT * tick / TICKS;
            double x = LEFT + (double) (WIDTH - LEFT - RIGHT) * tick / TICKS;
            line("<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>", LEFT, y, WIDTH - RIGHT, y);
            line("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                    LEFT - 6, y + 4, number(panel.most() * tick / TICKS));
            line("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s %s</text>",
                    x, top + HEIGHT + 16, number((end - begin) / unit * tick / TICKS), unit == DAY ? "d" : "h");
        }
        for (int policy = 0; policy < results.size(); policy++) {
            StringBuilder points = new StringBuilder();
            for (Series.Point point : results.get(policy).series()) {
                double y = top + HEIGHT - HEIGHT * panel.value().applyAsDouble(point) / panel.most();
                points.append(String.format(Locale.ROOT, "%.1f,%.1f %.1f,%.1f ",
                        x(point.fromMillis(), begin, end), y, x(point.toMillis(), begin, end), y));
            }
            line("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.2\" points=\"%s\"/>",
                    colour(policy), points.toString().strip());
        }
    }

    private static long from(ReplayResult result) {
        return result.series().isEmpty() ? 0 : result.series().get(0).fromMillis();
    }

    private static long to(ReplayResult result) {
        return result.series().isEmpty() ? 1 : result.series().get(result.series().size() - 1).toMillis();
    }

    private static double x(long at, long begin, long end) {
        return LEFT + (double) (WIDTH - LEFT - RIGHT) * (at - begin) / (end - begin);
    }

    private static String colour(int policy) {
        return COLOURS.get(policy % COLOURS.size());
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.1f", value);
    }

    private void line(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
