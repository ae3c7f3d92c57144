package io.berth.core.api.gateway;

import io.berth.core.api.gateway.TaskExecutorGateway.SlotPurpose;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.spi.AllocationId;
import java.util.AbstractList;
import java.util.RandomAccess;

/**
 * Slot requests stored in columns. Each request object is created when it is read, because a ResourceManager may
 * request millions of slots.
 */
final class SlotRequestColumns extends AbstractList<SlotRequest> implements RandomAccess {

    private final AllocationId[] allocations;
    private final SlotPurpose[] purposes;

    SlotRequestColumns(AllocationId[] allocations, SlotPurpose[] purposes) {
        if (allocations.length != purposes.length) {
            throw new IllegalArgumentException(allocations.length + " allocations have " + purposes.length
                    + " purposes: the numbers must be equal");
        }
        this.allocations = allocations;
        this.purposes = purposes;
    }

    @Override
    public SlotRequest get(int index) {
        return purposes[index].request(allocations[index]);
    }

    @Override
    public int size() {
        return allocations.length;
    }
}
