package io.berth.ops.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.ops.metrics.MetricsConfiguration.Settings;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsConfigurationTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"", "metrics", "/", "/*", "/v1", "/v1/metrics", "/health", "/health/live", "/a/", "/a b", "//a"})
    void namesAPathThatIsNotAllowed(String path) {
        assertThatThrownBy(() -> new Settings(true, path, 1, List.of(), true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("path is '" + path + "'");
    }

    @Test
    void acceptsAnotherPath() {
        assertThat(new Settings(true, "/internal/berth-metrics", 1, List.of(), true).path())
                .isEqualTo("/internal/berth-metrics");
    }

    @Test
    void namesATimeoutOutOfRange() {
        assertThatThrownBy(() -> new Settings(true, "/metrics", 0, List.of(), true))
                .hasMessageContaining("answer.timeout.ms is 0: allowed is 1 to 60000");
    }

    @Test
    void answersOnlyRequestsForItsOwnHostNames() {
        List<String> names = List.of("localhost");
        assertThat(MetricsServlet.foreignHost(Optional.of("localhost:8181"), names))
                .isEmpty();
        assertThat(MetricsServlet.foreignHost(Optional.of("127.0.0.1:8181"), names))
                .isEmpty();
        assertThat(MetricsServlet.foreignHost(Optional.of("[::1]:8181"), names)).isEmpty();
        assertThat(MetricsServlet.foreignHost(Optional.of("evil.example:8181"), names)
                        .orElseThrow())
                .contains("evil.example")
                .contains("io.berth.ops.metrics.cfg");
        assertThat(MetricsServlet.foreignHost(Optional.empty(), names)).isPresent();
    }
}
