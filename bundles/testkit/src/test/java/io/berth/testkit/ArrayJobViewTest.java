package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import io.berth.spi.scaling.EdgeKind;
import io.berth.spi.scaling.TaskMetric;
import org.junit.jupiter.api.Test;

class ArrayJobViewTest {

    private final ArrayJobView job = new ArrayJobView(1).vertex(0, 1, 1, 9);

    @Test
    void anEarlierStateHasWhatWasMeasuredAtItsEnd() {
        job.current(0, 2).measured(1_000).metric(0, TaskMetric.RECORDS_IN, 10, 10);
        job.measured(5_000)
                .metric(0, TaskMetric.RECORDS_IN, 40, 50)
                .metric(0, TaskMetric.RECORDS_OUT, 20, 20)
                .metric(0, TaskMetric.BUSY, 0.75, 1);
        job.current(0, 4);
        job.metric(0, TaskMetric.BUSY, 0.5, 0.5);
        assertThat(job.historyCurrent(0, 0)).isEqualTo(2);
        assertThat(job.historyMeasuredMillis(0)).hasValue(5_000);
        assertThat(job.historyRecordsInPerSecond(0, 0)).hasValue(80);
        assertThat(job.historyRecordsOutPerSecond(0, 0)).hasValue(40);
        assertThat(job.historyMean(0, 0, TaskMetric.BUSY)).hasValue(0.75);
        assertThat(job.historyMean(0, 0, TaskMetric.IDLE)).isEmpty();
    }

    @Test
    void aStateInWhichNothingWasMeasuredHasNoFigures() {
        job.current(0, 2).measured(1_000).metric(0, TaskMetric.BUSY, 0.75, 1);
        job.current(0, 0).current(0, 4);
        assertThat(job.historyMeasuredMillis(0)).isEmpty();
        assertThat(job.historyMean(0, 0, TaskMetric.BUSY)).isEmpty();
        assertThat(job.historyMeasuredMillis(1)).hasValue(1_000);
    }

    @Test
    void slotsAloneChangeNothingInWhatIsMeasured() {
        job.current(0, 2).measured(1_000).metric(0, TaskMetric.BUSY, 0.75, 1);
        job.slots(0, 3).current(0, 3);
        assertThat(job.historyMean(0, 0, TaskMetric.BUSY)).hasValue(0.75);
        assertThat(job.historyMean(1, 0, TaskMetric.BUSY)).hasValue(0.75);
    }

    @Test
    void itRemembersAtMostAHundredStates() {
        for (int slots = 0; slots < 300; slots++) {
            job.slots(0, slots);
        }
        assertThat(job.history()).isEqualTo(100);
        assertThat(job.historySlots(0, 0)).isEqualTo(298);
    }

    @Test
    void groupsOfOneProfileShareTheirSlotsUnlessOneHasConstraints() {
        ArrayJobView two = new ArrayJobView(2)
                .vertex(0, 1, 4, 4)
                .vertex(1, 1, 4, 4)
                .slots(0, 5)
                .slots(1, 1);
        assertThat(two.feasible(4, 4)).hasValue(new int[] {3, 3});
        two.withConstraints(1);
        assertThat(two.feasible(4, 4)).hasValue(new int[] {4, 1});
        ArrayJobView other =
                new ArrayJobView(2).vertex(0, 1, 4, 4).vertex(1, 1, 4, 4).slots(0, 5);
        other.profile(1, ResourceProfile.UNKNOWN);
        assertThat(other.profile(1)).isEqualTo(ResourceProfile.UNKNOWN);
        assertThat(other.feasible(4, 4)).isEmpty();
    }

    @Test
    void verticesThatForwardEdgesConnectAreFeasibleWithTheSameParallelism() {
        ArrayJobView chain = new ArrayJobView(2)
                .vertex(0, 1, 4, 9)
                .vertex(0, 2, 4, 9)
                .vertex(1, 1, 4, 9)
                .edge(0, 1, EdgeKind.FORWARD)
                .edge(1, 2, EdgeKind.REBALANCE)
                .withConstraints(1)
                .slots(0, 5)
                .slots(1, 9);
        assertThat(chain.feasible(9, 4, 8)).hasValue(new int[] {4, 4, 8});
        assertThat(chain.feasible(1, 9, 8)).hasValue(new int[] {2, 2, 8});
        assertThat(chain.feasible(9, 9, 8)).hasValue(new int[] {5, 5, 8});
    }
}
