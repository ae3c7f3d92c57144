package io.berth.core.resources.explanation;

import io.berth.core.api.job.GroupRoom;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.backends.WorkerDemand;
import io.berth.core.resources.state.JobEntry;
import io.berth.core.resources.state.RequirementLedger;
import io.berth.core.resources.state.UnitEntry;
import io.berth.core.resources.state.UnitGroup;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many more slots the groups of jobs could get, for the scaling policies of their JobMasters. All jobs that need the
 * same in a pool share one pass over the kinds of its workers, on another thread. Confined to the main thread.
 */
public final class JobRooms {

    /** What is counted for one pool at a time, at most. What else jobs need is not known. */
    static final int MAX_NEEDS = 256;

    private static final Logger LOG = LoggerFactory.getLogger(JobRooms.class);

    /** What the queues of a pool may still use. */
    @FunctionalInterface
    public interface QueueRooms {

        /** By resource; a resource that is missing is not limited. Empty if the use is not known. */
        Optional<SortedMap<String, Long>> of(String pool, String queue);
    }

    private record Counted(long free, long startable) {}

    private final MainThread mainThread;
    private final Executor analyses;
    private final WorkerKinds kinds;
    private final RequirementLedger ledger;
    private final WorkerDemand backends;
    private final QueueRooms queues;
    /** By pool. */
    private Map<String, Map<SlotNeed, Counted>> counted = Map.of();

    private boolean running;

    JobRooms(
            MainThread mainThread,
            Executor analyses,
            WorkerKinds kinds,
            RequirementLedger ledger,
            WorkerDemand backends,
            QueueRooms queues) {
        this.mainThread = mainThread;
        this.analyses = analyses;
        this.kinds = kinds;
        this.ledger = ledger;
        this.backends = backends;
        this.queues = queues;
    }

    /** Counts again. What was counted last is valid until then. */
    public void refresh() {
        mainThread.assertCurrent();
        if (running) {
            return;
        }
        SortedMap<String, Set<SlotNeed>> needs = new TreeMap<>();
        for (JobEntry job : ledger.all()) {
            if (job.master().isPresent()) {
                Set<SlotNeed> ofPool = needs.computeIfAbsent(job.pool().name(), pool -> new LinkedHashSet<>());
                for (UnitEntry unit : job.units.values()) {
                    for (UnitGroup group : unit.groups()) {
                        if (ofPool.size() < MAX_NEEDS) {
                            ofPool.add(SlotNeed.of(group.requirement()));
                        }
                    }
                }
            }
        }
        if (needs.isEmpty()) {
            counted = Map.of();
            return;
        }
        SortedMap<String, ClusterCapacity> capacities = new TreeMap<>();
        needs.keySet().forEach(pool -> capacities.put(pool, kinds.capacity(pool, backends)));
        running = true;
        mainThread.whenComplete(
                CompletableFuture.supplyAsync(() -> count(needs, capacities), analyses), (counts, failure) -> {
                    running = false;
                    if (failure == null) {
                        counted = counts;
                    } else {
                        LOG.error("the analysis of the room for jobs failed", failure);
                    }
                });
    }

    /** Runs on a thread for analyses. */
    private static Map<String, Map<SlotNeed, Counted>> count(
            SortedMap<String, Set<SlotNeed>> needs, SortedMap<String, ClusterCapacity> capacities) {
        Map<String, Map<SlotNeed, Counted>> counts = new HashMap<>();
        capacities.forEach((pool, capacity) -> {
            Map<SlotNeed, Counted> ofPool = new HashMap<>();
            for (SlotNeed need : needs.getOrDefault(pool, Set.of())) {
                RoomAnalysis room = RoomAnalysis.of(capacity, need);
                ofPool.put(need, new Counted(room.free(), room.startable()));
            }
            counts.put(pool, ofPool);
        });
        return counts;
    }

    /** What was counted last for the groups of a job. Those are missing that were not counted yet. */
    public List<GroupRoom> of(JobEntry job) {
        mainThread.assertCurrent();
        Map<SlotNeed, Counted> ofPool = counted.getOrDefault(job.pool().name(), Map.of());
        if (ofPool.isEmpty()) {
            return List.of();
        }
        Optional<SortedMap<String, Long>> limits =
                queues.of(job.pool().name(), job.attributes().queue());
        List<GroupRoom> rooms = new ArrayList<>();
        for (UnitEntry unit : job.units.values()) {
            for (UnitGroup group : unit.groups()) {
                Counted room = ofPool.get(SlotNeed.of(group.requirement()));
                if (room != null) {
                    rooms.add(new GroupRoom(
                            group.requirement().group(),
                            room.free(),
                            room.startable(),
                            limits.flatMap(
                                    left -> slots(left, group.requirement().profile()))));
                }
            }
        }
        return rooms;
    }

    /** Of a size that is not known, nobody can say how many slots a limit allows. */
    private static Optional<Long> slots(SortedMap<String, Long> left, ResourceProfile slot) {
        long slots = Long.MAX_VALUE;
        for (Map.Entry<String, Long> limit : left.entrySet()) {
            long need = amount(slot, limit.getKey());
            slots = need > 0 ? Math.min(slots, limit.getValue() / need) : slots;
        }
        return slot.isUnknown() || slots == Long.MAX_VALUE ? Optional.empty() : Optional.of(slots);
    }

    private static long amount(ResourceProfile slot, String resource) {
        return switch (resource) {
            case "cpu" -> slot.cpuMillis();
            case "heap" -> slot.heapBytes();
            case "off-heap" -> slot.offHeapBytes();
            case "managed" -> slot.managedBytes();
            default -> slot.extended().getOrDefault(resource, 0L);
        };
    }
}
