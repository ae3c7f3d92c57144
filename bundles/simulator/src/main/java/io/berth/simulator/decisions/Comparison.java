package io.berth.simulator.decisions;

import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.policies.detached.DetachedAnswer;
import io.berth.core.policies.detached.DetachedDecision;
import io.berth.core.policies.detached.PlannedScaling;
import io.berth.core.policies.detached.PlannedSlots;
import io.berth.core.policies.frame.AssignmentFrame;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.core.policies.frame.ScalingFrame;
import io.berth.simulator.decisions.Tally.Figure;
import io.berth.simulator.decisions.Tally.Shown;
import io.berth.simulator.report.JsonText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** What was recorded, and what was decided now, side by side, for each type of decisions. */
final class Comparison {

    private static final Figure NOT_DECIDED = new Figure("not decided", "notDecided", Shown.SUM);
    private static final Figure MICROS = new Figure("micros a decision", "micros", Shown.MEAN);

    private final Tally pools = new Tally(
            "pools",
            "decisions of pools",
            List.of(
                    new Figure("slots placed", "placed", Shown.SUM),
                    new Figure("units left", "left", Shown.SUM),
                    new Figure("workers opened", "opened", Shown.SUM),
                    new Figure("their cost per hour", "costPerHour", Shown.CENTS),
                    NOT_DECIDED,
                    MICROS));
    private final Tally scaling = new Tally(
            "scaling",
            "scaling decisions",
            List.of(
                    new Figure("desired tasks", "desired", Shown.SUM),
                    new Figure("feasible tasks", "feasible", Shown.SUM),
                    new Figure("rescales", "rescales", Shown.SUM),
                    NOT_DECIDED,
                    MICROS));
    private final Tally assignments = new Tally(
            "assignments",
            "assignments",
            List.of(
                    new Figure("slots assigned", "assigned", Shown.SUM),
                    new Figure("slots left", "left", Shown.SUM),
                    NOT_DECIDED,
                    MICROS));
    /** To which a decision was added last. */
    private Tally last = pools;

