package io.berth.dataflow.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigurationTest {

    private final Configuration configuration =
            new Configuration("file-source", Map.of("split.bytes", "12x", "path", " ", "on", "yes", "level", "high"));

    @Test
    void rejectionNamesOperatorKeyValueAndWhatIsAllowed() {
        assertThatThrownBy(() -> configuration.number("split.bytes", 1, 1, 10))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("configuration of operator 'file-source': split.bytes is '12x';"
                        + " allowed: a whole number from 1 to 10");
        assertThatThrownBy(() -> configuration.flag("on", false)).hasMessageContaining("true or false");
        assertThatThrownBy(() -> configuration.choice("level", "low", "middle"))
                .hasMessageContaining("one of low, middle");
    }

    @Test
    void rejectsMissingOrBlankText() {
        assertThatThrownBy(() -> configuration.text("path")).hasMessageContaining("path is ' '");
        assertThatThrownBy(() -> configuration.text("name")).hasMessageContaining("name is not set");
    }

    @Test
    void defaultsApplyToMissingValues() {
        assertThat(configuration.number("absent", 7, 1, 10)).isEqualTo(7);
        assertThat(configuration.flag("absent", true)).isTrue();
        assertThat(configuration.choice("absent", "a", "b")).isEqualTo("a");
        assertThat(configuration.text("absent", "x")).isEqualTo("x");
    }

    @Test
    void rejectsANumberOutOfRange() {
        Configuration ten = new Configuration("o", Map.of("n", "11"));
        assertThatThrownBy(() -> ten.number("n", 1, 1, 10)).hasMessageContaining("n is '11'");
    }
}
