package io.berth.core.api.policy;

import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.WorkerLabels;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The changes since the planner's last input, which the planner applies to its state. The first input is a snapshot.
 *
 * @param stateNumber number of the owner's state, which grows with each input
 * @param workers changed workers by index
 * @param units changed units by index
 * @param specs all kinds of workers that can be started now; replaces the previous list
 */
public record PlanningInput(
        long stateNumber, List<WorkerChange> workers, List<UnitChange> units, List<SpecColumn> specs) {

    public PlanningInput {
        workers = List.copyOf(workers);
        units = List.copyOf(units);
        specs = List.copyOf(specs);
    }

    private static SortedMap<String, String> copy(SortedMap<String, String> labels) {
        return labels.isEmpty()
                ? Collections.emptySortedMap()
                : Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /** The worker at an index; empty when it is gone. The owner assigns indexes and may reuse them. */
    public record WorkerChange(int index, Optional<WorkerColumn> worker) {}

    /**
     * Where a worker comes from.
     *
     * @param spec name of the spec that it was started for; empty for none
     * @param costPerHour 0: not known
     */
    public record Origin(String backend, String spec, double costPerHour) {

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

        /**
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
        }

        private WorkerColumn(WorkerColumn same, ResourceProfile free) {
            id = same.id;
            pending = same.pending;
            total = same.total;
            this.free = free;
            defaultSlot = same.defaultSlot;
            origin = same.origin;
            labels = same.labels;
        }

        /** The same worker with other free resources. */
        public WorkerColumn withFree(ResourceProfile nowFree) {
            return new WorkerColumn(this, nowFree);
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
                    && labels.equals(that.labels);
        }

        @Override
        public int hashCode() {
            return Objects.hash(id, pending, total, free, defaultSlot, origin, labels);
        }

        @Override
        public String toString() {
            return "WorkerColumn[id=" + id + ", pending=" + pending + ", total=" + total + ", free=" + free
                    + ", defaultSlot=" + defaultSlot + ", origin=" + origin + ", labels=" + labels + "]";
        }
    }

    /** The unit at an index; empty when it is gone. The owner assigns indexes and may reuse them. */
    public record UnitChange(int index, Optional<UnitDemand> unit) {}

    /** The requirements of one unit of a job, and the slots that it has. */
    public record UnitDemand(
            JobId job,
            String unit,
            long submissionIndex,
            String queue,
            int priority,
            SortedMap<String, String> labels,
            List<GroupDemand> groups) {

        public UnitDemand {
            labels = copy(labels);
            groups = List.copyOf(groups);
        }
    }

    /** Slots of one group; {@code allocated} includes slots that are being requested. */
    public record GroupDemand(
            String group,
            ResourceProfile profile,
            int minimum,
            int desired,
            int allocated,
            PlacementConstraints constraints) {

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
