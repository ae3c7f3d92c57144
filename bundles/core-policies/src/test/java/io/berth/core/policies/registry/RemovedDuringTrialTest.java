package io.berth.core.policies.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A policy that is removed before it was tried out, or while it is. */
class RemovedDuringTrialTest {

    private final Bench bench = new Bench();
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    @AfterEach
    void close() {
        go.countDown();
        bench.close();
    }

    @Test
    void isNotCalledAfterItsThreadsHaveEnded() throws Exception {
        AtomicInteger fetched = new AtomicInteger();
        CountDownLatch released = bench.holdMainThreads();
        FakeRegistration gone = new FakeRegistration(1_000, PolicyKind.MATCHING, "gone", 1, () -> {
            fetched.incrementAndGet();
            return new FirstFitFactory();
        });
        bench.platform.registry().add(gone);
        bench.platform.registry().remove(gone.id());
        released.countDown();
        bench.spread();
        assertThat(fetched).hasValue(0);
        assertThat(gone.released).hasValue(1);
    }

    @Test
    void isReleasedAtOnceAndItsTrialEndsWithoutAFailure() throws Exception {
        FakeRegistration slow = bench.add(PolicyKind.MATCHING, "slow", 1, new Slow());
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        bench.platform.registry().remove(slow.id());
        assertThat(slow.released).hasValue(1);
        go.countDown();
        bench.spread();
        assertThat(slow.released).hasValue(1);
        assertThat(bench.failures()).isEmpty();
    }

    private final class Slow implements MatchingStrategyFactory {

        @Override
        public PolicyDescription describe() {
            return new PolicyDescription("slow", "takes its time");
        }

        @Override
        public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
            inside.countDown();
            try {
                go.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
            return new FirstFitFactory().create(configuration, context);
        }
    }
}
