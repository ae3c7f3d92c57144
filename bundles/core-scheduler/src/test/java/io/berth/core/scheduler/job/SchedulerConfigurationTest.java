package io.berth.core.scheduler.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.registration.RegistrationSettings;
import io.berth.core.scheduler.Configurations;
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
