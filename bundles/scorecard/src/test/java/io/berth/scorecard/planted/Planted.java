package io.berth.scorecard.planted;

import io.berth.scorecard.check.Meter;
import io.berth.spi.PolicyDescription;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A policy that is wrong on purpose.
 *
 * @param factory of it
 * @param lost the checks that must take points from it, and no other ones
 * @param reason a part of what the first of them must say
 */
public record Planted(String name, Object factory, List<String> lost, String reason) {

    /** Numbers that are never the same. */
    static final AtomicInteger COUNTER = new AtomicInteger();

    private static final ThreadLocal<Long> TAKEN = ThreadLocal.withInitial(() -> 0L);

    private static volatile Object kept = "";

    /** So that no compiler leaves out what is allocated. */
    static void keep(Object allocated) {
        kept = allocated;
    }

    /** A policy that is slow says so, because what a loop takes depends on what else the machine does. */
    static void take(long nanos) {
        TAKEN.set(TAKEN.get() + nanos);
    }

    /** Counts what was {@link #take taken}, and what the virtual machine says of memory. */
    public static Meter meter() {
        Meter thread = Meter.ofThread();
        return new Meter() {

            @Override
            public long nanos() {
                return TAKEN.get();
            }

            @Override
            public long bytes() {
                return thread.bytes();
            }
        };
    }

    static Object kept() {
        return kept;
    }

    static PolicyDescription description(String name) {
        return new PolicyDescription(name, "is wrong on purpose");
    }

    static PolicyDescription another(String name) {
        return new PolicyDescription(name, "is wrong on purpose, number " + COUNTER.incrementAndGet());
    }

    /** Never returns, until it is interrupted. */
    static void hang() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException cut) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
