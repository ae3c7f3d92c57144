package io.berth.core.policies.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerColumnsTest {

    private static final ResourceProfile SIZE = ResourceProfile.of(4_000, 4_000);
    private static final Origin ORIGIN = new Origin("test", "small", 0);

    private static WorkerChange worker(int index) {
        return new WorkerChange(
                index,
                Optional.of(new WorkerColumn(
                        new WorkerId("w" + index), false, SIZE, SIZE, SIZE, ORIGIN, WorkerLabels.NONE)));
    }

    /** The numbers around those for which arrays are made. */
    @ParameterizedTest
    @ValueSource(ints = {0, 15, 16, 17, 23, 24, 25, 1_000})
    void newWorkersOfADecisionFollowHoweverManyThereAre(int there) {
        WorkerColumns workers = new WorkerColumns();
        workers.apply(
                1,
                new DecisionTime(0, 0),
                IntStream.range(0, there).mapToObj(WorkerColumnsTest::worker).toList(),
                List.of(new SpecColumn(ORIGIN, SIZE, SIZE, 100, WorkerLabels.NONE, 0)));
        for (int more = 0; more < 50; more++) {
            assertThat(workers.overlayNew(0)).isEqualTo(there + more);
            assertThat(workers.free(there + more, 0)).isEqualTo(4_000);
        }
        workers.clearOverlay();
        assertThat(workers.limit()).isEqualTo(there);
    }
}
