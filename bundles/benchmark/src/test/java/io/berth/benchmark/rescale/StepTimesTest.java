package io.berth.benchmark.rescale;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class StepTimesTest {

    private static final long MILLI = 1_000_000;

    @Test
    void aPhaseBeginsWithTheLatestMomentBeforeIt() {
        StepTimes times = new StepTimes(
                Map.of(
                        Moment.BEGUN, 5 * MILLI,
                        Moment.REQUESTED, 8 * MILLI,
                        Moment.AVAILABLE, 10 * MILLI,
                        Moment.STOPPED, 20 * MILLI,
                        Moment.RUNNING, 50 * MILLI),
                1);
        assertThat(times.phase(Moment.AVAILABLE)).isEqualTo(2);
        assertThat(times.phase(Moment.ENDED)).isZero();
        assertThat(times.phase(Moment.RUNNING)).isEqualTo(30);
        assertThat(times.sinceAvailable()).isEqualTo(40);
    }

    @Test
    void aStepWithoutNewSlotsCountsFromItsBeginning() {
        StepTimes times =
                new StepTimes(Map.of(Moment.BEGUN, 0L, Moment.STOPPED, 3 * MILLI, Moment.RUNNING, 9 * MILLI), 1);
        assertThat(times.phase(Moment.REQUESTED)).isZero();
        assertThat(times.phase(Moment.STOPPED)).isEqualTo(3);
        assertThat(times.sinceAvailable()).isEqualTo(9);
    }
}
