package io.berth.worker;

import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.spi.AllocationId;
import io.berth.worker.store.AllocationStore;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;

/** A disk of the test, and what runs the calls to it: at once, or when the test says so. */
final class FakeAllocationStore implements AllocationStore, Executor {

    List<SlotRequest> kept = List.of();
    Optional<IOException> trouble = Optional.empty();
    boolean held;
    int writes;
    private final Queue<Runnable> calls = new ArrayDeque<>();

    @Override
    public void execute(Runnable call) {
        calls.add(call);
        if (!held) {
            run();
        }
    }

    /** Runs the calls that were held. */
    void run() {
        for (Runnable next = calls.poll(); next != null; next = calls.poll()) {
            next.run();
        }
    }

    List<AllocationId> allocations() {
        return kept.stream().map(SlotRequest::allocation).toList();
    }

    @Override
    public List<SlotRequest> load() throws IOException {
        if (trouble.isPresent()) {
            throw trouble.get();
        }
        return kept;
    }

    @Override
    public void write(List<SlotRequest> allocations) throws IOException {
        writes++;
        if (trouble.isPresent()) {
            throw trouble.get();
        }
        kept = allocations;
    }
}
