package io.berth.core.api.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackoffTest {

    @Test
    void delaysGrowToTheMaximumAndStartAgainAfterAReset() {
        Backoff backoff = new Backoff(100, 500);
        assertThat(new long[] {backoff.next(), backoff.next(), backoff.next(), backoff.next(), backoff.next()})
                .containsExactly(100, 200, 400, 500, 500);
        backoff.reset();
        assertThat(backoff.next()).isEqualTo(100);
    }

    @Test
    void theMultiplierMayBeAFraction() {
        Backoff backoff = new Backoff(100, 1_000, 1.5);
        assertThat(new long[] {backoff.next(), backoff.next(), backoff.next()}).containsExactly(100, 150, 225);
    }

    @Test
    void theDelayAfterManyFailuresIsTheMaximum() {
        assertThat(Backoff.millisAfter(1, 200, 20_000)).isEqualTo(200);
        assertThat(Backoff.millisAfter(3, 200, 20_000)).isEqualTo(800);
        assertThat(Backoff.millisAfter(Integer.MAX_VALUE, 200, 20_000)).isEqualTo(20_000);
    }
}
