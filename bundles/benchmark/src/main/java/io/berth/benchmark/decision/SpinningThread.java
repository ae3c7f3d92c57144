package io.berth.benchmark.decision;

import io.berth.core.api.time.Pools;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;

/** A thread that is no policy and takes a processor until it is closed, in the same loop as a strategy that spins. */
public final class SpinningThread implements Turns.Held {

    private final ExecutorService thread = Pools.fixed("berth-benchmark-spinning", 1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final CompletableFuture<Void> spinning =
            CompletableFuture.runAsync(() -> HangingStrategy.spin(released), thread);

    @Override
    public void close() {
        released.countDown();
        spinning.join();
        thread.shutdown();
    }
}
