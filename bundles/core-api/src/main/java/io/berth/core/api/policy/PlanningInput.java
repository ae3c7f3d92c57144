package io.berth.core.api.policy;

import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What changed since the planner's last input, which the planner's state then shows. The first input is a snapshot by
 * itself.
 *
 * @param stateNumber of the owner's state, grows with each input
 * @param workers changed workers by index
 * @param units changed units by index
 * @param specs all kinds of worker that can be started now; replaces what was told before
 */
public record PlanningInput(
        long stateNumber, List<WorkerChange> workers, List<UnitChange> units, List<SpecColumn> specs) {

    public PlanningInput {
        workers = List.copyOf(workers);
        units = List.copyOf(units);
        specs = List.copyOf(specs);
    }

    /** A worker, or none any more, at an index that the owner gives out and may reuse. */
    public record WorkerChange(int index, Optional<WorkerColumn> worker) {}

    /**
     * One worker.
     *
     * @param pending whether it was asked for but has not registered yet
     * @param total of it, {@code free} of it
     * @param defaultSlot what an unknown need takes of it
     */
    public record WorkerColumn(
            WorkerId id,
            boolean pending,
            ResourceProfile total,
            ResourceProfile free,
            ResourceProfile defaultSlot,
            String backend,
            SortedMap<String, String> labels) {

        public WorkerColumn {
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        }
    }

    /** A unit, or none any more, at an index that the owner gives out and may reuse. */
    public record UnitChange(int index, Optional<UnitDemand> unit) {}

    /** What one unit of a job declared, and what it has. */
    public record UnitDemand(
            JobId job,
            String unit,
            long submissionIndex,
            String queue,
            int priority,
            SortedMap<String, String> labels,
            List<GroupDemand> groups) {

        public UnitDemand {
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
            groups = List.copyOf(groups);
        }
    }

    /** Slots of one group: {@code have} counts those that are being requested. */
    public record GroupDemand(String group, ResourceProfile profile, int minimum, int desired, int have) {}

    /** A kind of worker: {@code left} more of it may be started. */
    public record SpecColumn(
            String backend, String spec, ResourceProfile total, ResourceProfile defaultSlot, int left) {}
}
