package io.berth.core.api.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpecTextTest {

    @Test
    void aCostHasAsManyDecimalsAsItNeeds() {
        assertThat(SpecText.cost(0.25)).isEqualTo("0.25");
        assertThat(SpecText.cost(1_000_000)).isEqualTo("1000000");
        assertThat(SpecText.cost(0)).as("not known").isEqualTo("-");
    }

    @Test
    void aStartTimeSaysFromWhatItWasLearned() {
        assertThat(SpecText.start(0, 0)).as("not known").isEqualTo("-");
        assertThat(SpecText.start(90_000, 0)).isEqualTo("2 min");
        assertThat(SpecText.start(2_100, 1)).isEqualTo("3 s, learned from 1 start");
        assertThat(SpecText.start(12_000, 5)).isEqualTo("12 s, learned from 5 starts");
    }
}
