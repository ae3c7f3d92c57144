package io.berth.worker.store;

import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import java.io.IOException;
import java.util.List;

/**
 * Where a worker keeps its allocations, so that a process that is started again in their place offers the same ones
 * (FLIP-201). Methods block and are called one after the other.
 */
public interface AllocationStore {

    /** What was written last. What cannot be read is left out: those slots are free. */
    List<SlotRequest> load() throws IOException;

    /**
     * Takes the place of all that was written before, as a whole or not at all. When it returns, the allocations outlive
     * the process and the machine.
     *
     * @throws IOException tells what is wrong; the allocations are as before
     */
    void write(List<SlotRequest> allocations) throws IOException;
}
