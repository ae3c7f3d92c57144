package io.berth.simulator.recovery;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.job.Waiting;
import io.berth.simulator.world.Worker;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Checks the reasons of jobs at rest (invariant P8, oracle X): a slot that no worker can hold is explained by its
 * dimension, missing room as such, and a running job has no reason, whatever it had before.
 */
final class Explained {

    private static final List<ReasonCode> NO_ROOM = List.of(
            ReasonCode.FULL, ReasonCode.POOL_LIMIT, ReasonCode.NO_CPU, ReasonCode.NO_MEMORY, ReasonCode.LEAVING);

    private Explained() {}

    /** The sizes of the groups of a job. */
    static SortedMap<String, ResourceProfile> sizes(JobGraph graph) {
        SortedMap<String, ResourceProfile> sizes = new TreeMap<>();
        for (SlotSharingGroup group : graph.groups()) {
            sizes.put(group.name(), group.profile());
        }
        return sizes;
    }

    /** The constraints of a job, the same for all groups. */
    static PlacementConstraints constraints(JobGraph graph) {
        return graph.groups().get(0).constraints();
    }

    /** What is wrong with the status of a running job. */
    static Optional<String> running(JobDetails job) {
        return job.waiting().equals(Waiting.NOT)
                ? Optional.empty()
                : Optional.of("X: job " + job.id() + " is " + job.status() + " and says that it waits: "
                        + job.waiting().current().lines());
    }

    /**
     * What is wrong with the reason of a job that waits and finds no room.
     *
     * @param pool the room of its pool
     * @param excludes whether there are workers that the constraints of the job exclude
     */
    static Optional<String> waiting(JobDetails job, JobGraph graph, FreeRoom pool, boolean excludes) {
        Reason why = job.waiting().current();
        SortedMap<String, ResourceProfile> sizes = sizes(graph);
        List<ReasonCode> right = new ArrayList<>();
        int lacking = 0;
        for (JobDetails.GroupDetails group : job.groups()) {
            if (group.acquired() < group.desired()) {
                lacking++;
                tooLarge(Objects.requireNonNull(sizes.get(group.name()))).ifPresent(right::add);
            }
        }
        boolean tooLarge = !right.isEmpty() && pool.hasWorkers();
        if (!tooLarge) {
            right.addAll(NO_ROOM);
            if (lacking > 1) {
                right.add(ReasonCode.NOT_PLACED);
            }
        }
        if (!pool.hasWorkers()) {
            right.add(ReasonCode.NO_WORKERS);
        }
        if (excludes) {
            right.add(ReasonCode.CONSTRAINTS);
        }
        if (constraints(graph).spread().isPresent()) {
            // There may be room where it would be uneven.
            right.add(ReasonCode.NOT_PLACED);
        }
        // Of workers that are all excluded, the size does not matter.
        boolean said = right.contains(why.code())
                && (!tooLarge || why.code() == ReasonCode.CONSTRAINTS || names(why, ReasonCode.TOO_LARGE));
        return said
                ? Optional.empty()
                : Optional.of("X: job " + job.id() + " waits because of " + right
                        + (tooLarge ? ", too large for any" + " worker," : "") + " and says " + why.lines());
    }

    /** The reason code for what the largest worker has too little of; empty when it can hold the slot. */
    private static Optional<ReasonCode> tooLarge(ResourceProfile slot) {
        if (Worker.TOTAL.covers(slot)) {
            return Optional.empty();
        }
        boolean cpu = slot.cpuMillis() > Worker.TOTAL.cpuMillis();
        boolean memory = slot.heapBytes() > Worker.TOTAL.heapBytes();
        return Optional.of(
                cpu && memory
                        ? ReasonCode.FULL
                        : cpu ? ReasonCode.NO_CPU : memory ? ReasonCode.NO_MEMORY : ReasonCode.NO_RESOURCE);
    }

    private static boolean names(Reason reason, ReasonCode code) {
        return reason.code() == code || reason.causes().stream().anyMatch(cause -> names(cause, code));
    }
}
