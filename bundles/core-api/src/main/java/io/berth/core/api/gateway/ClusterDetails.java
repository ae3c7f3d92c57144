package io.berth.core.api.gateway;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Workers and slots as users see them. */
public record ClusterDetails(List<WorkerDetails> workers, List<SlotDetails> slots) {

    public ClusterDetails {
        workers = List.copyOf(workers);
        slots = List.copyOf(slots);
    }

    /**
     * One worker.
     *
     * @param state {@code pending}, {@code registered} or {@code releasing}
     * @param address of its TaskExecutor, empty while pending
     * @param blockedMillis how long an operator lets it take no slots still; 0 when it is not blocked
     * @param blockedReason as the operator gave it; empty when it is not blocked
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
            long blockedMillis,
            String blockedReason) {

        /** One that is not blocked. */
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
                    0,
                    "");
        }

        public WorkerDetails {
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
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
