package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.policies.Bench;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.cache.UnitTable;
import io.berth.core.policies.cache.WorkerColumns;
import io.berth.spi.JobId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class HistoryViewsTest {

    private final UnitTable units = new UnitTable(new WorkerColumns());

    private void unit(long now, String job, int minimum, int have) {
        units.apply(
                now,
                new DecisionTime(now, 0),
                List.of(new UnitChange(
                        3,
                        Optional.of(new UnitDemand(
                                new JobId(job),
                                "all",
                                1,
                                SchedulingAttributes.DEFAULT,
                                List.of(new GroupDemand("default", Bench.SLOT, minimum, 9, have)))))));
    }

    @Test
    void aUnitWaitsFromTheTimeItLacksItsMinimumUntilItHasIt() {
        unit(100, "a", 2, 0);
        unit(200, "a", 2, 1);
        assertThat(units.now()).isEqualTo(200);
        assertThat(units.arrived(3)).isEqualTo(100);
        assertThat(units.waitingSince(3)).isEqualTo(OptionalLong.of(100));
        units.overlay(3, 0, 1);
        assertThat(units.waitingSince(3))
                .as("what a decision places does not change it")
                .hasValue(100);
        units.clearOverlay();
        unit(300, "a", 2, 2);
        assertThat(units.waitingSince(3)).isEmpty();
        unit(400, "a", 4, 2);
        assertThat(units.waitingSince(3)).hasValue(400);
        assertThat(units.arrived(3)).isEqualTo(100);
    }

    @Test
    void anotherUnitAtTheSameIndexStartsWithNewTimes() {
        unit(100, "a", 2, 0);
        unit(200, "b", 2, 0);
        assertThat(units.arrived(3)).isEqualTo(200);
        assertThat(units.waitingSince(3)).hasValue(200);
        units.apply(300, new DecisionTime(300, 0), List.of(new UnitChange(3, Optional.empty())));
        unit(400, "b", 2, 0);
        assertThat(units.arrived(3)).as("removed and added again").isEqualTo(400);
    }
}
