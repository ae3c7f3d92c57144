package io.berth.worker.store;

import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.time.MainThread;
import io.berth.spi.WorkerId;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the stored allocations up to date. One write at a time; changes during a write go into the next one together.
 * A failed write that nobody waits for is retried. Confined to the main thread of the TaskExecutor; the store is
 * called on the file executor only.
 */
public final class KeptAllocations {

    private static final Logger LOG = LoggerFactory.getLogger(KeptAllocations.class);
    private static final long RETRY_MILLIS = 5_000;

    private final WorkerId worker;
    private final AllocationStore store;
    private final Executor files;
    private final MainThread mainThread;
    private final Supplier<List<SlotRequest>> current;
    private Optional<CompletableFuture<Void>> next = Optional.empty();
    private boolean writing;
    private boolean retrying;

    /**
     * @param files may block
     * @param current the allocations to store
     */
    public KeptAllocations(
            WorkerId worker,
            AllocationStore store,
            Executor files,
            MainThread mainThread,
            Supplier<List<SlotRequest>> current) {
        this.worker = worker;
        this.store = store;
        this.files = files;
        this.mainThread = mainThread;
        this.current = current;
    }

    /** The allocations of the previous process; empty when they cannot be read. Completes on any thread. */
    public CompletionStage<List<SlotRequest>> load() {
        return call(store::load).exceptionally(failure -> {
            LOG.warn(
                    "worker {}: the allocations of the previous process cannot be read: {}; starting without slots",
                    worker,
                    Failures.text(failure));
            return List.of();
        });
    }

    /** Completes on the main thread when the present allocations are stored; fails when they are not. */
    public CompletionStage<Void> write() {
        mainThread.assertCurrent();
        CompletableFuture<Void> result = next.orElseGet(CompletableFuture::new);
        next = Optional.of(result);
        writeNext();
        return result;
    }

    /** The allocations have changed, and nobody waits for the write. */
    public void changed() {
        write();
    }

    private void writeNext() {
        if (writing || next.isEmpty()) {
            return;
        }
        CompletableFuture<Void> result = next.get();
        next = Optional.empty();
        writing = true;
        List<SlotRequest> allocations = current.get();
        CompletionStage<Void> written = call(() -> {
            store.write(allocations);
            return null;
        });
        mainThread.whenComplete(written, (nothing, failure) -> {
            writing = false;
            if (failure == null) {
                result.complete(null);
            } else {
                LOG.warn(
                        "worker {}: {} allocations cannot be kept: {}",
                        worker,
                        allocations.size(),
                        Failures.text(failure));
                result.completeExceptionally(Failures.cause(failure));
                retryLater();
            }
            writeNext();
        });
    }

    private void retryLater() {
        if (retrying) {
            return;
        }
        retrying = true;
        mainThread.schedule(RETRY_MILLIS, () -> {
            retrying = false;
            changed();
        });
    }

    private <T> CompletionStage<T> call(StoreCall<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            files.execute(() -> {
                try {
                    result.complete(call.run());
                } catch (IOException | RuntimeException failure) {
                    result.completeExceptionally(failure);
                }
            });
        } catch (RejectedExecutionException ended) {
            result.completeExceptionally(ended);
        }
        return result;
    }

    private interface StoreCall<T> {
        @Nullable
        T run() throws IOException;
    }
}
