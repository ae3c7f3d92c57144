package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

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
}
