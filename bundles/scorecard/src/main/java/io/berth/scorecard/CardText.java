package io.berth.scorecard;

import io.berth.scorecard.check.Mark;
import io.berth.simulator.report.JsonText;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.StringJoiner;

/** Cards for people and for programs. */
final class CardText {

    private static final int MAX_REASON = 400;

    private final String jar;
    private final String options;

    /**
     * @param jar as it was given; to repeat a check takes it again
     * @param options that repeating takes too, with a space before each
     */
    CardText(String jar, String options) {
        this.jar = jar;
        this.options = options;
    }

    String table(List<Card> cards) {
        StringJoiner text = new StringJoiner("\n");
        for (Card card : cards) {
            text.add(card.kind() + " " + card.policy() + " (" + card.bundle() + ")");
            String section = "";
            for (Mark mark : card.marks()) {
                String now = mark.check().section().label();
                text.add(String.format(
                        Locale.ROOT,
                        "  %-12s  %-60s  %2d of %2d%s",
                        now.equals(section) ? "" : now,
                        mark.check().name(),
                        mark.points(),
                        mark.check().points(),
                        mark.figure().isEmpty() ? "" : "  " + mark.figure()));
                section = now;
                if (!mark.full()) {
                    text.add("      must be so: " + mark.check().what());
                    text.add("      lost: " + cut(mark.reason()));
                    text.add("      repeat: " + repeat(card, mark.seed()));
                }
            }
            text.add("  total         " + card.points() + " of " + card.ofPoints() + " points");
            text.add("");
        }
        return text.toString().stripTrailing();
    }

    /** Plans of large pools are long. */
    private static String cut(String reason) {
        String line = reason.replaceAll("\\s+", " ");
        return line.length() <= MAX_REASON
                ? line
                : line.substring(0, MAX_REASON / 2) + " ... " + line.substring(line.length() - MAX_REASON / 2);
    }

    private String repeat(Card card, OptionalInt seed) {
        return "berth policy test " + jar + " --policy " + card.policy()
                + (seed.isPresent() ? " --seed " + seed.getAsInt() + " --seeds 1" : "") + options;
    }

    String json(List<Card> cards) {
        StringJoiner policies = new StringJoiner(",", "[", "]");
        for (Card card : cards) {
            StringJoiner checks = new StringJoiner(",", "[", "]");
            card.marks().forEach(mark -> checks.add(json(card, mark)));
            policies.add("{\"kind\":" + JsonText.quoted(card.kind())
                    + ",\"policy\":" + JsonText.quoted(card.policy())
                    + ",\"bundle\":" + JsonText.quoted(card.bundle())
                    + ",\"points\":" + card.points()
                    + ",\"of\":" + card.ofPoints()
                    + ",\"checks\":" + checks + "}");
        }
        return policies.toString();
    }

    private String json(Card card, Mark mark) {
        StringBuilder json = new StringBuilder("{\"section\":")
                .append(JsonText.quoted(mark.check().section().label()))
                .append(",\"check\":")
                .append(JsonText.quoted(mark.check().name()))
                .append(",\"what\":")
                .append(JsonText.quoted(mark.check().what()))
                .append(",\"points\":")
                .append(mark.points())
                .append(",\"of\":")
                .append(mark.check().points());
        if (!mark.figure().isEmpty()) {
            json.append(",\"figure\":").append(JsonText.quoted(mark.figure()));
        }
        if (!mark.full()) {
            json.append(",\"reason\":").append(JsonText.quoted(mark.reason()));
            mark.seed().ifPresent(seed -> json.append(",\"seed\":").append(seed));
            json.append(",\"repeat\":").append(JsonText.quoted(repeat(card, mark.seed())));
        }
        return json.append('}').toString();
    }
}
