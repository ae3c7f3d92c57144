package io.berth.core.api.gateway;

import io.berth.spi.WorkerId;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Workers and slots as users see them: all of them, or the page that a {@link ClusterQuery} requests.
 *
 * @param workers in the order of their ids
 * @param slots of these workers, in the same order
 * @param next the last worker of this page, for the next query; empty when no more follow
 * @param workerStates number of all workers by state; only in an answer that begins with the first worker
 * @param slotStates number of all slots by state; only in an answer that begins with the first worker
 * @param pools what each pool has, by name; only in an answer that begins with the first worker
 */
public record ClusterDetails(
        List<WorkerDetails> workers,
        List<SlotDetails> slots,
        Optional<WorkerId> next,
        SortedMap<String, Integer> workerStates,
        SortedMap<String, Integer> slotStates,
        List<PoolFigures> pools) {

    public ClusterDetails {
        workers = List.copyOf(workers);
        slots = List.copyOf(slots);
        workerStates = Collections.unmodifiableSortedMap(new TreeMap<>(workerStates));
        slotStates = Collections.unmodifiableSortedMap(new TreeMap<>(slotStates));
        pools = List.copyOf(pools);
    }

    /** A whole cluster. */
    public ClusterDetails(List<WorkerDetails> workers, List<SlotDetails> slots) {
        this(
                workers,
                slots,
                Optional.empty(),
                numbers(workers.stream().map(WorkerDetails::state)),
                numbers(slots.stream().map(SlotDetails::state)),
                List.of());
    }

    private static SortedMap<String, Integer> numbers(Stream<String> states) {
        SortedMap<String, Integer> numbers = new TreeMap<>();
        states.forEach(state -> numbers.merge(state, 1, Integer::sum));
        return numbers;
    }

    /** These pages followed by a later one. */
    public ClusterDetails followedBy(ClusterDetails later) {
        return new ClusterDetails(
                Stream.concat(workers.stream(), later.workers.stream()).toList(),
                Stream.concat(slots.stream(), later.slots.stream()).toList(),
                later.next,
                workerStates,
                slotStates,
                pools);
    }

    /**
     * What one pool has, with pending workers and without those that are about to end.
     *
     * @param slots that jobs have on its workers, also jobs of other pools
     * @param memoryBytes memory of all kinds
     * @param freeCpuMillis what is not in slots; a worker that is blocked or leaves has none
     * @param specs that backends offer, and whose workers belong to the pool, by backend and name
     */
    public record PoolFigures(
            String pool,
            int workers,
            int slots,
            long cpuMillis,
            long memoryBytes,
            long freeCpuMillis,
            long freeMemoryBytes,
            List<SpecDetails> specs) {

        public PoolFigures {
            specs = List.copyOf(specs);
        }

        /** Of a pool for which no backend offers a spec. */
        public PoolFigures(
                String pool,
                int workers,
                int slots,
                long cpuMillis,
                long memoryBytes,
                long freeCpuMillis,
                long freeMemoryBytes) {
            this(pool, workers, slots, cpuMillis, memoryBytes, freeCpuMillis, freeMemoryBytes, List.of());
        }

        public PoolFigures withSpecs(List<SpecDetails> offered) {
            return new PoolFigures(
                    pool, workers, slots, cpuMillis, memoryBytes, freeCpuMillis, freeMemoryBytes, offered);
        }
    }

    /**
     * A kind of worker that a backend offers.
     *
     * @param total what one worker offers to slots
     * @param slots default slots of one worker
     * @param workers that there are of it, with pending ones
     * @param maximum how many there may be
     * @param costPerHour of one worker, in the operator's currency; 0: not known
     * @param startMillis how long it usually takes until a worker has registered; 0: not known
     * @param startLearnedFrom from how many starts this is known; 0 if the backend says it, or if it is not known
     */
    public record SpecDetails(
            String backend,
            String spec,
            String total,
            int slots,
            int workers,
            int maximum,
            double costPerHour,
            long startMillis,
            int startLearnedFrom) {}

    /**
     * One worker.
     *
     * @param state {@code pending}, {@code registered} or {@code releasing}
     * @param address of its TaskExecutor, empty while pending
     * @param blockedMillis remaining time of an operator's block; 0 when it is not blocked
     * @param blockedReason as the operator gave it; empty when it is not blocked
     * @param leavingReason why it leaves; empty when it does not
     * @param leavingMillis time left until it leaves; -1 without a deadline, and when it does not leave
     * @param queuedReason what the cluster manager says about its request, which it has queued; empty when it has not
     * @param queuedMillis for how long it has queued requests for workers of this spec; 0 when it has not
     * @param pool that it belongs to
     * @param costPerHour what it costs, in the operator's currency; 0: not known
     * @param results how many stored results it keeps for jobs
     */
    public record WorkerDetails(
            String id,
            String state,
            String backend,
            String spec,
            String address,
            String total,
            String free,
            int slots,
            long registeredMillis,
            long lastHeartbeatAgeMillis,
            SortedMap<String, String> labels,
            SortedMap<String, String> taints,
            long blockedMillis,
            String blockedReason,
            String leavingReason,
            long leavingMillis,
            String queuedReason,
            long queuedMillis,
            String pool,
            double costPerHour,
            int results) {

        /** A worker of the default pool and of unknown cost that is not blocked, does not leave and is not queued. */
        public WorkerDetails(
                String id,
                String state,
                String backend,
                String spec,
                String address,
                String total,
                String free,
                int slots,
                long registeredMillis,
                long lastHeartbeatAgeMillis,
                SortedMap<String, String> labels) {
            this(
                    id,
                    state,
                    backend,
                    spec,
                    address,
                    total,
                    free,
                    slots,
                    registeredMillis,
                    lastHeartbeatAgeMillis,
                    labels,
                    Collections.emptySortedMap(),
                    0,
                    "",
                    "",
                    -1,
                    "",
                    0,
                    "default",
                    0,
                    0);
        }

        public WorkerDetails {
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
            taints = Collections.unmodifiableSortedMap(new TreeMap<>(taints));
        }
    }

    /**
     * One allocated slot.
     *
     * @param state {@code pending}: requested from the worker, or {@code allocated}
     */
    public record SlotDetails(
            String allocation,
            String worker,
            String job,
            String unit,
            String group,
            String profile,
            String state,
            long decision) {}
}
