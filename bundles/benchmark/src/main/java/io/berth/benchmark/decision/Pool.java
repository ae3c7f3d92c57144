package io.berth.benchmark.decision;

import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanOutcome.Planned;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The owner of a pool's state, as its planner sees it: it describes workers and demands and requests decisions. A job
 * is one unit with one group for each requested profile. The minimum is 0, so that each slot is admitted by itself and
 * a workload that does not fit shows how much of it does. For one thread.
 */
public final class Pool implements AutoCloseable {

    /** No decision was made. */
    public static final class NotDecidedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public NotDecidedException(String message) {
            super(message);
        }
    }

    private final PlacementPlanner planner;
    private final String matching;
    private final List<WorkerChange> workers = new ArrayList<>();
    private final List<UnitChange> units = new ArrayList<>();
    private long state;

    /** @param matching the strategy that must decide */
    public Pool(Policies policies, String matching) {
        this(policies, matching, () -> {});
    }

    /** @param changed called on any thread when another policy decides */
    Pool(Policies policies, String matching, Runnable changed) {
        this(policies, PoolDefinition.DEFAULT_NAME, matching, changed);
    }

    Pool(Policies policies, String pool, String matching, Runnable changed) {
        this.planner = policies.host().openPlanner(pool, MatchingRule.EXACT, changed);
        this.matching = matching;
    }

    /** Part of the next input. */
    public void worker(int index, ResourceProfile total, ResourceProfile free, ResourceProfile defaultSlot) {
        worker(index, total, free, defaultSlot, WorkerLabels.NONE);
    }

    /** The same with labels and taints. */
    public void worker(
            int index, ResourceProfile total, ResourceProfile free, ResourceProfile defaultSlot, WorkerLabels labels) {
        workers.add(new WorkerChange(
                index,
                Optional.of(new WorkerColumn(
                        new WorkerId("worker-" + index),
                        false,
                        total,
                        free,
                        defaultSlot,
                        Origin.of("benchmark"),
                        labels))));
    }

    /** Part of the next input. */
    public void unit(int index, List<GroupDemand> groups) {
        units.add(new UnitChange(
                index,
                Optional.of(new UnitDemand(
                        new JobId("job-" + index), "all", index, SchedulingAttributes.DEFAULT, groups))));
    }

    /** Part of the next input. */
    void noUnit(int index) {
        units.add(new UnitChange(index, Optional.empty()));
    }

    /** The changes since the last input. */
    public PlanningInput input() {
        PlanningInput input = new PlanningInput(++state, workers, units, List.of());
        workers.clear();
        units.clear();
        return input;
    }

    /** Requests a decision. */
    CompletableFuture<PlanOutcome> request(PlanningInput input) {
        return planner.plan(input).toCompletableFuture();
    }

    /**
     * Requests a decision and waits for it.
     *
     * @throws NotDecidedException when no policy decided, or another one than the requested one
     */
    public Planned plan(PlanningInput input) {
        PlanOutcome outcome;
        try {
            outcome = request(input).join();
        } catch (CompletionException failure) {
            throw new IllegalStateException("the planner failed, which it must never do", failure);
        }
        if (outcome instanceof Planned planned) {
            if (planned.decision() > 0 && !planned.matching().name().equals(matching)) {
                throw new NotDecidedException(planned.matching() + " decided instead of " + matching);
            }
            return planned;
        }
        throw new NotDecidedException(((PlanOutcome.NotDecided) outcome).reason());
    }

    @Override
    public void close() {
        planner.close();
    }
}
