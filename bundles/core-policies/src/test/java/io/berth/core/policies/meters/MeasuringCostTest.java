package io.berth.core.policies.meters;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.time.SystemClock;
import io.berth.core.policies.FakeRegistration;
import io.berth.spi.PolicyKind;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/**
 * Measures what the meters add to a call, in CPU time, which does not depend on other load. Prints the figures of
 * docs/performance.md.
 */
class MeasuringCostTest {

    private static final int CALLS = 200_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final SystemClock clock = new SystemClock();
    private final Meters meters = new Meters();
    private final FakeRegistration policy = new FakeRegistration(1, PolicyKind.MATCHING, "measured", 0, Object::new);

    /** Records the same measurements as the guard for calls of two phases each. */
    private void measure(int calls) {
        for (int count = 0; count < calls; count++) {
            PolicyMeter meter = meters.of(policy);
            meter.asked();
            long asked = clock.nanos();
            long begun = clock.nanos();
            meter.waited(begun - asked);
            long second = clock.nanos();
            meter.took(PolicyCall.DELTA, second - begun);
            meter.took(PolicyCall.PLACE, clock.nanos() - second);
            meter.ended();
        }
    }

    @Test
    void measuringACallAllocatesNoObject() {
        meters.registered(policy);
        measure(CALLS);
        measure(CALLS);
        long clockNanos = threads.getCurrentThreadCpuTime();
        for (int count = 0; count < CALLS; count++) {
            clock.nanos();
        }
        clockNanos = threads.getCurrentThreadCpuTime() - clockNanos;
        long bytes = threads.getCurrentThreadAllocatedBytes();
        long nanos = threads.getCurrentThreadCpuTime();
        measure(CALLS);
        nanos = threads.getCurrentThreadCpuTime() - nanos;
        bytes = threads.getCurrentThreadAllocatedBytes() - bytes;
        System.out.printf(
                "measuring: %d ns of CPU and %.3f bytes a call of two phases, of which %d ns are 4 clock reads%n",
                nanos / CALLS, bytes / (double) CALLS, 4 * clockNanos / CALLS);
        assertThat(bytes).isLessThan(CALLS);
        assertThat(meters.policies().get(0).queued().count()).isEqualTo(3 * CALLS);
    }

    @Test
    void readingIsCheap() {
        for (int nth = 0; nth < 64; nth++) {
            FakeRegistration one = new FakeRegistration(nth, PolicyKind.MATCHING, "p" + nth, 0, Object::new);
            meters.registered(one);
            for (PolicyCall call : PolicyCall.values()) {
                meters.of(one).took(call, 1_000L * nth);
            }
        }
        long nanos = 0;
        for (int round = 0; round < 200; round++) {
            nanos = threads.getCurrentThreadCpuTime();
            assertThat(meters.policies()).hasSize(64);
            nanos = threads.getCurrentThreadCpuTime() - nanos;
        }
        System.out.printf("reading the figures of 64 policies: %d us of CPU%n", nanos / 1_000);
    }
}
