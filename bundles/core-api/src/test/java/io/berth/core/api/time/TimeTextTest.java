package io.berth.core.api.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeTextTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0 s",
        "1, 1 s",
        "45000, 45 s",
        "59001, 1 min",
        "60000, 1 min",
        "60001, 2 min",
        "3599000, 1 h",
        "3600000, 1 h",
        "7500000, 2 h 5 min",
        "86400000, 1 d",
        "273600000, 3 d 4 h",
        "273600001, 3 d 5 h"
    })
    void roundsUpToTheSmallerUnit(long millis, String text) {
        assertThat(TimeText.of(millis)).isEqualTo(text);
    }
}
