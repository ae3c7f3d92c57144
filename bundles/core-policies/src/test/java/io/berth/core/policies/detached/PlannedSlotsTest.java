package io.berth.core.policies.detached;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.policy.PlacementRuns;
import io.berth.core.api.policy.PlanOutcome.Planned;
import io.berth.core.api.policy.PlanOutcome.Reclaim;
import io.berth.core.api.policy.PlanOutcome.Returns;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.spi.PolicyKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlannedSlotsTest {

    private static PlannedSlots plan(Returns returns, int[]... runs) {
        PlacementRuns.Builder placements = new PlacementRuns.Builder();
        for (int[] run : runs) {
            placements.add(0, 0, run[0], run[1], true);
        }
        PolicyIdentity policy = new PolicyIdentity(PolicyKind.MATCHING, "a", "a", "1.0.0", 1, 1);
        return PlannedSlots.of(new Planned(1, 1, policy, policy, placements.build(), List.of(), 3, List.of(), returns));
    }

    @Test
    void theOrderAndTheCuttingOfRunsDoNotMatter() {
        assertThat(plan(Returns.NONE, new int[] {0, 2}, new int[] {1, 2}))
                .isEqualTo(plan(Returns.NONE, new int[] {1, 1}, new int[] {0, 2}, new int[] {1, 1}))
                .isNotEqualTo(plan(Returns.NONE, new int[] {0, 2}, new int[] {1, 1}));
    }

    @Test
    void slotsThatAreAskedBackMatter() {
        Returns one = new Returns(List.of(), List.of(new Reclaim(0, 0, 1, "a reason")));
        Returns two = new Returns(List.of(), List.of(new Reclaim(0, 0, 2, "a reason")));
        assertThat(plan(one, new int[] {0, 1}))
                .isNotEqualTo(plan(two, new int[] {0, 1}))
                .isNotEqualTo(plan(Returns.NONE, new int[] {0, 1}));
    }
}
