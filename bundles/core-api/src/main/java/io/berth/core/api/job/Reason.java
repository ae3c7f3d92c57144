package io.berth.core.api.job;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Why something waits: a tree whose root has the decisive code and whose leaves are counted. Depth, breadth, size and
 * text length are limited. A reason that is too large is cut, so that it never makes a call fail.
 *
 * @param code code of the reason; the code of the root is shown where there is space for only one word
 * @param count number of workers, slots or other things in the text; 0 when nothing is counted
 * @param text one line for people
 * @param causes the causes, most important first
 */
public record Reason(ReasonCode code, int count, String text, List<Reason> causes) {

    /** Maximum depth; deeper causes are left out. */
    public static final int MAX_LEVELS = 4;

    /** Maximum number of causes of one reason; one cause with code {@link ReasonCode#MORE} stands for all others. */
    public static final int MAX_CAUSES = 12;

    /** Approximate maximum number of reasons in a tree. */
    public static final int MAX_REASONS = 48;

    /** Maximum length of a text, in characters. */
    public static final int MAX_TEXT = 400;

    /** No wait. */
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

    /** The same tree with another code. */
    public Reason withCode(ReasonCode other) {
        return new Reason(other, count, text, causes);
    }

    /** The whole tree in one line. Texts of policies are included only where there are no other causes. */
    public String line() {
        String below = causesText(", ");
        return below.isEmpty() ? text : text.isEmpty() ? below : text + ": " + below;
    }

    private String nested() {
        String below = causesText(", ");
        return below.isEmpty() ? text : text + " (" + below + ")";
    }

    private String causesText(String separator) {
        boolean policiesOnly = causes.stream().allMatch(cause -> cause.code == ReasonCode.POLICY);
        return causes.stream()
                .filter(cause -> policiesOnly || cause.code != ReasonCode.POLICY)
                .map(Reason::nested)
                .collect(Collectors.joining(separator));
    }

    /** Whether both trees have the same codes; counts and texts may differ. */
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

    /**
     * The whole tree for people: one line for each reason, with code and count, indented below the reason that it
     * explains.
     */
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
