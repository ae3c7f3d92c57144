package io.berth.core.api.policy;

import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.WorkerLabels;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The changes since the planner's last input, which the planner applies to its state. The first input is a snapshot.
 *
 * @param stateNumber number of the owner's state, which grows with each input
 * @param workers changed workers by index
 * @param units changed units by index
 * @param specs all kinds of workers that can be started now; replaces the previous list
 * @param slots changed slots; empty while the planner does not use them
 */
public record PlanningInput(
        long stateNumber,
        List<WorkerChange> workers,
        List<UnitChange> units,
        List<SpecColumn> specs,
        SlotChanges slots) {

    public PlanningInput {
        workers = List.copyOf(workers);
        units = List.copyOf(units);
        specs = List.copyOf(specs);
    }

    /** Without slots. */
    public PlanningInput(long stateNumber, List<WorkerChange> workers, List<UnitChange> units, List<SpecColumn> specs) {
        this(stateNumber, workers, units, specs, SlotChanges.NONE);
    }

    /** Slots of jobs. */
    public record SlotChanges(Listing listing, List<SlotChange> changes) {

        public static final SlotChanges NONE = new SlotChanges(Listing.NONE, List.of());

        /** What is listed. */
        public enum Listing {
            /** Nothing: the planner knows no slots. */
            NONE,
            /** All slots. */
            ALL,
            /** Those that changed since the last input. */
            CHANGED
        }

        public SlotChanges {
            changes = List.copyOf(changes);
        }
    }

    /** The slot of an allocation; empty when it is gone. */
    public record SlotChange(AllocationId allocation, Optional<SlotColumn> slot) {}

    /**
     * One slot that a job has.
     *
     * @param unit that it was allocated for, as is the {@code group}
     * @param worker index of its worker
     * @param sinceMillis by the owner's clock
     */
    public record SlotColumn(
            JobId job, String unit, String group, int worker, ResourceProfile profile, long sinceMillis) {}

    /** The worker at an index; empty when it is gone. The owner assigns indexes and may reuse them. */
    public record WorkerChange(int index, Optional<WorkerColumn> worker) {}

    /**
     * Where a worker comes from.
     *
     * @param spec name of the spec that it was started for; empty for none
     * @param costPerHour 0: not known
     * @param preemptible whether its cluster manager may take it away at any time
     */
    public record Origin(String backend, String spec, double costPerHour, boolean preemptible) {

        /** A worker that its cluster manager does not take away. */
        public Origin(String backend, String spec, double costPerHour) {
            this(backend, spec, costPerHour, false);
        }

        /** The same at another cost. */
        public Origin withCostPerHour(double cost) {
            return cost == costPerHour ? this : new Origin(backend, spec, cost, preemptible);
        }

        /** A worker without a spec. */
        public static Origin of(String backend) {
            return new Origin(backend, "", 0);
        }
    }

    /** One worker. Immutable; a changed copy shares the unchanged parts. */
    public static final class WorkerColumn {

        private final WorkerId id;
        private final boolean pending;
        private final ResourceProfile total;
        private final ResourceProfile free;
        private final ResourceProfile defaultSlot;
        private final Origin origin;
        private final WorkerLabels labels;
        private final long startedMillis;
        private final long leavingMillis;

        /**
         * One whose time of registration is not known.
         *
         * @param pending whether the worker was requested but has not registered yet
         * @param total total resources; {@code free}: free resources
         * @param defaultSlot resources that a slot of unknown profile takes
         */
        public WorkerColumn(
                WorkerId id,
                boolean pending,
                ResourceProfile total,
                ResourceProfile free,
                ResourceProfile defaultSlot,
                Origin origin,
                WorkerLabels labels) {
            this.id = id;
            this.pending = pending;
            this.total = total;
            this.free = free;
            this.defaultSlot = defaultSlot;
            this.origin = origin;
            this.labels = labels;
            this.startedMillis = 0;
            this.leavingMillis = 0;
        }

        private WorkerColumn(WorkerColumn same, ResourceProfile free, long startedMillis, long leavingMillis) {
            id = same.id;
            pending = same.pending;
            total = same.total;
            this.free = free;
            defaultSlot = same.defaultSlot;
            origin = same.origin;
            labels = same.labels;
            this.startedMillis = startedMillis;
            this.leavingMillis = leavingMillis;
        }

        /** The same worker with other free resources. */
        public WorkerColumn withFree(ResourceProfile nowFree) {
            return new WorkerColumn(this, nowFree, startedMillis, leavingMillis);
        }

        /** The same worker, whose process started at a wall-clock time. */
        public WorkerColumn startedAt(long wallMillis) {
            return new WorkerColumn(this, free, wallMillis, leavingMillis);
        }

        /** The same worker, leaving at a wall-clock time; 0: it stays, {@link Long#MAX_VALUE}: without a deadline. */
        public WorkerColumn leavingAt(long wallMillis) {
            return new WorkerColumn(this, free, startedMillis, wallMillis);
        }

        /** Wall-clock time at which its process started; 0: it did not, or the time is not known. */
        public long startedMillis() {
            return startedMillis;
        }

        /** Wall-clock time at which it leaves; 0: it stays, {@link Long#MAX_VALUE}: it leaves without a deadline. */
        public long leavingMillis() {
            return leavingMillis;
        }

        public WorkerId id() {
            return id;
        }

        public boolean pending() {
            return pending;
        }

        public ResourceProfile total() {
            return total;
        }

        public ResourceProfile free() {
            return free;
        }

        public ResourceProfile defaultSlot() {
            return defaultSlot;
        }

        public Origin origin() {
            return origin;
        }

        public WorkerLabels labels() {
            return labels;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof WorkerColumn that
                    && pending == that.pending
                    && id.equals(that.id)
                    && total.equals(that.total)
                    && free.equals(that.free)
                    && defaultSlot.equals(that.defaultSlot)
                    && origin.equals(that.origin)
                    && labels.equals(that.labels)
                    && startedMillis == that.startedMillis
                    && leavingMillis == that.leavingMillis;
        }

        @Override
        public int hashCode() {
            return Objects.hash(id, pending, total, free, defaultSlot, origin, labels, startedMillis, leavingMillis);
        }

        @Override
        public String toString() {
            return "WorkerColumn[id=" + id + ", pending=" + pending + ", total=" + total + ", free=" + free
                    + ", defaultSlot=" + defaultSlot + ", origin=" + origin + ", labels=" + labels
                    + ", startedMillis="
                    + startedMillis + ", leavingMillis=" + leavingMillis + "]";
        }
    }

    /** The unit at an index; empty when it is gone. The owner assigns indexes and may reuse them. */
    public record UnitChange(int index, Optional<UnitDemand> unit) {}

    /**
     * The requirements of one unit of a job, and the slots that it has.
     *
     * @param returnable whether the job may be asked to return slots of the unit now
     * @param lastRescaleMillis what the last rescale cost the job; empty: not known
     */
    public record UnitDemand(
            JobId job,
            String unit,
            long submissionIndex,
            SchedulingAttributes attributes,
            List<GroupDemand> groups,
            boolean returnable,
            OptionalLong lastRescaleMillis) {

        public UnitDemand {
            groups = List.copyOf(groups);
        }

        /** One that may be asked to return slots, of a job that has not rescaled. */
        public UnitDemand(
                JobId job,
                String unit,
                long submissionIndex,
                SchedulingAttributes attributes,
                List<GroupDemand> groups) {
            this(job, unit, submissionIndex, attributes, groups, true, OptionalLong.empty());
        }
    }

    /**
     * Slots of one group.
     *
     * @param allocated includes slots that are being requested
     * @param formerWorkers on which the group had slots before
     * @param slotsOn how many of the allocated slots are on which worker, by its index; only of a group whose slots are
     *     spread
     * @param returning how many of the allocated slots the job was asked to return and has not returned yet
     */
    public record GroupDemand(
            String group,
            ResourceProfile profile,
            int minimum,
            int desired,
            int allocated,
            PlacementConstraints constraints,
            Set<WorkerId> formerWorkers,
            SortedMap<Integer, Integer> slotsOn,
            int returning) {

        private static final SortedMap<Integer, Integer> NOT_SPREAD = Collections.emptySortedMap();

        public GroupDemand {
            formerWorkers = Set.copyOf(formerWorkers);
            slotsOn = slotsOn.isEmpty() ? NOT_SPREAD : Collections.unmodifiableSortedMap(new TreeMap<>(slotsOn));
        }

        /** Of a group that returns none of its slots. */
        public GroupDemand(
                String group,
                ResourceProfile profile,
                int minimum,
                int desired,
                int allocated,
                PlacementConstraints constraints,
                Set<WorkerId> formerWorkers,
                SortedMap<Integer, Integer> slotsOn) {
            this(group, profile, minimum, desired, allocated, constraints, formerWorkers, slotsOn, 0);
        }

        /** Of a group whose slots are not spread. */
        public GroupDemand(
                String group,
                ResourceProfile profile,
                int minimum,
                int desired,
                int allocated,
                PlacementConstraints constraints,
                Set<WorkerId> formerWorkers) {
            this(group, profile, minimum, desired, allocated, constraints, formerWorkers, NOT_SPREAD);
        }

        /** Of a group that had no slots before. */
        public GroupDemand(
                String group,
                ResourceProfile profile,
                int minimum,
                int desired,
                int allocated,
                PlacementConstraints constraints) {
            this(group, profile, minimum, desired, allocated, constraints, Set.of());
        }

        /** On any worker. */
        public GroupDemand(String group, ResourceProfile profile, int minimum, int desired, int allocated) {
            this(group, profile, minimum, desired, allocated, PlacementConstraints.NONE);
        }
    }

    /**
     * A kind of worker, of which {@code left} more may be started.
     *
     * @param labels what such a worker has when it starts
     * @param startMillis how long a start usually takes; 0: not known
     */
    public record SpecColumn(
            Origin origin,
            ResourceProfile total,
            ResourceProfile defaultSlot,
            int left,
            WorkerLabels labels,
            long startMillis) {

        public String backend() {
            return origin.backend();
        }

        public String spec() {
            return origin.spec();
        }

        /** The same kind with another number of workers that may still be started. */
        public SpecColumn withLeft(int more) {
            return new SpecColumn(origin, total, defaultSlot, more, labels, startMillis);
        }
    }
}
