package io.berth.simulator.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How often each operator was applied to each kind of message, and what happened to messages. */
public final class Coverage {

    /** What can happen to a message. One message may suffer several of these, and may arrive several times. */
    public enum Fate {
        SENT,
        ARRIVED,
        /** Rejected, because it was for a former holder of the role. */
        FENCED,
        /** On purpose or by the network conditions. */
        LOST,
        /** At a partition of the network. */
        CUT_OFF,
        /** Nobody listened at the address. */
        UNREACHABLE,
        /** An answer whose caller already had an outcome, or was dead. */
        TOO_LATE
    }

    private final MessageKinds kinds;
    private final long[][] applied;
    private final long[][] fates;

    public Coverage(MessageKinds kinds) {
        this.kinds = kinds;
        applied = new long[kinds.count()][Operator.values().length];
        fates = new long[kinds.count()][Fate.values().length];
    }

    void became(Fate fate, int kind) {
        fates[kind][fate.ordinal()]++;
    }

    public void applied(int kind, Operator operator) {
        applied[kind][operator.ordinal()]++;
    }

    long applied(String kind, Operator operator) {
        return applied[kinds.named(kind)][operator.ordinal()];
    }

    public long sent(String kind) {
        return fates[kinds.named(kind)][Fate.SENT.ordinal()];
    }

    public long messages() {
        long sum = 0;
        for (long[] of : fates) {
            sum += of[Fate.SENT.ordinal()];
        }
        return sum;
    }

    public void add(Coverage other) {
        for (int kind = 0; kind < fates.length; kind++) {
            for (int fate = 0; fate < fates[kind].length; fate++) {
                fates[kind][fate] += other.fates[kind][fate];
            }
            for (int operator = 0; operator < applied[kind].length; operator++) {
                applied[kind][operator] += other.applied[kind][operator];
            }
        }
    }

    /**
     * What happened to one kind of message.
     *
     * @param fault number of the fault that the operators cause with it; empty when it has none
     * @param meaningless why no operator has a meaning for it; empty when operators have
     * @param fates in the order of {@link Fate}
     * @param applied in the order of the operators
     */
    public record Row(String kind, String fault, String meaningless, List<Long> fates, List<Long> applied) {}

    public List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (int kind = 0; kind < fates.length; kind++) {
            rows.add(new Row(
                    kinds.name(kind),
                    kinds.fault(kind).orElse(""),
                    kinds.meaningless(kind).orElse(""),
                    Arrays.stream(fates[kind]).boxed().toList(),
                    Arrays.stream(applied[kind]).boxed().toList()));
        }
        return rows;
    }

    /** The meaningful cells to which no operator was applied, as {@code KIND OPERATOR}. */
    public List<String> empty() {
        List<String> empty = new ArrayList<>();
        for (Row row : rows()) {
            for (Operator operator : Operator.values()) {
                if (row.meaningless().isEmpty() && row.applied().get(operator.ordinal()) == 0) {
                    empty.add(row.kind() + " " + operator);
                }
            }
        }
        return empty;
    }

    /** One line per kind of message and one column per operator, then the cells without meaning and the empty ones. */
    public String table() {
        StringBuilder table = new StringBuilder(String.format(Locale.ROOT, "%-5s %-48s", "fault", "message"));
        for (Fate fate : Fate.values()) {
            table.append(String.format(Locale.ROOT, " %11s", fate.name().toLowerCase(Locale.ROOT)));
        }
        for (Operator operator : Operator.values()) {
            table.append(String.format(Locale.ROOT, " %13s", operator));
        }
        table.append('\n');
        for (Row row : rows()) {
            table.append(String.format(Locale.ROOT, "%-5s %-48s", row.fault(), row.kind()));
            row.fates().forEach(count -> table.append(String.format(Locale.ROOT, " %11d", count)));
            row.applied()
                    .forEach(count -> table.append(
                            row.meaningless().isEmpty()
                                    ? String.format(Locale.ROOT, " %13d", count)
                                    : String.format(Locale.ROOT, " %13s", "-")));
            table.append('\n');
        }
        for (MessageKinds.Meaningless cell : MessageKinds.MEANINGLESS) {
            table.append("- ")
                    .append(cell.message())
                    .append(" and its answer: ")
                    .append(cell.reason())
                    .append('\n');
        }
        List<String> empty = empty();
        table.append(
                        empty.isEmpty()
                                ? "no other cell is empty"
                                : empty.size() + " cells are empty: " + String.join(", ", empty))
                .append('\n');
        return table.toString();
    }
}
