package io.berth.simulator.recovery;

import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.simulator.world.Worker;
import io.berth.simulator.world.World;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The room for slots in a world at rest, counted from the tables of its workers. What a job lacks may be missing only
 * when there is no room for it. Slots of other jobs are never taken away, so pieces that are too small stay too small.
 */
final class FreeRoom {

    /** More slots of several sizes than this are not tried in all orders. */
    private static final int MAX_TRIED = 6;

    /** Room on one worker of a pool. */
    private record Piece(ResourceProfile free, WorkerLabels labels, String pool) {}

    private final List<Piece> labeled = new ArrayList<>();
    private final List<ResourceProfile> pieces = new ArrayList<>();

    private FreeRoom() {}

    /** What is free on living workers that stay, and on those that a backend may still start. */
    static FreeRoom of(World world, ClusterDetails cluster) {
        return without(Collections.emptySet(), world, cluster);
    }

    /** The same, as if these jobs held nothing. */
    static FreeRoom without(Set<JobId> jobs, World world, ClusterDetails cluster) {
        FreeRoom room = new FreeRoom();
        SortedMap<String, WorkerLabels> labels = new TreeMap<>();
        cluster.workers()
                .forEach(worker -> labels.put(worker.id(), new WorkerLabels(worker.labels(), worker.taints())));
        SortedSet<String> leaving = new TreeSet<>();
        cluster.workers().stream()
                .filter(worker -> !worker.leavingReason().isEmpty())
                .forEach(worker -> leaving.add(worker.id()));
        for (Worker worker : world.workers()) {
            if (leaving.contains(worker.id().value())) {
                continue;
            }
            WorkerLabels its = labels.getOrDefault(worker.id().value(), WorkerLabels.NONE);
            worker.slots()
                    .ifPresent(
                            report -> room.add(Worker.TOTAL.minus(taken(report, jobs)), its, world.pools.poolOf(its)));
        }
        long started = cluster.workers().stream()
                .filter(worker -> !worker.spec().isEmpty())
                .count();
        for (long more = started; more < world.shape.backendWorkers(); more++) {
            room.add(Worker.TOTAL, world.labels.started(), world.pools.poolOf(world.labels.started()));
        }
        return room;
    }

    static FreeRoom of(List<ResourceProfile> pieces) {
        FreeRoom room = new FreeRoom();
        pieces.forEach(piece -> room.add(piece, WorkerLabels.NONE, PoolDefinition.DEFAULT_NAME));
        return room;
    }

    private void add(ResourceProfile free, WorkerLabels labels, String pool) {
        labeled.add(new Piece(free, labels, pool));
        pieces.add(free);
    }

    private FreeRoom only(Predicate<Piece> wanted) {
        FreeRoom room = new FreeRoom();
        labeled.stream().filter(wanted).forEach(piece -> room.add(piece.free(), piece.labels(), piece.pool()));
        return room;
    }

    /** The room on workers of the pool of a job, the only ones that it may have. */
    FreeRoom of(JobGraph job) {
        return only(piece -> piece.pool().equals(job.attributes().pool()));
    }

    boolean hasWorkers() {
        return !labeled.isEmpty();
    }

    /**
     * The room that the constraints allow. It is none for slots that are spread, because there the slots of other workers
     * decide, too.
     */
    FreeRoom allowedBy(PlacementConstraints constraints) {
        return only(piece -> constraints.spread().isEmpty()
                && constraints.obstacle(piece.labels()).isEmpty());
    }

    private static ResourceProfile taken(SlotReport report, Set<JobId> without) {
        ResourceProfile taken = ResourceProfile.ZERO;
        for (SlotReport.Slot slot : report.slots()) {
            if (!without.contains(slot.job())) {
                taken = taken.plus(slot.profile());
            }
        }
        return taken;
    }

    /** Whether this is a part of the other room only. */
    boolean isLess(FreeRoom all) {
        return pieces.size() < all.pieces.size();
    }

    boolean fits(ResourceProfile slot) {
        return pieces.stream().anyMatch(piece -> piece.covers(slot));
    }

    /** Whether all these slots find room in every order and placement. */
    boolean holdsForSure(SortedMap<String, Integer> counts, SortedMap<String, ResourceProfile> sizes) {
        SortedMap<String, Integer> left = new TreeMap<>(counts);
        left.values().removeIf(count -> count <= 0);
        if (left.size() == 1) {
            int fitting = 0;
            for (ResourceProfile piece : pieces) {
                fitting += quotient(
                        piece,
                        Objects.requireNonNull(Objects.requireNonNull(sizes.get(left.firstKey()))),
                        Objects.requireNonNull(left.get(left.firstKey())));
            }
            return fitting >= Objects.requireNonNull(left.get(left.firstKey()));
        }
        int sum = left.values().stream().mapToInt(Integer::intValue).sum();
        return sum <= MAX_TRIED && !getsStuck(pieces, left, sizes);
    }

    private static int quotient(ResourceProfile piece, ResourceProfile slot, int most) {
        int count = 0;
        for (ResourceProfile rest = piece; count < most && rest.covers(slot); rest = rest.minus(slot)) {
            count++;
        }
        return count;
    }

    /** Whether some way to place the slots one after the other gets stuck before all are placed. */
    private static boolean getsStuck(
            List<ResourceProfile> pieces, SortedMap<String, Integer> left, SortedMap<String, ResourceProfile> sizes) {
        for (String group : left.keySet()) {
            ResourceProfile slot = Objects.requireNonNull(sizes.get(group));
            List<ResourceProfile> tried = new ArrayList<>();
            for (int index = 0; index < pieces.size(); index++) {
                ResourceProfile piece = pieces.get(index);
                if (!piece.covers(slot) || tried.contains(piece)) {
                    continue;
                }
                tried.add(piece);
                List<ResourceProfile> rest = new ArrayList<>(pieces);
                rest.set(index, piece.minus(slot));
                SortedMap<String, Integer> then = new TreeMap<>(left);
                then.merge(group, -1, (count, one) -> count + one == 0 ? null : count + one);
                if (!then.isEmpty() && getsStuck(rest, then, sizes)) {
                    return true;
                }
            }
            if (tried.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return pieces.toString();
    }
}
