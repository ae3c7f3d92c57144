package io.berth.core.policies.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.operations.PolicyMetrics.FailureKind;
import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A bundle has few threads for each pool. A decision that needs one of its calls does not wait for all earlier calls of
 * its pool, and not for those of another pool at all.
 */
class BusyBundleTest {

    private static final int DEADLINE_MILLIS = 200;

    private final Bench bench = new Bench(DEADLINE_MILLIS);
    private final CountDownLatch mayReturn = new CountDownLatch(1);

    @AfterEach
    void end() {
        mayReturn.countDown();
        bench.close();
    }

    /** Keeps both threads that a bundle has for a pool busy with calls that have a very long deadline. */
    private CompletableFuture<?> occupy(FakeRegistration policy, String pool) {
        CompletableFuture<?>[] calls = new CompletableFuture<?>[20];
        for (int nth = 0; nth < calls.length; nth++) {
            calls[nth] = bench.platform
                    .guard()
                    .call(
                            Optional.of(pool),
                            policy,
                            PolicyCall.PLACE,
                            "place",
                            CallDeadline.of(600_000),
                            phases -> {
                                mayReturn.await();
                                return true;
                            },
                            made -> {})
                    .toCompletableFuture();
        }
        return CompletableFuture.allOf(calls);
    }

    @Test
    void aPlanThatGetsNoThreadOfTheBundleIsMadeByTheFallbackWithAReason() throws Exception {
        bench.withDefaults();
        FakeRegistration busy = bench.add(PolicyKind.MATCHING, "busy", 1_000, Bench.placing("busy", Bench.LEAVES_OUT));
        bench.awaitState("busy", "deciding");
        CompletableFuture<?> others = occupy(busy, "default");
        PlacementPlanner planner = bench.planner();
        var planned = Bench.planned(planner, bench.twoWorkersAndAJob());
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(bench.platform.decision(planned.decision()).orElseThrow().reasons())
                .anySatisfy(reason -> assertThat(reason)
                        .contains("create for pool default was not tried: it waited 1000 ms for a thread of bundle"
                                + " test.matching.busy, whose other calls for pool default take too long"));
        assertThat(bench.platform
                        .policyFigures(PolicyKind.MATCHING, "busy")
                        .orElseThrow()
                        .failures(FailureKind.NOT_TRIED))
                .isEqualTo(1);
        for (int more = 1; more < 3; more++) {
            Bench.planned(planner, bench.input().unit(more, "b" + more, 1, 1, 0).build());
        }
        assertThat(bench.state("busy")).as("three calls that were not made").isEqualTo("deciding");
        assertThat(bench.details("busy").orElseThrow().failures()).isZero();
        mayReturn.countDown();
        others.get();
        assertThat(bench.platform
                        .policyFigures(PolicyKind.MATCHING, "busy")
                        .orElseThrow()
                        .inFlight())
                .isZero();
        assertThat(bench.platform.guard().abandoned()).isZero();
    }

    @Test
    void thePlanOfAnotherPoolGetsAThreadAtOnce() throws Exception {
        bench.withDefaults();
        FakeRegistration busy = bench.add(PolicyKind.MATCHING, "busy", 1_000, Bench.placing("busy", Bench.LEAVES_OUT));
        bench.awaitState("busy", "deciding");
        CompletableFuture<?> others = occupy(busy, "gpu");
        assertThat(Bench.planned(bench.planner(), bench.twoWorkersAndAJob())
                        .matching()
                        .name())
                .isEqualTo("busy");
        assertThat(others).isNotDone();
    }

    /** Calls a policy for a pool, and waits until the call is given up or refused. */
    private String giveUp(FakeRegistration policy, String pool) throws Exception {
        CallOutcome<Boolean> outcome = bench.platform
                .guard()
                .<Boolean>call(
                        Optional.of(pool),
                        policy,
                        PolicyCall.PLACE,
                        "place",
                        CallDeadline.of(100),
                        phases -> {
                            while (mayReturn.getCount() > 0) {
                                try {
                                    mayReturn.await();
                                } catch (InterruptedException ignored) {
                                    // It hangs.
                                }
                            }
                            return true;
                        },
                        made -> {})
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        return ((CallOutcome.Failed<Boolean>) outcome).text();
    }

    @Test
    void callsThatNeverReturnStopTheirPoolAndOnlyThoseOfFourPoolsTheBundle() throws Exception {
        FakeRegistration hangs = new FakeRegistration(1, PolicyKind.MATCHING, "hangs", 0, Object::new);
        for (String pool : List.of("a", "b", "c", "d")) {
            for (int call = 0; call < 4; call++) {
                assertThat(giveUp(hangs, pool)).startsWith("place did not return");
            }
            assertThat(giveUp(hangs, pool))
                    .isEqualTo("4 calls into bundle test.matching.hangs for pool " + pool
                            + " never returned; place was not tried");
        }
        assertThat(giveUp(hangs, "e"))
                .isEqualTo("16 calls into bundle test.matching.hangs never returned; place was not tried");
        mayReturn.countDown();
        await().until(() -> bench.platform.guard().abandoned() == 0);
    }
}
