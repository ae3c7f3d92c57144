package io.berth.policy.support.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReasonTextTest {

    @Test
    void timesAreRoundedUpToWhatPeopleRead() {
        assertThat(ReasonText.duration(1)).isEqualTo("1 s");
        assertThat(ReasonText.duration(59_001)).isEqualTo("60 s");
        assertThat(ReasonText.duration(60_000)).isEqualTo("1 min");
        assertThat(ReasonText.duration(61_000)).isEqualTo("2 min");
        assertThat(ReasonText.duration(3_600_000)).isEqualTo("1 h");
        assertThat(ReasonText.duration(5_940_001)).isEqualTo("1 h 40 min");
    }

    @Test
    void ratesHaveDecimalPlacesOnlyWhenTheyAreSmall() {
        assertThat(ReasonText.rate(3.24)).isEqualTo("3.2/s");
        assertThat(ReasonText.rate(1_650.4)).isEqualTo("1,650/s");
        assertThat(ReasonText.share(2.0 / 3)).isEqualTo("0.67");
        assertThat(ReasonText.tasks(1)).isEqualTo("1 task");
        assertThat(ReasonText.tasks(6)).isEqualTo("6 tasks");
    }
}
