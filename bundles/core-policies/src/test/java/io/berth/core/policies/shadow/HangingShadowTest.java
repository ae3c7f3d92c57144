package io.berth.core.policies.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.operations.ShadowOperations.ShadowDetails;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.policies.Bench;
import io.berth.spi.PolicyKind;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A shadow that does not return delays no decision, on real threads. */
class HangingShadowTest {

    private static final int DECISIONS = 200;

    private Bench bench = new Bench(600_000);
    private final CountDownLatch released = new CountDownLatch(1);

    @AfterEach
    void end() {
        released.countDown();
        bench.close();
    }

    private ShadowDetails shadow() {
        return bench.platform.shadows().get(0);
    }

    private void decide(PlacementPlanner planner) throws Exception {
        for (int made = 0; made < DECISIONS; made++) {
            PlanOutcome.Planned planned = Bench.planned(
                    planner,
                    bench.input().worker(0, Bench.SIZE).unit(0, "job", 1, 1, 0).build());
            assertThat(planned.matching().name()).isEqualTo("first-fit");
            assertThat(planned.placements()).hasSize(1);
        }
    }

    private static void placeAll(AdmittedView admitted, PlacementBuilder plan) {
        for (int entry = 0; entry < admitted.size(); entry++) {
            plan.place(entry, 0, admitted.count(entry));
        }
    }

    @Test
    void decisionsDoNotWaitAndTheShadowStartsAgainFromALaterState() throws Exception {
        bench.withDefaults();
        bench.add(PolicyKind.MATCHING, "hanging", 0, Bench.placing("hanging", (workers, admitted, plan) -> {
            released.await();
            placeAll(admitted, plan);
        }));
        bench.awaitState("hanging", "ready");
        bench.platform.shadow(PolicyKind.MATCHING, "hanging", "default", "test");
        PlacementPlanner planner = bench.planner();
        // All of them are made while its first call has not returned.
        decide(planner);
        assertThat(released.getCount()).isEqualTo(1);
        assertThat(shadow().compared()).isZero();
        assertThat(shadow().skipped()).isEqualTo(DECISIONS - Shadow.MAX_WAITING);
        released.countDown();
        await().until(() -> shadow().compared() == Shadow.MAX_WAITING);
        assertThat(shadow().state()).isEqualTo("is behind");
        PlanOutcome.Planned next =
                Bench.planned(planner, bench.input().unit(1, "next", 1, 1, 0).build());
        await().until(() -> shadow().compared() == Shadow.MAX_WAITING + 1);
        assertThat(shadow().state()).isEqualTo("follows");
        assertThat(bench.platform.shadowed(next.decision()))
                .singleElement()
                .satisfies(one -> assertThat(one.verdict()).isEqualTo("agrees"));
    }

    @Test
    void callsThatNeverReturnStopItAndTakeNoThreadOfADecidingInstance() throws Exception {
        bench.close();
        bench = new Bench(300);
        bench.withDefaults();
        bench.add(PolicyKind.MATCHING, "hanging", 0, Bench.placing("hanging", (workers, admitted, plan) -> {
            released.await();
            placeAll(admitted, plan);
        }));
        bench.awaitState("hanging", "ready");
        bench.platform.shadow(PolicyKind.MATCHING, "hanging", "default", "test");
        PlacementPlanner planner = bench.planner();
        await().until(() -> {
            decide(planner);
            return shadow().state().equals("stopped");
        });
        assertThat(shadow().text()).contains("did not return within");
        assertThat(bench.state("hanging")).isEqualTo("ready");
        assertThat(bench.details("hanging").orElseThrow().failures()).isZero();
        // As a deciding one it is called, on threads of its own.
        released.countDown();
        bench.platform.use(PolicyKind.MATCHING, "hanging");
        assertThat(Bench.planned(planner, bench.input().unit(1, "next", 0, 1, 0).build())
                        .matching()
                        .name())
                .isEqualTo("hanging");
    }
}
