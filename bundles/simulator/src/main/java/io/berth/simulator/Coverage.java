package io.berth.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How often each operator was applied to each kind of message, and what became of messages. */
final class Coverage {

    private final MessageKinds kinds;
    private final long[][] applied;
    private final long[] sent;
    private final long[] arrived;
    private final long[] fenced;

    Coverage(MessageKinds kinds) {
        this.kinds = kinds;
        applied = new long[kinds.count()][Operator.values().length];
        sent = new long[kinds.count()];
        arrived = new long[kinds.count()];
        fenced = new long[kinds.count()];
    }

    void sent(int kind) {
        sent[kind]++;
    }

    void arrived(int kind) {
        arrived[kind]++;
    }

    void fenced(int kind) {
        fenced[kind]++;
    }

    void applied(int kind, Operator operator) {
        applied[kind][operator.ordinal()]++;
    }

    long applied(String kind, Operator operator) {
        return applied[kinds.named(kind)][operator.ordinal()];
    }

    long sent(String kind) {
        return sent[kinds.named(kind)];
    }

    long messages() {
        long sum = 0;
        for (long count : sent) {
            sum += count;
        }
        return sum;
    }

    void add(Coverage other) {
        for (int kind = 0; kind < sent.length; kind++) {
            sent[kind] += other.sent[kind];
            arrived[kind] += other.arrived[kind];
            fenced[kind] += other.fenced[kind];
            for (int operator = 0; operator < applied[kind].length; operator++) {
                applied[kind][operator] += other.applied[kind][operator];
            }
        }
    }

    /** What became of one kind of message; {@code applied} in the order of the operators. */
    record Row(String kind, long sent, long arrived, long fenced, List<Long> applied) {}

    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (int kind = 0; kind < sent.length; kind++) {
            rows.add(new Row(
                    kinds.name(kind), sent[kind], arrived[kind], fenced[kind],
                    Arrays.stream(applied[kind]).boxed().toList()));
        }
        return rows;
    }

    /** One line per kind of message, one column per operator. */
    String table() {
        StringBuilder table = new StringBuilder(
                String.format(Locale.ROOT, "%-52s %12s %12s %9s", "message", "sent", "arrived", "fenced"));
        for (Operator operator : Operator.values()) {
            table.append(String.format(Locale.ROOT, " %13s", operator));
        }
        table.append('\n');
        for (Row row : rows()) {
            table.append(String.format(
                    Locale.ROOT, "%-52s %12d %12d %9d", row.kind(), row.sent(), row.arrived(), row.fenced()));
            row.applied().forEach(count -> table.append(String.format(Locale.ROOT, " %13d", count)));
            table.append('\n');
        }
        return table.toString();
    }
}
