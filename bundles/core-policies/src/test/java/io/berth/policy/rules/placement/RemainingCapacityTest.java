package io.berth.policy.rules.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.core.policies.Bench;
import io.berth.core.policies.cache.AdmittedEntries;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.cache.UnitTable;
import io.berth.core.policies.cache.WorkerColumns;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RemainingCapacityTest {

    private final WorkerColumns workers = new WorkerColumns();
    private final RemainingCapacity rest = new RemainingCapacity();

    private void worker(int index) {
        workers.apply(
                1,
                new DecisionTime(0, 0),
                List.of(new WorkerChange(
                        index,
                        Optional.of(new WorkerColumn(
                                new WorkerId("w" + index),
                                false,
                                Bench.SIZE,
                                Bench.SIZE,
                                Bench.SLOT,
                                Origin.of("test"),
                                WorkerLabels.NONE)))),
                List.of());
    }

    private void begin() {
        rest.begin(
                workers,
                new PlacementResult(workers, new AdmittedEntries(workers, new UnitTable(workers).allocations())));
    }

    @Test
    void newResourceNamesDoNotDoubleItsSizeEachTime() {
        worker(999);
        for (int name = 0; name < 40; name++) {
            workers.offer(new ResourceProfile(1, 1, 0, 0, new TreeMap<>(Map.of("gpu-" + name, 1L))));
            begin();
            int row = rest.row(999);
            assertThat(rest.left(row, 0)).isEqualTo(Bench.SIZE.cpuMillis());
            assertThat(rest.left(row, workers.dimensions() - 1)).isZero();
        }
    }

    @Test
    void aCopyChangesIndependently() {
        worker(0);
        worker(1);
        begin();
        rest.add(rest.row(1), 0, -100);
        RemainingCapacity copy = rest.copy(0);
        copy.add(copy.row(1), 0, -1);
        copy.add(copy.row(0), 0, -2);
        long all = Bench.SIZE.cpuMillis();
        assertThat(copy.left(copy.row(1), 0)).isEqualTo(all - 101);
        assertThat(copy.left(copy.row(0), 0)).isEqualTo(all - 2);
        assertThat(rest.left(rest.row(1), 0)).isEqualTo(all - 100);
        assertThat(rest.left(rest.row(0), 0)).isEqualTo(all);
        RemainingCapacity again = rest.copy(0);
        assertThat(again.left(again.row(0), 0)).isEqualTo(all);
        begin();
        assertThat(rest.left(rest.row(1), 0)).isEqualTo(all);
    }
}
