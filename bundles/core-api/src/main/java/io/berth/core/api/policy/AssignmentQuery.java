package io.berth.core.api.policy;

import io.berth.core.api.job.PlacementConstraints;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.List;

/** The slots of a job, its requirements, and the matching rule of its pool. */
public record AssignmentQuery(
        JobId job, String pool, MatchingRule rule, long stateNumber, List<Slot> slots, List<Requirement> requirements) {

    public AssignmentQuery {
        slots = List.copyOf(slots);
        requirements = List.copyOf(requirements);
    }

    /**
     * @param allocatedFor index of the requirement that the slot was allocated for, or -1
     * @param constraints of the group that the slot was allocated for; other groups may use it when they have the same
     * @param defaultSlot whether it is a worker's default slot; by the exact rule, only such a slot fulfills an
     *     unknown profile
     */
    public record Slot(
            AllocationId allocation,
            WorkerId worker,
            ResourceProfile profile,
            int allocatedFor,
            boolean defaultSlot,
            PlacementConstraints constraints) {

        /** Of a group without constraints. */
        public Slot(
                AllocationId allocation,
                WorkerId worker,
                ResourceProfile profile,
                int allocatedFor,
                boolean defaultSlot) {
            this(allocation, worker, profile, allocatedFor, defaultSlot, PlacementConstraints.NONE);
        }
    }

    /** {@code count} slots for a group of a unit. */
    public record Requirement(
            String unit, String group, ResourceProfile profile, int count, PlacementConstraints constraints) {

        /** Without constraints. */
        public Requirement(String unit, String group, ResourceProfile profile, int count) {
            this(unit, group, profile, count, PlacementConstraints.NONE);
        }
    }
}