    private long inputs;
    private long skipped;
    private long lost;
    private long assumed;

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
        last = pools;
        pools.add(
                frame.decision(),
                agree(frame.result().outcome(), made.outcome()),
                figures(frame, frame.result().outcome(), frame.result().micros()),
                figures(frame, made.outcome(), made.micros()),
                made.failures());
    }

    private static double[] figures(DecisionFrame frame, PlanOutcome outcome, long micros) {
        if (outcome instanceof PlanOutcome.Planned planned) {
            double cost = 0;
            for (int spec : planned.newWorkers()) {
                cost += frame.input().specs().get(spec).origin().costPerHour();
            }
            return new double[] {
                planned.runs().slots(),
                planned.reasons().size(),
                planned.newWorkers().size(),
                cost,
                0,
                micros
            };
        }
        return new double[] {0, 0, 0, 0, 1, micros};
    }

    /** Whether both place the same slots on the same workers, open the same ones, and ask for the same slots. */
    private static boolean agree(PlanOutcome one, PlanOutcome other) {
        return one instanceof PlanOutcome.Planned first
                && other instanceof PlanOutcome.Planned second
                && PlannedSlots.of(first).equals(PlannedSlots.of(second));
    }

    void add(ScalingFrame frame, DetachedAnswer<ScalingOutcome> made) {
        assumed += made.assumed() ? 1 : 0;
        last = scaling;
        scaling.add(
                frame.decision(),
                agree(frame.outcome(), made.outcome()),
                figures(frame.outcome(), frame.micros()),
                figures(made.outcome(), made.micros()),
                made.failures());
    }

    private static double[] figures(ScalingOutcome outcome, long micros) {
        if (outcome instanceof ScalingOutcome.Decided decided) {
            return new double[] {
                tasks(decided.desired()),
                tasks(decided.feasible().parallelism().orElse(List.of())),
                decided.accepted() ? 1 : 0,
                0,
                micros
            };
        }
        return new double[] {0, 0, 0, 1, micros};
    }

    private static long tasks(List<Integer> parallelism) {
        return parallelism.stream().mapToLong(Integer::longValue).sum();
    }

    /** Whether both desire the same parallelism, find the same feasible one, and rescale alike. */
    private static boolean agree(ScalingOutcome one, ScalingOutcome other) {
        return one instanceof ScalingOutcome.Decided first
                && other instanceof ScalingOutcome.Decided second
                && PlannedScaling.of(first).equals(PlannedScaling.of(second));
    }

    void add(AssignmentFrame frame, DetachedAnswer<AssignmentOutcome> made) {
        last = assignments;
        assignments.add(
                frame.decision(),
                agree(frame.outcome(), made.outcome()),
                figures(frame.outcome(), frame.micros()),
                figures(made.outcome(), made.micros()),
                made.failures());
    }

    private static double[] figures(AssignmentOutcome outcome, long micros) {
        if (outcome instanceof AssignmentOutcome.Assigned assigned) {
            long used = assigned.requirementOfSlot().stream()
                    .filter(requirement -> requirement >= 0)
                    .count();
            return new double[] {used, assigned.requirementOfSlot().size() - used, 0, micros};
        }
        return new double[] {0, 0, 1, micros};
    }

    /** Whether both use each slot for the same requirement. */
    private static boolean agree(AssignmentOutcome one, AssignmentOutcome other) {
        return one instanceof AssignmentOutcome.Assigned first
                && other instanceof AssignmentOutcome.Assigned second
                && first.requirementOfSlot().equals(second.requirementOfSlot());
    }

    /**
     * The result.
     *
     * @param candidate the policy that also decided; empty when decisions were made again
     * @param difference the first decision that is another one
     */
    String text(boolean json, Optional<Candidate> candidate, Optional<String> difference) {
        return json ? json(candidate, difference) : table(candidate, difference);
    }

    private List<Tally> tallies(Optional<Candidate> candidate) {
        List<Tally> all = new ArrayList<>();
        if (candidate.isEmpty() || candidate.get().decidesPools()) {
            all.add(pools);
        }
        if (candidate.isEmpty() || candidate.get().decidesScaling()) {
            all.add(scaling);
        }
        if (candidate.isEmpty() || candidate.get().decidesAssignments()) {
            all.add(assignments);
        }
        return all;
    }

    private String table(Optional<Candidate> candidate, Optional<String> difference) {
        StringBuilder text = new StringBuilder();
        List<Tally> shown = tallies(candidate);
        difference.ifPresent(first -> text.append(first).append('\n'));
        for (Tally tally : shown) {
            if (candidate.isPresent()) {
                text.append(tally.agreement(candidate.get().toString()));
            } else if (difference.isPresent()) {
                text.append(tally.decisions() - (tally == last ? 1 : 0))
                        .append(' ')
                        .append(tally.what())
                        .append(" before it are equal, bit by bit\n");
            } else {
                text.append(tally.decisions())
                        .append(' ')
                        .append(tally.what())
                        .append(tally == pools ? " on " + inputs + " inputs" : "")
                        .append(" were made again: all are equal, bit by bit\n");
            }
        }
        for (Tally tally : shown) {
            text.append(tally.table(candidate.map(Candidate::name).orElse("again")));
        }
        if (assumed > 0) {
            text.append("in ")
                    .append(assumed)
                    .append(" of them the policy led to a parallelism for which the network memory was not recorded; it"
                            + " was taken as enough\n");
        }
        if (lost > 0) {
            text.append(lost).append(" decisions were not recorded\n");
        }
        if (skipped > 0) {
            text.append(skipped).append(" inputs were skipped, because the state before them is not in the file\n");
        }
        return text.toString();
    }

    private String json(Optional<Candidate> candidate, Optional<String> difference) {
        List<String> members = new ArrayList<>();
        members.add(
                "\"policy\": " + JsonText.quoted(candidate.map(Candidate::name).orElse("")));
        members.add("\"kind\": "
                + JsonText.quoted(candidate.map(one -> one.kind().label()).orElse("")));
        members.add("\"parameters\": "
                + JsonText.quoted(candidate.map(Candidate::parameters).orElseGet(Collections::emptySortedMap)));
        members.add("\"difference\": " + JsonText.quoted(difference.orElse("")));
        members.add("\"inputs\": " + inputs);
        members.add("\"lost\": " + lost);
        members.add("\"skipped\": " + skipped);
        members.add("\"assumed\": " + assumed);
        for (Tally tally : tallies(candidate)) {
            members.add(JsonText.quoted(tally.key()) + ": " + tally.json());
        }
        return "{" + String.join(", ", members) + "}\n";
    }
}
