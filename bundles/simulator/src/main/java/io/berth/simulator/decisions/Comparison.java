package io.berth.simulator.decisions;

import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.policies.detached.DetachedDecision;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.simulator.report.JsonText;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What was recorded, and what was decided now, side by side. */
final class Comparison {

    /** The sums of one side. */
    private static final class Side {
        private long placed;
        private long left;
        private long opened;
        private double costPerHour;
        private long micros;
        private long notDecided;

        private void add(DecisionFrame frame, PlanOutcome outcome, long took) {
            micros += took;
            if (outcome instanceof PlanOutcome.Planned planned) {
                placed += planned.runs().slots();
                left += planned.reasons().size();
                opened += planned.newWorkers().size();
                for (int spec : planned.newWorkers()) {
                    costPerHour += frame.input().specs().get(spec).origin().costPerHour();
                }
            } else {
                notDecided++;
            }
        }

        private List<Object> figures(long decisions) {
            return List.of(
                    placed,
                    left,
                    opened,
                    String.format(Locale.ROOT, "%.2f", costPerHour),
                    notDecided,
                    decisions == 0 ? 0 : micros / decisions);
        }
    }

    private static final List<String> ROWS = List.of(
            "slots placed", "units left", "workers opened", "their cost per hour", "not decided", "micros a decision");
    private static final List<String> KEYS = List.of("placed", "left", "opened", "costPerHour", "notDecided", "micros");

    private final Side recorded = new Side();
    private final Side now = new Side();
    private long inputs;
    private long decisions;
    private long agreed;
    private long skipped;
    private long lost;
    private long failed;
    private Optional<String> firstFailure = Optional.empty();

    /** So many frames were not recorded. */
    void lost(long frames) {
        lost += frames;
    }

    /** A frame has no state before it. */
    void skipped() {
        skipped++;
    }

    void add(DecisionFrame frame, DetachedDecision made) {
        inputs++;
        if (frame.matching().isEmpty() && frame.decision() == 0) {
            // Nothing was to be decided.
            return;
        }
        decisions++;
        recorded.add(frame, frame.result().outcome(), frame.result().micros());
        now.add(frame, made.outcome(), made.micros());
        agreed += agree(frame.result().outcome(), made.outcome()) ? 1 : 0;
        if (!made.failures().isEmpty()) {
            failed++;
            firstFailure = firstFailure.or(() -> Optional.of(
                    "decision " + frame.decision() + ": " + made.failures().get(0)));
        }
    }

    /** Whether both place the same slots on the same workers, and open the same ones. */
    private static boolean agree(PlanOutcome one, PlanOutcome other) {
        return one instanceof PlanOutcome.Planned first
                && other instanceof PlanOutcome.Planned second
                && first.runs().equals(second.runs())
                && first.newWorkers().equals(second.newWorkers());
    }

    String text(boolean json, Optional<String> policy, Optional<String> difference) {
        return json ? json(policy, difference) : table(policy, difference);
    }

    private String table(Optional<String> policy, Optional<String> difference) {
        StringBuilder text = new StringBuilder();
        if (difference.isPresent()) {
            text.append(difference.get()).append('\n');
            text.append(inputs - 1).append(" inputs before it led to the same, bit by bit\n");
        } else if (policy.isEmpty()) {
            text.append(decisions)
                    .append(" decisions on ")
                    .append(inputs)
                    .append(" inputs were made again: all are equal, bit by bit\n");
        } else {
            text.append(decisions)
                    .append(" decisions were also made by ")
                    .append(policy.get())
                    .append(": ")
                    .append(agreed)
                    .append(" agree (")
                    .append(share())
                    .append(" %)\n");
        }
        text.append(String.format(Locale.ROOT, "%-20s %14s %14s%n", "", "recorded", policy.orElse("again")));
        List<Object> before = recorded.figures(decisions);
        List<Object> after = now.figures(decisions);
        for (int row = 0; row < ROWS.size(); row++) {
            text.append(
                    String.format(Locale.ROOT, "%-20s %14s %14s%n", ROWS.get(row), before.get(row), after.get(row)));
        }
        if (failed > 0) {
            text.append("in ")
                    .append(failed)
                    .append(" decisions a policy failed, first in ")
                    .append(firstFailure.orElse(""))
                    .append('\n');
        }
        if (lost > 0) {
            text.append(lost).append(" decisions were not recorded\n");
        }
        if (skipped > 0) {
            text.append(skipped).append(" inputs were skipped, because the state before them is not in the file\n");
        }
        return text.toString();
    }

    private String share() {
        return String.format(Locale.ROOT, "%.1f", decisions == 0 ? 100.0 : 100.0 * agreed / decisions);
    }

    private String json(Optional<String> policy, Optional<String> difference) {
        return "{\"inputs\": " + inputs + ", \"decisions\": " + decisions + ", \"agreed\": " + agreed
                + ", \"lost\": " + lost + ", \"skipped\": " + skipped + ", \"failed\": " + failed
                + ", \"policy\": " + quoted(policy.orElse(""))
                + ", \"difference\": " + quoted(difference.orElse(""))
                + ", \"recorded\": " + json(recorded) + ", \"now\": " + json(now) + "}\n";
    }

    private String json(Side side) {
        List<Object> figures = side.figures(decisions);
        StringBuilder text = new StringBuilder("{");
        for (int key = 0; key < KEYS.size(); key++) {
            text.append(key == 0 ? "" : ", ")
                    .append(quoted(KEYS.get(key)))
                    .append(": ")
                    .append(figures.get(key));
        }
        return text.append('}').toString();
    }

    private static String quoted(String text) {
        return JsonText.quoted(text);
    }
}
