package io.berth.core.api.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CostTextTest {

    @Test
    void hasAsManyDecimalsAsTheCost() {
        assertThat(CostText.of(0.25)).isEqualTo("0.25");
        assertThat(CostText.of(1_000_000)).isEqualTo("1000000");
        assertThat(CostText.of(0)).as("not known").isEqualTo("-");
    }
}
