package io.berth.core.api.gateway;

import io.berth.core.api.gateway.TaskExecutorGateway.SlotPurpose;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.spi.AllocationId;
import java.util.AbstractList;
import java.util.RandomAccess;

/** Requests in columns, each made when somebody looks: a ResourceManager asks for millions of slots, and keeps none. */
final class SlotRequestColumns extends AbstractList<SlotRequest> implements RandomAccess {

    private final AllocationId[] allocations;
    private final SlotPurpose[] purposes;

    SlotRequestColumns(AllocationId[] allocations, SlotPurpose[] purposes) {
        if (allocations.length != purposes.length) {
            throw new IllegalArgumentException(
                    allocations.length + " allocations have " + purposes.length + " purposes: one for each is needed");
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
