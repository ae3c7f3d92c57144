package io.berth.simulator.replay.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.berth.simulator.replay.Small;
import io.berth.simulator.traces.TraceJob;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobTimesTest {

    private final List<TraceJob> jobs = List.of(
            Small.job("a", 0, 100, 1, "ann"),
            Small.job("b", 0, 2, 4, "bob"),
            Small.job("c", 0, 50, 1, "ann"),
            Small.job("d", 10, 60, 2, "cid"));
    private final JobTimes times = new JobTimes(jobs);

    private void endAll() {
        times.begins(0, 50_000);
        times.ends(0, 150_000);
        times.begins(1, 18_000);
        times.ends(1, 20_000);
        times.begins(2, 0);
        times.ends(2, 50_000);
    }

    @Test
    void aJobWaitsFromItsArrivalToItsFirstStart() {
        endAll();
        times.begins(3, 40_000);
        times.begins(3, 90_000);

        assertThat(times.waits()).containsExactly(50, 18, 0, 30);
        assertThat(times.begun()).isEqualTo(4);
        assertThat(times.ended()).isEqualTo(3);
    }

    @Test
    void theSlowdownOfAShortJobCountsFromTenSeconds() {
        endAll();

        // 150 / 100; 20 / 10 and not 20 / 2; 50 / 50.
        assertThat(times.slowdowns()).containsExactly(1.5, 2, 1);
    }

    @Test
    void restartsLoseWhatHadRun() {
        times.restarts(1, 1_500);
        times.restarts(1, 500);
        times.restarts(3, 30_000);

        assertThat(times.restarts()).isEqualTo(3);
        assertThat(times.restartedJobs()).isEqualTo(2);
        assertThat(times.lostCoreSeconds()).isCloseTo(4 * 2 + 2 * 30, within(1e-9));
    }

    @Test
    void fairnessComparesTheShareOfTimeInWhichUsersRan() {
        endAll();

        // ann: (100 + 50) / (150 + 50) = 0.75; bob: 4 * 2 / (4 * 20) = 0.1.
        assertThat(times.fairnessOfUsers().getAsDouble())
                .isCloseTo(0.85 * 0.85 / (2 * (0.75 * 0.75 + 0.1 * 0.1)), within(1e-12));
        assertThat(times.fairnessOfQueues()).as("none are known").isEmpty();
    }
}
