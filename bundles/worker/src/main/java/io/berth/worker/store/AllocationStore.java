package io.berth.worker.store;

import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import java.io.IOException;
import java.util.List;

/**
 * Stores the allocations of a worker, so that the next process of the same worker offers the same slots (FLIP-201).
 * Methods block and are called one at a time.
 */
public interface AllocationStore {

    /** The allocations of the last write. Unreadable records are left out: those slots are free. */
    List<SlotRequest> load() throws IOException;

    /**
     * Replaces all stored allocations, atomically. When it returns, they survive the process and the machine.
     *
     * @throws IOException when the write failed; the stored allocations are unchanged
     */
    void write(List<SlotRequest> allocations) throws IOException;
}
