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

/** Keeps allocations in memory. It runs the calls to the store at once, or in {@link #run()} if {@code held} is set. */
final class FakeAllocationStore implements AllocationStore, Executor {

    List<SlotRequest> kept = List.of();
    Optional<IOException> failure = Optional.empty();
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
        if (failure.isPresent()) {
            throw failure.get();
        }
        return kept;
    }

    @Override
    public void write(List<SlotRequest> allocations) throws IOException {
        writes++;
        if (failure.isPresent()) {
            throw failure.get();
        }
        kept = allocations;
    }
}
