package io.berth.worker.slot;

import io.berth.spi.AllocationId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The latest allocations that ended here or were refused: some thousands, which is enough for late messages. Confined
 * to the main thread of the TaskExecutor.
 */
final class FormerAllocations {

    private static final int MAX_COUNT = 4_096;

    private final Map<AllocationId, String> ends = new LinkedHashMap<>();

    void add(AllocationId allocation, String cause) {
        ends.putIfAbsent(allocation, cause);
        if (ends.size() > MAX_COUNT) {
            ends.remove(ends.keySet().iterator().next());
        }
    }

    /** Why that allocation ended; empty when it is unknown. */
    Optional<String> end(AllocationId allocation) {
        return Optional.ofNullable(ends.get(allocation));
    }
}
