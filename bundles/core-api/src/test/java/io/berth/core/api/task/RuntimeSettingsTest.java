package io.berth.core.api.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RuntimeSettingsTest {

    @Test
    void missingValuesHaveTheirDefaults() {
        RuntimeSettings settings =
                RuntimeSettings.of(List.of("network.memory.bytes=268435456", "exchange.channel.buffers=8"));
        assertThat(settings.get(RuntimeSettings.NETWORK_MEMORY_BYTES)).isEqualTo(256L << 20);
        assertThat(settings.get(RuntimeSettings.FLUSH_INTERVAL_MILLIS)).isEqualTo(100);
        assertThat(settings.changed()).containsExactly(Map.entry("network.memory.bytes", 256L << 20));
        assertThat(settings.moreHeapBytes()).isEqualTo(128L << 20);
        assertThat(RuntimeSettings.DEFAULTS.changed()).isEmpty();
    }

    @Test
    void acceptsTheBoundsAndRejectsUnknownKeysAndInvalidValues() {
        refuses("network.memory=1", "key 'network.memory' is unknown: allowed are exchange.channel.buffers, ");
        refuses("exchange.threads=many", "exchange.threads is 'many': allowed is a whole number from 0 to 256");
        refuses("flush.interval.ms=0", "flush.interval.ms is '0': allowed is a whole number from 1 to 60000");
        refuses("flush.interval.ms=60001", "flush.interval.ms is '60001'");
        assertThat(RuntimeSettings.of(List.of("flush.interval.ms=1")).get(RuntimeSettings.FLUSH_INTERVAL_MILLIS))
                .isEqualTo(1);
        assertThat(RuntimeSettings.of(List.of("flush.interval.ms=60000")).get(RuntimeSettings.FLUSH_INTERVAL_MILLIS))
                .isEqualTo(60_000);
        refuses("=5", "setting '=5': allowed is KEY=VALUE");
        refuses("flush.interval.ms", "setting 'flush.interval.ms': allowed is KEY=VALUE");
    }

    private static void refuses(String line, String message) {
        assertThatThrownBy(() -> RuntimeSettings.of(List.of(line)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }
}
