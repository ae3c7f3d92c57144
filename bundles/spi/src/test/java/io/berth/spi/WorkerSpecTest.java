package io.berth.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.spi.backend.WorkerSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkerSpecTest {

    private static WorkerSpec.Builder spec() {
        return WorkerSpec.of("small", ResourceProfile.of(1_000, 1L << 30));
    }

    @Test
    void hasDefaultsForAllButNameAndSize() {
        WorkerSpec spec = spec().build();
        assertThat(spec.defaultSlots()).isEqualTo(1);
        assertThat(spec.minimum()).isZero();
        assertThat(spec.maximum()).isEqualTo(1);
        assertThat(spec.labels()).isEmpty();
        assertThat(spec.taints()).isEmpty();
        assertThat(spec.costPerHour()).isZero();
        assertThat(spec.startMillis()).isZero();
    }

    @Test
    void doesNotChangeWithItsBuilder() {
        WorkerSpec.Builder builder = spec().label("zone", "a");
        WorkerSpec before = builder.build();
        WorkerSpec after = builder.label("zone", "b").build();
        assertThat(before.labels()).isEqualTo(Map.of("zone", "a"));
        assertThat(after).isNotEqualTo(before);
        assertThatThrownBy(() -> before.labels().put("zone", "c")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void refusesWhatIsNotAllowed() {
        assertThatThrownBy(() -> spec().defaultSlots(0).build())
                .hasMessage("default slots of worker spec 'small' is 0: at least 1 is allowed");
        assertThatThrownBy(() -> spec().maximum(-1).build())
                .hasMessage("maximum of worker spec 'small' is -1: at least 0 is allowed");
        assertThatThrownBy(() -> spec().minimum(2).build())
                .hasMessage("minimum of worker spec 'small' is 2: allowed is 0 to 1");
        assertThatThrownBy(() -> spec().costPerHour(Double.NaN).build())
                .hasMessageContaining("cost per hour of worker spec 'small' is NaN");
        assertThatThrownBy(() -> spec().startMillis(-1).build())
                .hasMessageContaining("start time of worker spec 'small' is -1 ms");
    }
}
