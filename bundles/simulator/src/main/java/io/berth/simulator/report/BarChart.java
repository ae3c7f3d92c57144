package io.berth.simulator.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Panels with horizontal bars as SVG, one bar for each of the same names in each panel. It needs no other file, and
 * follows the light or dark scheme of the viewer.
 */
public final class BarChart {

    private static final int PANELS_IN_A_ROW = 3;
    private static final double PANEL = 215;
    private static final double GAP = 30;
    private static final double MARGIN = 16;
    private static final double BAR = 14;
    private static final double PITCH = 20;
    /** Above the bars for the title of the panel, and below them for the axis. */
    private static final double TITLE = 24;

    private static final double AXIS = 44;
    private static final double LEGEND = 26;
    private static final int MAX_TICKS = 3;
    /** Of a letter, about, in the font size of the names. */
    private static final double LETTER = 6.6;

    private static final String STYLE = """
            <style>
            text { font-family: sans-serif; font-size: 12px; fill: #24292f; }
            .title { font-weight: bold; }
            .background { fill: #ffffff; }
            .grid { stroke: #d0d7de; }
            .bar { fill: #8fa3b8; }
            .best { fill: #0b6fa4; }
            @media (prefers-color-scheme: dark) {
            text { fill: #e6edf3; }
            .background { fill: #0d1117; }
            .grid { stroke: #3d444d; }
            .bar { fill: #5c6b7a; }
            .best { fill: #4aa8dd; }
            }
            </style>
            """;

    /**
     * The bar of one name.
     *
     * @param value from 0 up; empty: not known, which draws no bar
     * @param text the value for people
     * @param best whether it is emphasized
     */
    public record Bar(OptionalDouble value, String text, boolean best) {}

    private final List<String> names;
    private final double labels;
    private final StringBuilder panels = new StringBuilder();
    private int count;

    public BarChart(List<String> names) {
        this.names = List.copyOf(names);
        labels = LETTER * names.stream().mapToInt(String::length).max().orElse(0) + 8;
    }

    /**
     * Adds a panel.
     *
     * @param title what is shown
     * @param axis the same with its unit
     * @param bars one for each name
     */
    public void panel(String title, String axis, List<Bar> bars) {
        int column = count % PANELS_IN_A_ROW;
        int row = count++ / PANELS_IN_A_ROW;
        double left = MARGIN + labels + column * (PANEL + GAP);
        double top = MARGIN + LEGEND + TITLE + row * height();
        double bottom = top + PITCH * names.size();
        double most =
                bars.stream().flatMapToDouble(bar -> bar.value().stream()).max().orElse(0);
        List<Double> ticks = ticks(most);
        double end = Math.max(most, ticks.get(ticks.size() - 1));
        line("<text class=\"title\" x=\"%.1f\" y=\"%.1f\">%s</text>", left, top - 8, escaped(title));
        for (double tick : ticks) {
            double x = left + PANEL * tick / end;
            line("<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", x, top, x, bottom);
            line(
                    "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
                    x, bottom + 14, tick == 0 ? "start" : "middle", number(tick));
        }
        line(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>",
                left + PANEL / 2, bottom + 29, escaped(axis));
        for (int name = 0; name < names.size(); name++) {
            Bar bar = bars.get(name);
            double y = top + PITCH * name + (PITCH - BAR) / 2;
            if (column == 0) {
                line(
                        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                        left - 8, y + 11, escaped(names.get(name)));
            }
            double width = PANEL * bar.value().orElse(0) / end;
            line(
                    "<rect class=\"bar%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s</title></rect>",
                    bar.best() ? " best" : "",
                    left,
                    y,
                    Math.max(width, bar.value().isPresent() ? 1 : 0),
                    BAR,
                    escaped(names.get(name) + ", " + title + ": " + bar.text()));
        }
    }

    /** The whole image. */
    public String text() {
        int columns = Math.min(count, PANELS_IN_A_ROW);
        int rows = (count + PANELS_IN_A_ROW - 1) / PANELS_IN_A_ROW;
        double width = 2 * MARGIN + labels + columns * (PANEL + GAP);
        double height = 2 * MARGIN + LEGEND + rows * height();
        String size = String.format(Locale.ROOT, "width=\"%.0f\" height=\"%.0f\"", width, height);
        String box = String.format(Locale.ROOT, "viewBox=\"0 0 %.0f %.0f\"", width, height);
        String legend = String.format(
                Locale.ROOT,
                "<path class=\"best\" d=\"M%.0f %.0f h12 v12 h-12 z\"/><text x=\"%.0f\" y=\"%.0f\">best of its panel</text>",
                MARGIN,
                MARGIN,
                MARGIN + 18,
                MARGIN + 11);
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size + " " + box + ">\n" + STYLE
                + "<rect class=\"background\" " + size + "/>\n" + legend + "\n" + panels + "</svg>\n";
    }

    private double height() {
        return TITLE + PITCH * names.size() + AXIS;
    }

    /** From 0 to about the largest value, at distances of 1, 2 or 5 times a power of ten. */
    private static List<Double> ticks(double most) {
        List<Double> ticks = new ArrayList<>();
        if (most <= 0) {
            return List.of(0.0, 1.0);
        }
        double power = Math.pow(10, Math.floor(Math.log10(most / MAX_TICKS)));
        double distance = power;
        for (int factor : new int[] {1, 2, 5, 10}) {
            distance = factor * power;
            if (most / distance <= MAX_TICKS) {
                break;
            }
        }
        for (int tick = 0; tick * distance <= most; tick++) {
            ticks.add(tick * distance);
        }
        return ticks;
    }

    private static String number(double value) {
        if (value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, "%.3f", value).replaceFirst("0+$", "");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private void line(String format, Object... values) {
        panels.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
