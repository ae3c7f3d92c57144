package io.berth.benchmark.decision;

import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanOutcome.Planned;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;

/**
 * The owner of a pool's state, as far as its planner sees it: tells workers and demands and asks for decisions. A job is
 * one unit with one group for each profile it wants something of; its minimum is 0, so that each slot is admitted by
 * itself and a workload that does not fit shows how much of it does. One thread.
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

    /** @param matching the strategy that is to decide */
    public Pool(Policies policies, String matching) {
        this(policies, matching, () -> {});
    }

    /** @param changed called on any thread when others decide */
    Pool(Policies policies, String matching, Runnable changed) {
        this.planner = policies.host().openPlanner("default", MatchingRule.EXACT, changed);
        this.matching = matching;
    }

    /** To be told with the next input. */
    public void worker(int index, ResourceProfile total, ResourceProfile free, ResourceProfile defaultSlot) {
        workers.add(new WorkerChange(
                index,
                Optional.of(new WorkerColumn(
                        new WorkerId("worker-" + index),
                        false,
                        total,
                        free,
                        defaultSlot,
                        "benchmark",
                        new TreeMap<>()))));
    }

    /** To be told with the next input. */
    public void unit(int index, List<GroupDemand> groups) {
        units.add(new UnitChange(
                index,
                Optional.of(new UnitDemand(
                        new JobId("job-" + index), "all", index, "default", 0, new TreeMap<>(), groups))));
    }

    /** To be told with the next input. */
    void noUnit(int index) {
        units.add(new UnitChange(index, Optional.empty()));
    }

    /** What was told since the last one. */
    public PlanningInput input() {
        PlanningInput input = new PlanningInput(++state, workers, units, List.of());
        workers.clear();
        units.clear();
        return input;
    }

    /**
     * Asks for a decision and waits for it.
     *
     * @throws NotDecidedException when nobody decided, or somebody else than asked for
     */
    public Planned plan(PlanningInput input) {
        PlanOutcome outcome;
        try {
            outcome = planner.plan(input).toCompletableFuture().join();
        } catch (CompletionException failure) {
            throw new IllegalStateException("the planner failed, which it promises not to", failure);
        }
        if (outcome instanceof Planned planned) {
            if (planned.decision() > 0 && !planned.matching().name().equals(matching)) {
                throw new NotDecidedException(planned.matching() + " decided in the place of " + matching);
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
