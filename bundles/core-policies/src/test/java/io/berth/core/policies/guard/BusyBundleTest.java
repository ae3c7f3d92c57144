package io.berth.core.policies.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.operations.PolicyMetrics.FailureKind;
import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.spi.PolicyKind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A bundle has few threads. A decision that needs one of its calls does not wait for all earlier calls. */
class BusyBundleTest {

    private static final int DEADLINE_MILLIS = 200;

    private final Bench bench = new Bench(DEADLINE_MILLIS);
    private final CountDownLatch mayReturn = new CountDownLatch(1);

    @AfterEach
    void end() {
        mayReturn.countDown();
        bench.close();
    }

    /** Keeps both threads of a bundle busy with calls that have a very long deadline. */
    private CompletableFuture<?> occupy(FakeRegistration policy) {
        CompletableFuture<?>[] calls = new CompletableFuture<?>[20];
        for (int nth = 0; nth < calls.length; nth++) {
            calls[nth] = bench.platform
                    .guard()
                    .call(policy, PolicyCall.DESIRE, CallDeadline.of(600_000), () -> {
                        mayReturn.await();
                        return true;
                    })
                    .toCompletableFuture();
        }
        return CompletableFuture.allOf(calls);
    }

    @Test
    void aPlanThatGetsNoThreadOfTheBundleIsMadeByTheFallbackWithAReason() throws Exception {
        bench.withDefaults();
        FakeRegistration busy = bench.add(PolicyKind.MATCHING, "busy", 1_000, Bench.placing("busy", Bench.LEAVES_OUT));
        bench.awaitState("busy", "deciding");
        CompletableFuture<?> others = occupy(busy);
        var planned = Bench.planned(bench.planner(), bench.twoWorkersAndAJob());
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(bench.platform.decision(planned.decision()).orElseThrow().reasons())
                .anySatisfy(reason -> assertThat(reason)
                        .contains("create for pool default was not tried: it waited 1000 ms for a thread of bundle"
                                + " test.matching.busy, whose other calls take too long"));
        assertThat(bench.platform
                        .policyFigures(PolicyKind.MATCHING, "busy")
                        .orElseThrow()
                        .failures(FailureKind.NOT_TRIED))
                .isEqualTo(1);
        mayReturn.countDown();
        others.get();
        assertThat(bench.platform
                        .policyFigures(PolicyKind.MATCHING, "busy")
                        .orElseThrow()
                        .inFlight())
                .isZero();
        assertThat(bench.platform.guard().abandoned()).isZero();
    }
}
