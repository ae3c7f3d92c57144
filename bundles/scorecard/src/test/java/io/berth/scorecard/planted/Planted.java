package io.berth.scorecard.planted;

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

    private static volatile Object kept = "";

    /** So that no compiler leaves out what is allocated. */
    static void keep(Object allocated) {
        kept = allocated;
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
