package io.berth.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How values of each type are read, and what is said about those that are not allowed. */
class ConfigurationKeyTest {

    private static final List<ConfigurationKey> KEYS = List.of(
            ConfigurationKey.number("slots", 3, 1, 10, "a number"),
            ConfigurationKey.decimal("factor", 1.5, 0.25, 8, "a decimal"),
            ConfigurationKey.share("utilization", 0.75, "a share"),
            ConfigurationKey.duration(
                    "pause", Duration.ofSeconds(90), Duration.ofMillis(10), Duration.ofDays(2), "a duration"),
            ConfigurationKey.size("memory", 64L << 20, 1, 4L << 40, "a size"),
            ConfigurationKey.flag("eager", true, "a flag"),
            ConfigurationKey.choice("order", "up", List.of("up", "down"), "a choice"),
            ConfigurationKey.list("zones", List.of("a", "b"), "a list"),
            ConfigurationKey.text("note", " as given ", "a text"),
            ConfigurationKey.decimal("queue.*.weight", 1, 0, 100, "a pattern"));

    private static PolicyConfiguration read(String key, String value) {
        return PolicyConfiguration.of(new TreeMap<>(Map.of(key, value)), KEYS);
    }

    private static ConfigurationKey key(String name) {
        return PolicyDescription.key(KEYS, name).orElseThrow();
    }

    @Test
    void defaultsAreRead() {
        PolicyConfiguration none = PolicyConfiguration.of(new TreeMap<>(), KEYS);
        assertThat(none.number("slots")).isEqualTo(3);
        assertThat(none.decimal("factor")).isEqualTo(1.5);
        assertThat(none.share("utilization")).isEqualTo(0.75);
        assertThat(none.duration("pause")).isEqualTo(Duration.ofSeconds(90));
        assertThat(none.size("memory")).isEqualTo(64 << 20);
        assertThat(none.flag("eager")).isTrue();
        assertThat(none.text("order")).isEqualTo("up");
        assertThat(none.list("zones")).containsExactly("a", "b");
        assertThat(none.text("note")).isEqualTo(" as given ");
        assertThat(none.decimal("queue.any.weight")).isEqualTo(1);
        assertThat(none.names("queue.*.weight")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0.5, 0.5",
        "' 1 ', 1",
        "0, 0",
        "80 %, 0.8",
        "12.5%, 0.125",
        "100%, 1",
    })
    void sharesAreReadAsFractionsAndPercentages(String given, double expected) {
        assertThat(key("utilization").problem(given)).isEmpty();
        assertThat(read("utilization", given).share("utilization")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "10 ms, PT0.01S",
        "1500ms, PT1.5S",
        "30 s, PT30S",
        "0.5 s, PT0.5S",
        "5min, PT5M",
        "2 h, PT2H",
        "1.5 h, PT90M",
        "2 d, PT48H",
    })
    void durationsAreReadWithTheirUnit(String given, Duration expected) {
        assertThat(key("pause").problem(given)).isEmpty();
        assertThat(read("pause", given).duration("pause")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "512 B, 512",
        "1KiB, 1024",
        "1.5 MiB, 1572864",
        "2 GiB, 2147483648",
        "1 TiB, 1099511627776",
        "512m, 536870912",
        "1g, 1073741824",
        "4K, 4096",
    })
    void sizesAreReadWithTheirUnit(String given, long expected) {
        assertThat(key("memory").problem(given)).isEmpty();
        assertThat(read("memory", given).size("memory")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "slots       | 11      | slots is '11': a whole number from 1 to 10 is allowed",
                "slots       | 1.5     | slots is '1.5': a whole number from 1 to 10 is allowed",
                "slots       | 3 s     | slots is '3 s': a whole number from 1 to 10 is allowed",
                "factor      | 0.2     | factor is '0.2': a number from 0.25 to 8 is allowed",
                "factor      | 1e3     | factor is '1e3': a number from 0.25 to 8 is allowed",
                "utilization | 80      | utilization is '80': a share from 0 to 1 (0.8 or 80 %) is allowed",
                "utilization | 101 %   | utilization is '101 %': a share from 0 to 1 (0.8 or 80 %) is allowed",
                "pause       | 30      | pause is '30': a duration from 10 ms to 2 d (units ms, s, min, h, d) is allowed",
                "pause       | 9 ms    | pause is '9 ms': a duration from 10 ms to 2 d (units ms, s, min, h, d) is allowed",
                "pause       | 10.5 ms | pause is '10.5 ms': a duration from 10 ms to 2 d (units ms, s, min, h, d) is allowed",
                "pause       | 5 m     | pause is '5 m': a duration from 10 ms to 2 d (units ms, s, min, h, d) is allowed",
                "memory      | 5 TiB   | memory is '5 TiB': a size from 1 B to 4 TiB (units B, KiB, MiB, GiB, TiB) is allowed",
                "memory      | 5       | memory is '5': a size from 1 B to 4 TiB (units B, KiB, MiB, GiB, TiB) is allowed",
                "eager       | yes     | eager is 'yes': true or false is allowed",
                "order       | left    | order is 'left': one of up, down is allowed",
                "zones       | a,,b    | zones is 'a,,b': a list of 0 to 1000 texts (separated by commas) is allowed",
                "queue.a.weight | 200  | queue.a.weight is '200': a number from 0 to 100 is allowed",
            })
    void whatIsNotAllowedIsSaid(String name, String given, String expected) {
        assertThat(new PolicyDescription("one", "for a test", KEYS).problems(new TreeMap<>(Map.of(name, given))))
                .containsExactly(expected);
    }

