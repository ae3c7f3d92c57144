package io.berth.core.resources;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.api.policy.ScalingAdvisor;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Opens one planner, again and again, and remembers for which rules. */
final class FakePolicies implements PolicyHost {

    final SimplePlanner planner = new SimplePlanner();
    private final PlacementPlanner opened;
    final List<MatchingRule> rules = new ArrayList<>();
    Runnable changed = () -> {};
    /** The default pool uses {@link #planner}. */
    final SortedMap<String, SimplePlanner> planners = new TreeMap<>();

    List<PoolDefinition> pools = List.of(PoolDefinition.DEFAULT);

    FakePolicies() {
        opened = planner;
    }

    FakePolicies(PlacementPlanner other) {
        opened = other;
    }

    @Override
    public PlacementPlanner openPlanner(
            String pool, MatchingRule rule, Supplier<LedgerState> ledger, Runnable policiesChanged) {
        rules.add(rule);
        if (!pool.equals(PoolDefinition.DEFAULT_NAME)) {
            return planners.compute(pool, (name, before) -> new SimplePlanner());
        }
        changed = policiesChanged;
        return opened;
    }

    @Override
    public List<PoolDefinition> poolDefinitions() {
        return pools;
    }

    @Override
    public ScalingAdvisor openScaling(JobGraph job, Runnable policiesChanged) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<AssignmentOutcome> assign(AssignmentQuery query) {
        throw new UnsupportedOperationException();
    }
}
