package io.berth.simulator.decisions;

import io.berth.simulator.report.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The decisions of one type: how many agree, and sums of what was recorded and what was decided now, side by side. */
final class Tally {

    /** How a figure is shown. */
    enum Shown {
        SUM,
        /** Of money. */
        CENTS,
        /** For each decision. */
        MEAN
    }

    /** A figure of a decision, for people and for programs. */
    record Figure(String text, String key, Shown shown) {}

    private final String key;
    private final String what;
    private final List<Figure> figures;
    private final double[] recorded;
    private final double[] now;
    private long decisions;
    private long agreed;
    private long failed;
    private Optional<String> firstFailure = Optional.empty();

    /**
     * @param key of the decisions, for programs
     * @param what the decisions are, for people
     */
    Tally(String key, String what, List<Figure> figures) {
        this.key = key;
        this.what = what;
        this.figures = figures;
        this.recorded = new double[figures.size()];
        this.now = new double[figures.size()];
    }

    /**
     * Adds a decision.
     *
     * @param before figures of what was recorded, in their order; {@code after}: of what was decided now
     * @param failures what policies did wrong now
     */
    void add(long decision, boolean agree, double[] before, double[] after, List<String> failures) {
        decisions++;
        agreed += agree ? 1 : 0;
        for (int figure = 0; figure < recorded.length; figure++) {
            recorded[figure] += before[figure];
            now[figure] += after[figure];
        }
        if (!failures.isEmpty()) {
            failed++;
            firstFailure = firstFailure.or(() -> Optional.of("decision " + decision + ": " + failures.get(0)));
        }
    }

    String key() {
        return key;
    }

    String what() {
        return what;
    }

    long decisions() {
        return decisions;
    }

    /** How many agree with the policy that also decided. */
    String agreement(String policy) {
        String share = String.format(Locale.ROOT, "%.1f", decisions == 0 ? 100.0 : 100.0 * agreed / decisions);
        return decisions + " " + what + " were also made by " + policy + ": " + agreed + " agree (" + share + " %)\n";
    }

    /** @param other name of the side that decided now */
    String table(String other) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT, "%-28s %14s %14s%n", "  " + what, "recorded", other));
        for (int figure = 0; figure < recorded.length; figure++) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-28s %14s %14s%n",
                    "    " + figures.get(figure).text(),
                    shown(figure, recorded),
                    shown(figure, now)));
        }
        if (failed > 0) {
            text.append("in ")
                    .append(failed)
                    .append(' ')
                    .append(what)
                    .append(" a policy failed, first in ")
                    .append(firstFailure.orElse(""))
                    .append('\n');
        }
        return text.toString();
    }

    private String shown(int figure, double[] side) {
        return switch (figures.get(figure).shown()) {
            case SUM -> String.valueOf((long) side[figure]);
            case CENTS -> String.format(Locale.ROOT, "%.2f", side[figure]);
            case MEAN -> String.valueOf(decisions == 0 ? 0 : (long) (side[figure] / decisions));
        };
    }

    String json() {
        return "{\"decisions\": " + decisions + ", \"agreed\": " + agreed + ", \"failed\": " + failed
                + ", \"recorded\": " + json(recorded) + ", \"now\": " + json(now) + "}";
    }

    private String json(double[] side) {
        List<String> members = new ArrayList<>();
        for (int figure = 0; figure < side.length; figure++) {
            members.add(JsonText.quoted(figures.get(figure).key()) + ": " + shown(figure, side));
        }
        return "{" + String.join(", ", members) + "}";
    }
}
