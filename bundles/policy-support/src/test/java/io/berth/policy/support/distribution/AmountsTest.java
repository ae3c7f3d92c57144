package io.berth.policy.support.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AmountsTest {

    @Test
    void whatIsTooLargeEndsAtTheLargestNumber() {
        assertThat(Amounts.sum(Long.MAX_VALUE, 1)).isEqualTo(Long.MAX_VALUE);
        assertThat(Amounts.times(1L << 31, 1L << 40)).isEqualTo(Long.MAX_VALUE);
        assertThat(Amounts.times(3, Long.MAX_VALUE / 2)).isEqualTo(Long.MAX_VALUE);
        assertThat(Amounts.times(1L << 20, 1L << 40)).isEqualTo(1L << 60);
    }
}
