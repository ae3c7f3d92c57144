package io.berth.core.policies.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JobHistoryTest {

    private final JobHistory history = new JobHistory();

    @Test
    void onlyAChangeOfTheParallelismIsARescale() {
        history.update(10, List.of(0, 0), List.of(4));
        assertThat(history.runningSince()).isEmpty();
        history.update(20, List.of(2, 2), List.of(4));
        assertThat(history.runningSince()).hasValue(20);
        assertThat(history.lastRescale()).isEmpty();
        history.update(30, List.of(2, 2), List.of(6));
        assertThat(history.runningSince()).hasValue(20);
        history.update(40, List.of(0, 0), List.of(6));
        history.update(50, List.of(2, 2), List.of(6));
        assertThat(history.lastRescale())
                .as("a restart at the same parallelism")
                .isEmpty();
        history.update(60, List.of(0, 0), List.of(6));
        history.update(70, List.of(3, 3), List.of(6));
        assertThat(history.lastRescale()).hasValue(70);
        assertThat(history.runningSince()).hasValue(70);
        assertThat(history.size()).isEqualTo(6);
        assertThat(history.entry(0)).isEqualTo(new JobPast.State(60, List.of(0, 0), List.of(6)));
        assertThat(history.entry(5).since()).isEqualTo(10);
    }

    @Test
    void keepsABoundedHistory() {
        for (int slots = 0; slots < 500; slots++) {
            history.update(slots, List.of(1), List.of(slots));
        }
        assertThat(history.size()).isEqualTo(JobHistory.MAX_COUNT);
        assertThat(history.entry(0).slots()).containsExactly(498);
    }
}
