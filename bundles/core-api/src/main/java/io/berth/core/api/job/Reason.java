package io.berth.core.api.job;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Why something waits: a tree whose root carries the decisive code and whose leaves are counted. Bounded in depth,
 * breadth, size and length of text, by cutting: an explanation never makes a call fail.
 *
 * @param code the word for it; of the root: the one to show where there is room for one word
 * @param count how many workers, slots or whatever the text speaks of; 0 when nothing is counted
 * @param text for people, one line
 * @param causes what it comes from, the weightiest first
 */
public record Reason(ReasonCode code, int count, String text, List<Reason> causes) {

    /** Levels below which causes are left out. */
    public static final int MAX_LEVELS = 4;

    /** Causes of one reason; what is more is told by one of code {@link ReasonCode#MORE}. */
    public static final int MAX_CAUSES = 12;

    /** About how many reasons a tree has at most. */
    public static final int MAX_REASONS = 48;

    /** Characters of a text. */
    public static final int MAX_TEXT = 400;

    /** Nothing is waited for. */
    public static final Reason NONE = of(ReasonCode.NONE, "");

    public Reason {
        text = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT - 3) + "..." : text;
        causes = bounded(causes);
    }

    public static Reason of(ReasonCode code, String text) {
        return new Reason(code, 0, text, List.of());
    }

    public static Reason of(ReasonCode code, String text, List<Reason> causes) {
        return new Reason(code, 0, text, causes);
    }

    public static Reason counted(ReasonCode code, int count, String text) {
        return new Reason(code, count, text, List.of());
    }

    private static List<Reason> bounded(List<Reason> causes) {
        if (causes.isEmpty()) {
            return List.of();
        }
        List<Reason> kept = new ArrayList<>();
        int reasons = 1;
        for (Reason cause : causes) {
            if (kept.size() == MAX_CAUSES - 1 && causes.size() > MAX_CAUSES) {
                int more = causes.size() - kept.size();
                kept.add(counted(ReasonCode.MORE, more, "and " + more + " more"));
                break;
            }
            Reason cut = cause.cut(MAX_LEVELS - 1);
            if (reasons + cut.size() > MAX_REASONS) {
                cut = cut.cut(1);
            }
            reasons += cut.size();
            kept.add(cut);
        }
        return List.copyOf(kept);
    }

    private Reason cut(int levels) {
        if (height() <= levels) {
            return this;
        }
        return new Reason(
                code,
                count,
                text,
                levels <= 1
                        ? List.of()
                        : causes.stream().map(cause -> cause.cut(levels - 1)).toList());
    }

    private int height() {
        return 1 + causes.stream().mapToInt(Reason::height).max().orElse(0);
    }

    private int size() {
        return 1 + causes.stream().mapToInt(Reason::size).sum();
    }

    /** The same tree with another word for it. */
    public Reason as(ReasonCode other) {
        return new Reason(other, count, text, causes);
    }

    /** All of it in one line; the words of policies only where nothing else tells more. */
    public String line() {
        String below = below(", ");
        return below.isEmpty() ? text : text.isEmpty() ? below : text + ": " + below;
    }

    private String nested() {
        String below = below(", ");
        return below.isEmpty() ? text : text + " (" + below + ")";
    }

    private String below(String separator) {
        boolean policiesOnly = causes.stream().allMatch(cause -> cause.code == ReasonCode.POLICY);
        return causes.stream()
                .filter(cause -> policiesOnly || cause.code != ReasonCode.POLICY)
                .map(Reason::nested)
                .collect(Collectors.joining(separator));
    }

    /** Whether it is the same situation as another: the same words, whatever their numbers are. */
    public boolean sameSituation(Reason other) {
        if (code != other.code || causes.size() != other.causes.size()) {
            return false;
        }
        for (int at = 0; at < causes.size(); at++) {
            if (!causes.get(at).sameSituation(other.causes.get(at))) {
                return false;
            }
        }
        return true;
    }

    /** All of it for people: one line for each reason, with its code and count, below what it explains. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        append(lines, "");
        return lines;
    }

    private void append(List<String> lines, String indent) {
        lines.add(indent + code + (count == 0 ? "" : " " + count) + (text.isEmpty() ? "" : ": " + text));
        causes.forEach(cause -> cause.append(lines, indent + "  "));
    }
}
