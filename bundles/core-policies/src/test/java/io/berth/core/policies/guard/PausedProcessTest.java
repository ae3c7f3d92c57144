package io.berth.core.policies.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.meters.Meters;
import io.berth.spi.PolicyKind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pause of the whole process does not prove that a running call hangs. */
class PausedProcessTest {

    private final HandTime hand = new HandTime();
    private final Guard guard = new Guard(GuardThreads::pooled, hand, hand, new Meters());
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch mayReturn = new CountDownLatch(1);
    private CompletableFuture<CallOutcome<String>> call;

    @BeforeEach
    void begin() throws Exception {
        FakeRegistration policy = new FakeRegistration(1, PolicyKind.MATCHING, "innocent", 0, Object::new);
        call = guard.<String>call(policy, PolicyCall.PLACE, CallDeadline.of(2_000), () -> {
                    entered.countDown();
                    while (mayReturn.getCount() > 0) {
                        Thread.interrupted();
                        Thread.onSpinWait();
                    }
                    return "placed";
                })
                .toCompletableFuture();
        entered.await();
    }

    @AfterEach
    void end() {
        mayReturn.countDown();
        guard.close();
    }

    private CallOutcome<String> outcome() throws Exception {
        return call.get(20, TimeUnit.SECONDS);
    }

    @Test
    void aTimerThatFiresLateGivesTheCallASecondDeadline() throws Exception {
        hand.fireAfter(30_000);
        assertThat(call).isNotDone();
        mayReturn.countDown();
        assertThat(outcome()).isEqualTo(new CallOutcome.Returned<>("placed"));
        assertThat(hand.armed()).isEmpty();
    }

    @Test
    void aCallThatMissesTheSecondDeadlineIsAbandoned() throws Exception {
        hand.fireAfter(30_000);
        hand.fireAfter(2_000);
        assertThat(outcome()).isEqualTo(new CallOutcome.Failed<>("place did not return within 2000 ms", true));
    }

    @Test
    void aTimerThatFiresInTimeGivesNoSecondDeadline() throws Exception {
        hand.fireAfter(2_100);
        assertThat(outcome()).isInstanceOf(CallOutcome.Failed.class);
    }
}
