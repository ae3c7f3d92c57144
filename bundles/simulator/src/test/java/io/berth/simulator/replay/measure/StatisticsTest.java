package io.berth.simulator.replay.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class StatisticsTest {

    @Test
    void thePercentileIsTheNearestRank() {
        double[] twenty = new double[20];
        for (int index = 0; index < 20; index++) {
            twenty[index] = 20 - index;
        }

        assertThat(Statistics.percentile(twenty, 0.95)).hasValue(19);
        assertThat(Statistics.percentile(new double[] {7}, 0.95)).hasValue(7);
        assertThat(Statistics.percentile(new double[] {3, 1, 2}, 0.5)).hasValue(2);
        assertThat(Statistics.percentile(new double[] {}, 0.95)).isEmpty();
    }

    @Test
    void meanAndMostOfNothingAreEmpty() {
        assertThat(Statistics.mean(new double[] {1, 2, 6})).hasValue(3);
        assertThat(Statistics.most(new double[] {1, 6, 2})).hasValue(6);
        assertThat(Statistics.mean(new double[] {})).isEmpty();
        assertThat(Statistics.most(new double[] {})).isEmpty();
    }

    @Test
    void jainsIndexIsOneForEqualSharesAndOneOfNWhenOneHasAll() {
        assertThat(Statistics.jain(List.of(0.4, 0.4, 0.4)).getAsDouble()).isCloseTo(1, within(1e-12));
        assertThat(Statistics.jain(List.of(1.0, 0.0, 0.0, 0.0))).hasValue(0.25);
        // (1 + 2 + 3)^2 / (3 * (1 + 4 + 9)) = 36 / 42
        assertThat(Statistics.jain(List.of(1.0, 2.0, 3.0)).getAsDouble()).isCloseTo(36.0 / 42, within(1e-12));
        assertThat(Statistics.jain(List.of(0.0, 0.0))).hasValue(1);
        assertThat(Statistics.jain(List.of())).isEmpty();
    }
}
