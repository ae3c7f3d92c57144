package io.berth.core.scheduler.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.registration.RegistrationSettings;
import io.berth.core.scheduler.Configurations;
import io.berth.core.scheduler.job.Restart.Delay;
import io.berth.core.scheduler.job.Restart.Rate;
import io.berth.core.scheduler.job.Restart.Strategy;
import io.berth.core.scheduler.job.SchedulerConfiguration.SlotReuse;
import org.junit.jupiter.api.Test;

class SchedulerConfigurationTest {

    @Test
    void slotReuseIsReuseOrReturn() {
        assertThat(SlotReuse.parse("reuse")).isEqualTo(SlotReuse.REUSE);
        assertThat(SlotReuse.parse("return")).isEqualTo(SlotReuse.RETURN);
        assertThatThrownBy(() -> SlotReuse.parse("keep"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("slot.reuse is 'keep': reuse or return is allowed");
    }

    @Test
    void wrongRestartsAreRefused() {
        assertThat(Strategy.parse("none")).isEqualTo(Strategy.NONE);
        assertThatThrownBy(() -> Strategy.parse("often"))
                .hasMessage("restart.strategy is 'often': exponential, fixed, rate or none is allowed");
        assertThatThrownBy(() -> new Delay(200, 1_000, 2, 1, 60_000))
                .hasMessage("restart.delay.jitter is 1.0: at least 0 and below 1 is allowed");
        assertThatThrownBy(() -> new Delay(200, 199, 2, 0, 60_000))
                .hasMessage("restart.delay.max.ms is 199: at least 200 is allowed");
        assertThatThrownBy(() -> new Rate(1, 0)).hasMessage("restart.rate.interval.ms is 0: at least 1 is allowed");
    }

    @Test
    void theLongestRegistrationTimeoutIsNotShorterThanTheFirst() {
        assertThatThrownBy(() -> new RegistrationSettings(100, 99, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("registration.timeout.max.ms is 99: at least 100 is allowed");
    }

    @Test
    void theLimitOfFailedHeartbeatsCannotBeZero() {
        assertThatThrownBy(() -> Configurations.heartbeatFailures(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("heartbeat.failures.max is 0: at least 1 is allowed");
        assertThat(Configurations.heartbeatFailures(-1).heartbeatFailuresMax()).isEqualTo(-1);
    }
}
