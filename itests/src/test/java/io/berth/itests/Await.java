package io.berth.itests;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits inside the container, where no test library but JUnit is installed. */
final class Await {

    /** Longer than anything takes that tests wait for, also on a busy machine. */
    static final Duration LIMIT = Duration.ofSeconds(180);

    private static final long PAUSE_NANOS = 20_000_000L;

    private Await() {}

    /** Returns once the condition holds. Fails with {@code what} if it does not hold in time. */
    static void until(String what, Duration limit, Callable<Boolean> condition) throws Exception {
        until(() -> what, limit, condition);
    }

    /** The same with a text that is created at the end. */
    static void until(Supplier<String> what, Duration limit, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + limit.toSeconds() + " s: " + what.get());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
