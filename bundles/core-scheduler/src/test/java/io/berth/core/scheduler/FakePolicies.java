package io.berth.core.scheduler;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.api.policy.ScalingAdvisor;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Scales each vertex to the slots of its group, up to its desired parallelism; assigns slots in order. */
final class FakePolicies implements PolicyHost {

    private static final PolicyIdentity IDENTITY =
            new PolicyIdentity(PolicyKind.SCALING, "fake", "fake", "1.0.0", 1, 1);

    boolean decides = true;
    Runnable changed = () -> {};
    final AtomicInteger open = new AtomicInteger();
    final List<AssignmentQuery> assignments = new ArrayList<>();

    @Override
    public PlacementPlanner openPlanner(
            String pool, MatchingRule rule, Supplier<LedgerState> ledger, Runnable whenChanged) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScalingAdvisor openScaling(JobGraph job, Runnable whenChanged) {
        changed = whenChanged;
        open.incrementAndGet();
        return new ScalingAdvisor() {
            @Override
            public CompletionStage<ScalingOutcome> decide(ScalingInput input) {
                return CompletableFuture.completedFuture(
                        decides ? decision(job, input) : new ScalingOutcome.NotDecided("no scaling policy"));
            }

            @Override
            public void close() {
                open.decrementAndGet();
                changed = () -> {};
            }
        };
    }

    private static ScalingAdvisor.ScalingOutcome decision(JobGraph job, ScalingAdvisor.ScalingInput input) {
        List<String> groups = job.groups().stream().map(JobGraph.SlotSharingGroup::name).toList();
        List<Integer> desired = Requirements.desired(job);
        List<Integer> planned = new ArrayList<>();
        for (int vertex = 0; vertex < desired.size(); vertex++) {
            int slots = input.slots().get(groups.indexOf(job.vertices().get(vertex).group()));
            planned.add(Math.min(desired.get(vertex), slots));
        }
        boolean rescale = !planned.equals(input.current());
        return new ScalingAdvisor.ScalingOutcome.Decided(1, IDENTITY, desired, planned, rescale, "as many as fit");
    }

    @Override
    public CompletionStage<AssignmentOutcome> assign(AssignmentQuery query) {
        assignments.add(query);
        int[] left = query.requirements().stream()
                .mapToInt(AssignmentQuery.Requirement::count)
                .toArray();
        List<Integer> result = new ArrayList<>();
        for (AssignmentQuery.Slot slot : query.slots()) {
            int chosen = -1;
            for (int index = 0; index < left.length; index++) {
                boolean fits = query.requirements().get(index).profile().equals(slot.profile());
                if (left[index] > 0 && fits && (chosen < 0 || index == slot.allocatedFor())) {
                    chosen = index;
                }
            }
            if (chosen >= 0) {
                left[chosen]--;
            }
            result.add(chosen);
        }
        return CompletableFuture.completedFuture(new AssignmentOutcome.Assigned(1, IDENTITY, result));
    }
}
