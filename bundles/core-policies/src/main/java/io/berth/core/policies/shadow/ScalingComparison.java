package io.berth.core.policies.shadow;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome.Decided;
import io.berth.core.policies.detached.PlannedScaling;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a scaling decision and that of a shadow have in common. The reasons do not count. */
final class ScalingComparison {

    private final JobGraph job;
    private final PlannedScaling decided;
    private final PlannedScaling shadowed;

    ScalingComparison(JobGraph job, Decided decided, Decided shadowed) {
        this.job = job;
        this.decided = PlannedScaling.of(decided);
        this.shadowed = PlannedScaling.of(shadowed);
    }

    /** The differences, for people; empty when both agree. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (decided.equals(shadowed)) {
            return lines;
        }
        add(lines, "desires ", decided.desired(), shadowed.desired());
        Optional<List<Integer>> before = decided.feasible();
        Optional<List<Integer>> after = shadowed.feasible();
        if (before.isPresent() && after.isPresent()) {
            add(lines, "can run ", before.get(), after.get());
        } else if (before.isPresent() || after.isPresent()) {
            lines.add(after.isPresent() ? "can run now, which was not possible" : "cannot run now, which was possible");
        }
        if (shadowed.accepted() != decided.accepted()) {
            lines.add(
                    shadowed.accepted() ? "rescales now, which was not done" : "does not rescale now, which was done");
        }
        return lines;
    }

    private void add(List<String> lines, String verb, List<Integer> before, List<Integer> after) {
        for (int vertex = 0; vertex < job.vertices().size(); vertex++) {
            if (!before.get(vertex).equals(after.get(vertex))) {
                lines.add(verb + after.get(vertex) + " subtasks of vertex "
                        + job.vertices().get(vertex).name() + " instead of " + before.get(vertex));
            }
        }
    }
}
