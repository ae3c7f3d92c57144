package io.berth.simulator.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Panels below each other as SVG. Each panel has a line for each of the same names. */
public final class Chart {

    private static final int WIDTH = 900;
    private static final int LEFT = 70;
    private static final int RIGHT = 20;
    private static final int TOP = 50;
    private static final int HEIGHT = 170;
    private static final int GAP = 50;
    private static final int TICKS = 4;
    private static final List<String> COLORS = List.of("#0b6fa4", "#d1495b", "#3c8d40", "#8a5fbf");

    /** A place on the horizontal axis, from 0 (left) to 1. */
    public record Tick(double at, String text) {}

    /**
     * A point of a line.
     *
     * @param at from 0 (left) to 1
     * @param value from 0 up
     */
    public record Point(double at, double value) {}

    private final List<String> names;
    private final StringBuilder panels = new StringBuilder();
    private int count;

    public Chart(List<String> names) {
        this.names = List.copyOf(names);
    }

    /** Places on the axis at equal distances, with numbers from 0. */
    public static List<Tick> even(double most, String unit) {
        List<Tick> ticks = new ArrayList<>();
        for (int tick = 0; tick <= TICKS; tick++) {
            ticks.add(new Tick((double) tick / TICKS, number(most * tick / TICKS) + " " + unit));
        }
        return ticks;
    }

    /**
     * Adds a panel below the others.
     *
     * @param most the largest value that is shown, above 0
     * @param lines one for each name
     */
    public Chart panel(String title, double most, List<Tick> ticks, List<List<Point>> lines) {
        int top = TOP + count++ * (HEIGHT + GAP);
        line("<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>", LEFT, top - 8, title);
        for (int tick = 0; tick <= TICKS; tick++) {
            double y = top + HEIGHT - (double) HEIGHT * tick / TICKS;
            line("<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>", LEFT, y, WIDTH - RIGHT, y);
            line(
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                    LEFT - 6, y + 4, number(most * tick / TICKS));
        }
        for (Tick tick : ticks) {
            line(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                    x(tick.at()), top + HEIGHT + 16, tick.text());
        }
        for (int name = 0; name < lines.size(); name++) {
            StringBuilder points = new StringBuilder();
            for (Point point : lines.get(name)) {
                points.append(String.format(
                        Locale.ROOT, "%.1f,%.1f ", x(point.at()), top + HEIGHT - HEIGHT * point.value() / most));
            }
            line(
                    "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.2\" points=\"%s\"/>",
                    color(name), points.toString().strip());
        }
        return this;
    }

    public String text() {
        int height = TOP + count * (HEIGHT + GAP);
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                        + "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n",
                WIDTH,
                height,
                WIDTH,
                height));
        svg.append(String.format(Locale.ROOT, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", WIDTH, height));
        for (int name = 0; name < names.size(); name++) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%d\" y=\"18\" fill=\"%s\">%s</text>\n",
                    LEFT + name * 120,
                    color(name),
                    names.get(name)));
        }
        return svg.append(panels).append("</svg>\n").toString();
    }

    private static double x(double at) {
        return LEFT + (WIDTH - LEFT - RIGHT) * at;
    }

    private static String color(int name) {
        return COLORS.get(name % COLORS.size());
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.1f", value);
    }

    private void line(String format, Object... values) {
        panels.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
