package io.berth.core.policies.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobMeasures.Means;
import io.berth.core.policies.scaling.JobPast.Earlier;
import io.berth.core.policies.scaling.JobPast.State;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobHistoryTest {

    private final JobHistory history = new JobHistory();

    private static Means means(double recordsIn) {
        return Means.of(Optional.of(1_000L), new double[] {recordsIn, 0, 0.5, 0.5, 0});
    }

    private void update(long now, List<Integer> current, List<Integer> slots) {
        history.update(now, current, slots, Means.NONE, Means.NONE);
    }

    private void runs(long now, int current, int slots, Means present) {
        history.update(now, List.of(current), List.of(slots), present, Means.NONE);
    }

    private void stops(long now, int slots, Means stopped) {
        history.update(now, List.of(0), List.of(slots), Means.NONE, stopped);
    }

    @Test
    void onlyAChangeOfTheParallelismIsARescale() {
        update(10, List.of(0, 0), List.of(4));
        assertThat(history.runningSince()).isEmpty();
        update(20, List.of(2, 2), List.of(4));
        assertThat(history.runningSince()).hasValue(20);
        assertThat(history.lastRescale()).isEmpty();
        update(30, List.of(2, 2), List.of(6));
        assertThat(history.runningSince()).hasValue(20);
        update(40, List.of(0, 0), List.of(6));
        update(50, List.of(2, 2), List.of(6));
        assertThat(history.lastRescale())
                .as("a restart at the same parallelism")
                .isEmpty();
        update(60, List.of(0, 0), List.of(6));
        update(70, List.of(3, 3), List.of(6));
        assertThat(history.lastRescale()).hasValue(70);
        assertThat(history.runningSince()).hasValue(70);
        assertThat(history.size()).isEqualTo(6);
        assertThat(history.entry(0)).isEqualTo(new Earlier(new State(60, List.of(0, 0), List.of(6)), Means.NONE));
        assertThat(history.entry(5).state().since()).isEqualTo(10);
    }

    @Test
    void keepsABoundedHistory() {
        for (int slots = 0; slots < 500; slots++) {
            runs(slots, 1, slots, means(slots));
        }
        assertThat(history.size()).isEqualTo(JobHistory.MAX_COUNT);
        assertThat(history.past(List.of()).earlier()).hasSize(JobHistory.MAX_COUNT);
        assertThat(history.entry(0).state().slots()).containsExactly(498);
    }

    @Test
    void anEarlierStateHasWhatWasMeasuredAtItsEnd() {
        stops(0, 1, Means.NONE);
        runs(10, 1, 1, Means.NONE);
        runs(20, 1, 1, means(100));
        runs(30, 1, 1, means(200));
        runs(40, 1, 1, Means.NONE);
        runs(50, 1, 3, means(300));
        assertThat(history.entry(0))
                .as("only the slots changed: the same tasks were measured")
                .isEqualTo(new Earlier(new State(10, List.of(1), List.of(1)), means(300)));
        assertThat(history.entry(1).measured()).isEqualTo(Means.NONE);
        stops(60, 3, means(400));
        assertThat(history.entry(0).measured())
                .as("known when the tasks stopped, after the last decision")
                .isEqualTo(means(400));
        stops(70, 3, means(400));
        runs(80, 3, 3, Means.NONE);
        assertThat(history.entry(0).measured())
                .as("nothing runs, so nothing is measured")
                .isEqualTo(Means.NONE);
    }

    @Test
    void nothingOfOtherTasksIsTakenForAState() {
        runs(10, 1, 1, means(100));
        runs(20, 2, 2, Means.NONE);
        assertThat(history.entry(0).measured()).isEqualTo(means(100));
        stops(30, 2, Means.NONE);
        assertThat(history.entry(0).measured())
                .as("the tasks stopped before anything was measured")
                .isEqualTo(Means.NONE);
    }

    @Test
    void whatItRemembersCanBeRestored() {
        runs(10, 1, 1, means(100));
        runs(20, 2, 2, means(200));
        JobHistory other = new JobHistory();
        other.restore(history.past(List.of()));
        other.update(30, List.of(0), List.of(2), Means.NONE, Means.NONE);
        assertThat(other.entry(0).measured()).isEqualTo(means(200));
        assertThat(other.entry(1).measured()).isEqualTo(means(100));
    }
}
