package io.berth.core.api.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AmountTextTest {

    @Test
    void coresSizesAndOthers() {
        assertThat(AmountText.of("cpu", 2_500)).isEqualTo("cpu=2.5");
        assertThat(AmountText.of("cpu", 10_000)).isEqualTo("cpu=10");
        assertThat(AmountText.of("heap", 1536L << 20)).isEqualTo("heap=1.5GiB");
        assertThat(AmountText.of("managed", 1023)).isEqualTo("managed=1023B");
        assertThat(AmountText.of("off-heap", Long.MAX_VALUE)).isEqualTo("off-heap=8192PiB");
        assertThat(AmountText.of("gpu", 3)).isEqualTo("gpu=3");
        assertThat(AmountText.of(new TreeMap<>(Map.of("cpu", 1L, "gpu", 2L)))).isEqualTo("cpu=0.001 gpu=2");
    }
}
