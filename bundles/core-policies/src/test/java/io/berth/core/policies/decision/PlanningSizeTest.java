package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanOutcome.Placement;
import io.berth.core.policies.Bench;
import io.berth.spi.PolicyKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlanningSizeTest {

    private final Bench bench = new Bench(20_000);

    @AfterEach
    void end() {
        bench.close();
    }

    /** 1,000 workers of four slots, 1,500 jobs of three: 1,333 get a minimum of one and more, the rest wait. */
    @Test
    void plansAWholeClusterInOneDecision() throws Exception {
        PlacementPlanner planner = bench.withDefaults().planner();
        for (String policy : new String[] {"first-fit", "spread"}) {
            bench.platform.use(PolicyKind.MATCHING, policy);
            Bench.Input input = bench.input();
            for (int worker = 0; worker < 1_000; worker++) {
                input.worker(worker, Bench.SIZE);
            }
            for (int unit = 0; unit < 1_500; unit++) {
                input.unit(unit, "job-" + unit, 1, 3, 0);
            }
            PlanOutcome.Planned planned = Bench.planned(planner, input.build());
            assertThat(planned.matching().name()).isEqualTo(policy);
            assertThat(planned.placements().stream().mapToInt(Placement::count).sum())
                    .isEqualTo(4_000);
            assertThat(planned.reasons()).hasSize(1_500 - 1_333);
            Bench.planned(planner, bench.input().build());
            Bench.planned(planner, bench.input().build());
            planned = Bench.planned(planner, bench.input().build());
        }
    }
}