    @Test
    void theKeysOfAPatternAreNamed() {
        PolicyConfiguration given = PolicyConfiguration.of(
                new TreeMap<>(Map.of("queue.a.weight", "2", "queue.root.etl.weight", "0.5", "slots", "4")), KEYS);
        assertThat(given.names("queue.*.weight")).containsExactly("a", "root.etl");
        assertThat(given.decimal("queue.root.etl.weight")).isEqualTo(0.5);
        assertThat(given.decimal("queue.other.weight")).as("the default").isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"queue..weight", "queue.weight", "queue.a b.weight", "queue.a.weights", "queue.a"})
    void aPatternDescribesNoOtherKeys(String name) {
        assertThat(key("queue.x.weight").describes(name)).isFalse();
    }

    @Test
    void aKeyOfItsOwnComesBeforeAPattern() {
        List<ConfigurationKey> keys = List.of(
                ConfigurationKey.decimal("queue.*.weight", 1, 0, 100, "a pattern"),
                ConfigurationKey.decimal("queue.root.weight", 7, 0, 100, "the root"));
        PolicyConfiguration none = PolicyConfiguration.of(new TreeMap<>(), keys);
        assertThat(none.decimal("queue.root.weight")).isEqualTo(7);
        assertThat(none.decimal("queue.leaf.weight")).isEqualTo(1);
    }

    @Test
    void aKeyIsReadAsItsTypeOnly() {
        PolicyConfiguration none = PolicyConfiguration.of(new TreeMap<>(), KEYS);
        assertThatThrownBy(() -> none.number("pause"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("key pause is described as DURATION and read as NUMBER");
        assertThatThrownBy(() -> none.text("speed"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("key speed is read and not described");
        assertThatThrownBy(() -> none.names("slots")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aDescriptionWithABadDefaultIsRefused() {
        assertThatThrownBy(() -> ConfigurationKey.number("slots", 0, 1, 10, "a number"))
                .hasMessage("the default of configuration key slots is '0': a whole number from 1 to 10 is allowed");
        assertThatThrownBy(() -> ConfigurationKey.decimal("factor", 1, 3, 2, "a decimal"))
                .hasMessage("configuration key factor has bounds 3 to 2: no value is allowed");
        assertThatThrownBy(() -> ConfigurationKey.flag("*.eager", true, "no word before the star"))
                .hasMessageContaining("one part between dots, but not the first, may be *");
        assertThatThrownBy(() -> key("queue.a.weight").asRequired())
                .hasMessageContaining("only one without * can be required");
    }

    @Test
    void equalKeysAreEqual() {
        assertThat(ConfigurationKey.share("a", 0.5, "m")).isEqualTo(ConfigurationKey.share("a", 0.50, "m"));
        assertThat(ConfigurationKey.share("a", 0.5, "m")).isNotEqualTo(ConfigurationKey.share("a", 0.6, "m"));
    }
}
