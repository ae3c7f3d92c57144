package io.berth.core.scheduler.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.scheduler.job.SchedulerConfiguration.Restart;
import org.junit.jupiter.api.Test;

class RestartBackoffTest {

    private final RestartBackoff backoff = new RestartBackoff(new Restart(200, 1_000, 2, 60_000, 3));

    @Test
    void delaysDoubleUpToTheGreatest() {
        assertThat(backoff.failed(0, false)).hasValue(200);
        assertThat(backoff.failed(0, false)).hasValue(400);
        assertThat(backoff.failed(0, false)).hasValue(800);
        assertThat(backoff.failed(0, false)).hasValue(1_000);
        assertThat(backoff.failed(0, false)).hasValue(1_000);
    }

    @Test
    void anExecutionThatLastedLongResetsDelayAndCount() {
        backoff.failed(0, true);
        backoff.failed(0, true);
        assertThat(backoff.failed(60_000, true)).hasValue(200);
        assertThat(backoff.attempts()).isEqualTo(1);
    }

    @Test
    void endsAfterTheAllowedFailuresOfTheJobItself() {
        for (int lost = 0; lost < 20; lost++) {
            assertThat(backoff.failed(0, false)).isPresent();
        }
        assertThat(backoff.failed(0, true)).isPresent();
        assertThat(backoff.failed(0, true)).isPresent();
        assertThat(backoff.failed(0, true)).isPresent();
        assertThat(backoff.failed(0, true)).isEmpty();
    }
}
