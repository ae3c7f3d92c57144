package io.berth.core.policies.cache;

import io.berth.core.api.policy.PlanningInput.SlotColumn;
import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.core.policies.pools.PoolSettings;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a planner knows between two decisions: another planner that restores it goes on as the first one does. What can
 * be computed from it is not part of it. Immutable; shares the rows with the planner, so that taking one costs a
 * reference for each row.
 *
 * @param stateNumber of the owner's last input
 * @param dimensions names of the resources, in the order of their indexes
 * @param notOffered index of the dimension for what nobody offers; -1 when there is none
 * @param leftOut minimums that strategies leave out
 */
public record PoolState(
        long stateNumber,
        List<String> dimensions,
        int notOffered,
        List<WorkerRow> workers,
        List<SpecColumn> specs,
        List<UnitRow> units,
        List<AllocationRow> allocations,
        Queues queues,
        List<LeftOut> leftOut) {

    public PoolState {
        dimensions = List.copyOf(dimensions);
        workers = List.copyOf(workers);
        specs = List.copyOf(specs);
        units = List.copyOf(units);
        allocations = List.copyOf(allocations);
        leftOut = List.copyOf(leftOut);
    }

    /** The worker at an index. */
    public record WorkerRow(int index, int revision, WorkerColumn worker) {}

    /**
     * The unit at an index.
     *
     * @param arrivedMillis monotonic
     * @param sinceMillis since when it has its minimum, or lacks part of it
     */
    public record UnitRow(int index, long arrivedMillis, long sinceMillis, boolean hasMinimum, UnitDemand unit) {}

    /** The slot at an index. */
    public record AllocationRow(int index, AllocationId allocation, SlotColumn slot) {}

    /**
     * A minimum that a strategy leaves out although there is room.
     *
     * @param candidate service id of the strategy
     * @param sinceNanos monotonic
     */
    public record LeftOut(JobId job, String unit, long candidate, long sinceNanos) {}

    /**
     * What queues and submitters used, by their names.
     *
     * @param begun whether the first decision was made
     * @param nowMillis monotonic time of the last change
     * @param former queues that are not configured now
     */
    public record Queues(
            PoolSettings settings,
            int revision,
            boolean begun,
            long nowMillis,
            SortedMap<String, Used> queues,
            SortedMap<String, Used> submitters,
            SortedMap<String, Used> former) {

        public Queues {
            queues = Collections.unmodifiableSortedMap(new TreeMap<>(queues));
            submitters = Collections.unmodifiableSortedMap(new TreeMap<>(submitters));
            former = Collections.unmodifiableSortedMap(new TreeMap<>(former));
        }
    }

    /**
     * What was used up to a moment: amount times seconds.
     *
     * @param atMillis monotonic
     * @param past by dimension
     * @param notOffered by name of the resource
     */
    public record Used(long atMillis, List<Double> past, SortedMap<String, Double> notOffered) {

        public Used {
            past = List.copyOf(past);
            notOffered = Collections.unmodifiableSortedMap(new TreeMap<>(notOffered));
        }
    }
}
