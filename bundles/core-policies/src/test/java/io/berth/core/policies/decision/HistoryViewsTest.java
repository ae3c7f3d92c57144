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
        assertThat(units.runningSince(3)).isEmpty();
        units.overlay(3, 0, 1);
        assertThat(units.waitingSince(3))
                .as("what a decision places does not change it")
                .hasValue(100);
        units.clearOverlay();
        unit(300, "a", 2, 2);
        assertThat(units.waitingSince(3)).isEmpty();
        assertThat(units.runningSince(3)).hasValue(300);
        unit(350, "a", 2, 3);
        assertThat(units.runningSince(3)).as("more slots do not change it").hasValue(300);
        unit(400, "a", 4, 2);
        assertThat(units.waitingSince(3)).hasValue(400);
        assertThat(units.runningSince(3)).isEmpty();
        assertThat(units.arrived(3)).isEqualTo(100);
        unit(500, "a", 4, 4);
        assertThat(units.runningSince(3))
                .as("a unit that has its minimum again counts from zero")
                .hasValue(500);
    }

    @Test
    void whatADecisionPlacesDoesNotLetAUnitRun() {
        unit(100, "a", 2, 1);
        units.overlay(3, 0, 1);
        assertThat(units.runningSince(3)).isEmpty();
        unit(200, "a", 2, 2);
        units.clearOverlay();
        assertThat(units.runningSince(3)).hasValue(200);
    }

    @Test
    void theTimesAreKnownAfterAStateWasTakenOver() {
        unit(100, "a", 2, 0);
        unit(200, "a", 2, 2);
        unit(300, "a", 2, 3);
        UnitTable other = new UnitTable(new WorkerColumns());
        other.restore(units.state(List.of()));
        assertThat(other.runningSince(3)).hasValue(200);
        assertThat(other.waitingSince(3)).isEmpty();
        assertThat(other.arrived(3)).isEqualTo(100);
    }

    @Test
    void anExpectedRunTimeIsStatedOrLearned() {
        unit(100, "a", 2, 0);
        assertThat(units.expectedRuntime(3)).isEmpty();
        assertThat(units.runtimeLearnedFrom(3)).isZero();
        UnitDemand learned = new UnitDemand(
                new JobId("a"),
                "all",
                1,
                SchedulingAttributes.DEFAULT.withLearnedRuntime(5_000, 3),
                List.of(new GroupDemand("default", Bench.SLOT, 2, 9, 0)));
        units.apply(200, new DecisionTime(200, 0), List.of(new UnitChange(3, Optional.of(learned))));
        assertThat(units.expectedRuntime(3)).hasValue(5_000);
        assertThat(units.runtimeLearnedFrom(3)).isEqualTo(3);
    }

    @Test
    void anotherUnitAtTheSameIndexStartsWithNewTimes() {
        unit(100, "a", 2, 0);
        unit(200, "b", 2, 0);
        assertThat(units.arrived(3)).isEqualTo(200);
        assertThat(units.waitingSince(3)).hasValue(200);
        unit(250, "b", 2, 2);
        unit(275, "c", 2, 2);
        assertThat(units.runningSince(3)).hasValue(275);
        units.apply(300, new DecisionTime(300, 0), List.of(new UnitChange(3, Optional.empty())));
        unit(400, "b", 2, 0);
        assertThat(units.arrived(3)).as("removed and added again").isEqualTo(400);
    }
}
