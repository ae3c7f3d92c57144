package io.berth.core.api.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.job.PlacementConstraints.LabelRule;
import io.berth.core.api.job.PlacementConstraints.Operator;
import io.berth.core.api.job.PlacementConstraints.Preference;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementConstraintsTest {

    private static final WorkerLabels WORKER = new WorkerLabels(
            new TreeMap<>(Map.of("zone", "a", "memory", "64", "half", "0.5")), new TreeMap<>(Map.of("gpu", "v100")));

    private static PlacementConstraints requiring(LabelRule rule) {
        return new PlacementConstraints(List.of(rule), List.of(), new TreeMap<>(Map.of("gpu", "")));
    }

    private static LabelRule rule(String key, Operator operator, String values) {
        return new LabelRule(key, operator, values == null ? List.of() : List.of(values.split("/")));
    }

    @ParameterizedTest
    @CsvSource({
        "zone, IN, a/b, true",
        "zone, IN, b/c, false",
        "rack, IN, a, false",
        "zone, NOT_IN, b/c, true",
        "zone, NOT_IN, a, false",
        "rack, NOT_IN, a, true",
        "zone, EXISTS, , true",
        "rack, EXISTS, , false",
        "memory, GREATER, 63.9, true",
        "memory, GREATER, 64, false",
        "half, GREATER, -1, true",
        "zone, GREATER, 1, false",
        "rack, GREATER, 1, false",
    })
    void rulesAreReadAsInKubernetes(String key, Operator operator, String values, boolean fulfilled) {
        PlacementConstraints constraints = requiring(rule(key, operator, values));
        assertThat(constraints.obstacle(WORKER).isEmpty()).isEqualTo(fulfilled);
    }

    @Test
    void aTaintIsToleratedByKeyAndByValue() {
        assertThat(PlacementConstraints.NONE.obstacle(WORKER)).contains("taint gpu is not tolerated");
        assertThat(tolerating("").obstacle(WORKER)).isEmpty();
        assertThat(tolerating("v100").obstacle(WORKER)).isEmpty();
        assertThat(tolerating("h100").obstacle(WORKER)).contains("taint gpu is not tolerated");
    }

    private static PlacementConstraints tolerating(String value) {
        return new PlacementConstraints(List.of(), List.of(), new TreeMap<>(Map.of("gpu", value)));
    }

    @Test
    void weightsOfFulfilledPreferencesAreAdded() {
        PlacementConstraints constraints = new PlacementConstraints(
                List.of(),
                List.of(
                        new Preference(rule("zone", Operator.IN, "a"), 7),
                        new Preference(rule("memory", Operator.GREATER, "10"), 5),
                        new Preference(rule("zone", Operator.IN, "b"), 100)),
                new TreeMap<>());
        assertThat(constraints.preference(WORKER)).isEqualTo(12);
    }

    @Test
    void whatIsNotAllowedIsRefused() {
        assertThatThrownBy(() -> rule("zone", Operator.GREATER, "many"))
                .hasMessage("rule greater for label zone has the value 'many': a number is allowed");
        assertThatThrownBy(() -> rule("zone", Operator.EXISTS, "a"))
                .hasMessage("rule exists for label zone has 1 values: none is allowed");
        assertThatThrownBy(() -> rule(" ", Operator.EXISTS, null))
                .hasMessageContaining("key of a rule has 1 characters");
        assertThatThrownBy(() -> new Preference(rule("zone", Operator.IN, "a"), 0))
                .hasMessage("weight of preference zone in a is 0: 1 to 100 is allowed");
    }
}
