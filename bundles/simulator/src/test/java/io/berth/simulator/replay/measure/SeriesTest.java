package io.berth.simulator.replay.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class SeriesTest {

    @Test
    void binsAreMeansWeightedByTime() {
        Series series = new Series();
        series.add(new Series.Point(0, 30, 1, 0, 2));
        series.add(new Series.Point(30, 40, 0, 4, 0));
        series.add(new Series.Point(40, 80, 0.5, 2, 1));

        List<Series.Point> bins = series.binned(2);

        assertThat(bins).hasSize(2);
        assertThat(bins.get(0).fromMillis()).isZero();
        assertThat(bins.get(0).toMillis()).isEqualTo(40);
        assertThat(bins.get(0).utilization()).isCloseTo(0.75, within(1e-12));
        assertThat(bins.get(0).waiting()).isCloseTo(1, within(1e-12));
        assertThat(bins.get(0).workersUsed()).isCloseTo(1.5, within(1e-12));
        assertThat(bins.get(1)).isEqualTo(new Series.Point(40, 80, 0.5, 2, 1));
    }

    @Test
    void aTimeShorterThanTheBinsHasFewerOfThem() {
        Series series = new Series();
        series.add(new Series.Point(5, 8, 1, 0, 1));

        assertThat(series.binned(200)).hasSize(3).allMatch(bin -> bin.utilization() == 1);
        assertThat(new Series().binned(200)).isEmpty();
    }
}
