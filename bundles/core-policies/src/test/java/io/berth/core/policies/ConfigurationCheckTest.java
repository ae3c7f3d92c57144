package io.berth.core.policies;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigurationCheckTest {

    private static final Map<String, Object> KNOWN =
            Map.of("timeout.ms", 5L, "kept", 3, "factor", 2.0, "name", "", "osgi.http.whiteboard.servlet.name", "x");

    @Test
    void acceptsKeysAndValuesThatTheComponentReads() {
        assertThat(ConfigurationCheck.problems(
                        Map.of(
                                "timeout.ms",
                                "-1",
                                "kept",
                                " 7 ",
                                "factor",
                                "1e3",
                                "name",
                                "any",
                                "service.pid",
                                "p",
                                "felix.fileinstall.filename",
                                "f"),
                        KNOWN))
                .isEmpty();
    }

    @Test
    void reportsUnknownKeys() {
        assertThat(ConfigurationCheck.problems(Map.of("timeuot.ms", "5"), KNOWN))
                .containsExactly("timeuot.ms is not known and is ignored: known are factor, kept, name, timeout.ms");
    }

    @Test
    void reportsKeysAndValuesOfAWrongType() {
        assertThat(ConfigurationCheck.problems(Map.of("timeout.ms", "5s", "kept", "99999999999", "factor", "x"), KNOWN))
                .satisfiesExactlyInAnyOrder(
                        problem -> assertThat(problem).startsWith("timeout.ms is '5s': a whole number is allowed"),
                        problem -> assertThat(problem).startsWith("kept is '99999999999': a whole number"),
                        problem -> assertThat(problem).startsWith("factor is 'x': a number"));
    }
}
