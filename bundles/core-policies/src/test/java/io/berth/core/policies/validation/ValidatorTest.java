package io.berth.core.policies.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.core.policies.Bench;
import io.berth.core.policies.cache.AdmittedEntries;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.cache.Feasibility;
import io.berth.core.policies.cache.UnitTable;
import io.berth.core.policies.cache.WorkerColumns;
import io.berth.policy.rules.AssignmentResult;
import io.berth.policy.rules.placement.PlacementCheck;
import io.berth.policy.rules.placement.PlacementResult;
import io.berth.policy.rules.placement.RemainingCapacity;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ValidatorTest {

    @Test
    void refusesASlotThatIsAssignedTwice() {
        AssignmentQuery.Slot slot =
                new AssignmentQuery.Slot(new AllocationId(1, 1), new WorkerId("w1"), Bench.SLOT, -1, false);
        AssignmentQueryView view = new AssignmentQueryView(
                new AssignmentQuery(
                        new JobId("a"),
                        "default",
                        MatchingRule.EXACT,
                        1,
                        List.of(slot, slot),
                        List.of(new AssignmentQuery.Requirement("all", "default", Bench.SLOT, 2))),
                new DecisionTime(0, 0));
        AssignmentResult check = view.result();
        check.rules().begin();
        check.assign(0, 0);
        assertThat(check.rules().violation()).isEmpty();
        check.assign(0, 0);
        assertThat(check.rules().violation()).contains("assigns slot 0 twice");
    }

    @Test
    void refusesAPartOfAMinimum() {
        WorkerColumns workers = new WorkerColumns();
        workers.apply(
                1,
                new DecisionTime(0, 0),
                List.of(new WorkerChange(
                        0,
                        Optional.of(new WorkerColumn(
                                new WorkerId("w0"),
                                false,
                                Bench.SIZE,
                                Bench.SIZE,
                                Bench.SLOT,
                                Origin.of("test"),
                                WorkerLabels.NONE)))),
                List.of());
        AdmittedEntries entries = new AdmittedEntries(workers, new UnitTable(workers).allocations());
        entries.newGang();
        UnitDemand demand = new UnitDemand(
                new JobId("a"),
                "all",
                0,
                SchedulingAttributes.DEFAULT,
                List.of(new GroupDemand("default", Bench.SLOT, 3, 3, 0)));
        entries.add(0, 0, demand, Feasibility.ANYWHERE, 3, true);
        PlacementResult whole = new PlacementResult(workers, entries);
        whole.rules().begin();
        whole.place(0, 0, 3);
        assertThat(PlacementCheck.violation(workers, entries, whole, new RemainingCapacity()))
                .isEmpty();
        PlacementResult part = new PlacementResult(workers, entries);
        part.rules().begin();
        part.place(0, 0, 2);
        assertThat(PlacementCheck.violation(workers, entries, part, new RemainingCapacity()))
                .contains("places 2 of the 3 slots that are the minimum of job a");
    }
}
