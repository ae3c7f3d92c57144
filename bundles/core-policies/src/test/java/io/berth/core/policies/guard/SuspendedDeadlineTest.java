package io.berth.core.policies.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.meters.Meters;
import io.berth.spi.PolicyKind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A call of a policy in development is not given up while it is. */
class SuspendedDeadlineTest {

    private final HandTime hand = new HandTime();
    private final AtomicBoolean suspended = new AtomicBoolean(true);
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch mayReturn = new CountDownLatch(1);
    private final AtomicLong remaining = new AtomicLong();
    private final AtomicLong remainingNow = new AtomicLong();
    private final Guard guard = new Guard(GuardThreads::pooled, hand, hand, new Meters());
    private CompletableFuture<CallOutcome<String>> call;

    @BeforeEach
    void begin() throws Exception {
        FakeRegistration policy = new FakeRegistration(1, PolicyKind.MATCHING, "debugged", 0, Object::new);
        call = guard.<String>call(
                        policy, PolicyCall.PLACE, "place", new CallDeadline(2_000, suspended::get), phases -> {
                            remaining.set(phases.remainingMillis());
                            entered.countDown();
                            while (mayReturn.getCount() > 0) {
                                remainingNow.set(phases.remainingMillis());
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

    @Test
    void givesTheCallAsMuchTimeAsItNeeds() throws Exception {
        assertThat(remaining).as("a search ends by itself").hasValue(2_000);
        for (int deadline = 0; deadline < 10; deadline++) {
            hand.fireAfter(2_000);
            assertThat(call).isNotDone();
        }
        mayReturn.countDown();
        assertThat(call.get(20, TimeUnit.SECONDS)).isEqualTo(new CallOutcome.Returned<>("placed"));
        assertThat(hand.armed()).isEmpty();
    }

    @Test
    void givesASearchTheTimeOfAnotherDeadlineAfterEachThatPasses() {
        hand.fireAfter(1_999);
        await().until(() -> remainingNow.get() == 1);
        hand.fireAfter(1_501);
        await().until(() -> remainingNow.get() == 501);
        suspended.set(false);
        await().until(() -> remainingNow.get() == 0);
    }

    @Test
    void givesTheCallUpWithinADeadlineAfterTheSuspensionEnds() throws Exception {
        hand.fireAfter(2_000);
        hand.fireAfter(2_000);
        suspended.set(false);
        hand.fireAfter(2_000);
        assertThat(call.get(20, TimeUnit.SECONDS))
                .isEqualTo(new CallOutcome.Failed<>("place did not return within 2000 ms", true));
        assertThat(guard.abandoned()).isEqualTo(1);
    }
}
